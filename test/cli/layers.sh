#!/bin/sh
# usage: layers.sh BUILD_DIR SOURCE_DIR
# Folders include only lower layers, and the check detects a violation.
set -eu
build=$1 source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
"$source/script/layers" "$build"

# The type of a node may only be tested inside its folder; other code uses the table of the node's functions.
if grep -nE '[!=]= *&hk_node_' $(find "$source/src" -name '*.[ch]' ! -path '*/src/node/*'); then
  echo "a node's type is asked for outside of src/node"
  exit 1
fi

# The same source with two layers exchanged: includes and symbols must both show the error.
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

# Objects that the present sources do not make count for nothing: one of a target that is gone, by which src/base would
# call a type of src/spec.  A missing object, or one older than its source, is reported.
old=$dir/build
mkdir -p "$old/CMakeFiles"
cp "$build/compile_commands.json" "$old/"
for f in "$build"/CMakeFiles/hooke*.dir; do cp -Rs "$f" "$old/CMakeFiles/"; done
mkdir -p "$old/CMakeFiles/hooke_gone.dir/src/base"
echo 'extern int hk_item_real(void); int hk_gone(void); int hk_gone(void) { return hk_item_real(); }' >"$dir/gone.c"
cc -c "$dir/gone.c" -o "$old/CMakeFiles/hooke_gone.dir/src/base/arena.c.o"
"$source/script/layers" "$old"
sed -i 's/hooke_step_objects.dir\(.src.base.arena\)/hooke_gone.dir\1/' "$old/compile_commands.json"
if "$source/script/layers" "$old" >"$dir/out"; then
  echo "a call upward was not noticed"
  exit 1
fi
grep -q 'src/base -> src/spec goes against src/layers: arena.c uses hk_item_real' "$dir/out"
for way in 'touch -d 2000-01-01' rm; do
  $way "$old/CMakeFiles/hooke_gone.dir/src/base/arena.c.o"
  code=0
  "$source/script/layers" "$old" 2>"$dir/err" || code=$?
  if [ $code != 2 ] || ! grep -q 'holds no object of the present src/base/arena.c; build first' "$dir/err"; then
    echo "an old or missing object was not told"
    exit 1
  fi
done
