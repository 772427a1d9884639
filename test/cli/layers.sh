#!/bin/sh
# usage: layers.sh BUILD_DIR SOURCE_DIR
# Folders look one way, and the check would see one that does not.
set -eu
build=$1 source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
"$source/script/layers" "$build"

# Which type a node has is nobody's business outside of its folder: what nodes can do is in their table.
if grep -nE '[!=]= *&hk_node_' $(find "$source/src" -name '*.[ch]' ! -path '*/src/node/*'); then
  echo "a node's type is asked for outside of src/node"
  exit 1
fi

# The same source with two layers exchanged: includes and symbols both tell.
mkdir -p "$dir/script"
cp "$source/script/layers" "$dir/script/"
mkdir "$dir/src"
for f in "$source"/src/*; do ln -s "$f" "$dir/src/"; done
rm "$dir/src/layers"
sed 's/^base$/exchanged/; s/^spec$/base/; s/^exchanged$/spec/' "$source/src/layers" >"$dir/src/layers"
if "$dir/script/layers" "$build" >"$dir/out"; then
  echo "an exchanged layer was not noticed"
  exit 1
fi
for what in 'item.c uses hk_fail' 'type.h includes base/arena.h'; do
  grep -q "src/spec -> src/base goes against src/layers: $what" "$dir/out" || {
    echo "not told: $what"
    cat "$dir/out"
    exit 1
  }
done
