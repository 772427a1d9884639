#!/bin/sh
# usage: headers.sh BUILD_DIR SOURCE_DIR
# Every public header alone compiles as strict C17 and as C++17 without extensions.
set -eu
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
strict="-pedantic-errors -Wall -Wextra -Werror -Wno-unused-parameter -fsyntax-only -I$source/include"
n=0
for h in "$source"/include/hooke/*.h; do
  for twice in 1 2; do echo "#include <hooke/$(basename "$h")>"; done >"$dir/one.c"
  echo 'int main(void) { return 0; }' >>"$dir/one.c"
  cp "$dir/one.c" "$dir/one.cpp"
  gcc -std=c17 $strict "$dir/one.c" || { echo "C: $h"; exit 1; }
  if command -v g++ >/dev/null; then g++ -std=c++17 $strict "$dir/one.cpp" || { echo "C++: $h"; exit 1; }; fi
  n=$((n + 1))
done
command -v g++ >/dev/null || echo "skipped: no g++, so no C++"
echo "$n public headers are clean"

# Functions compiled for several processors: a program with them starts under the thread sanitizer, which a function that selects
# one of them before main does not. setarch: the runtime of some versions cannot map random addresses.
cat >"$dir/hot.c" <<'END'
#include "base/hot.h"
HK_HOT double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}
int main(int n, char **word) {
  (void)word;
  double x[3] = {1, 2, 3};
  return sum(x, 2 + n) == 6 ? 0 : 1;
}
END
echo 'int main(void) { return 0; }' >"$dir/empty.c"
if gcc -O1 -fsanitize=thread "$dir/empty.c" -o "$dir/empty" 2>"$dir/said" && setarch -R "$dir/empty" 2>>"$dir/said"; then
  gcc -O1 -fsanitize=thread -I"$source/src" "$dir/hot.c" -o "$dir/hot"
  setarch -R "$dir/hot" || { echo "a program with HK_HOT does not start under the thread sanitizer"; exit 1; }
else
  echo "skipped: no thread sanitizer"
fi

# No two headers share a guard, and no public one names a file or folder of the source.
"$source/script/guards"
folders=$(cd "$source/src" && ls -d */ | tr -d / | tr '\n' '|' | sed 's/|$//')
if grep -nE "\\b(src|$folders)/[a-z_0-9]+\\.[ch]\\b|\\bsrc/" "$source"/include/hooke/*.h; then
  echo "a public header names a private file"
  exit 1
fi

# One naming rule: lists have _count and _find, objects _create and _destroy; no other words for the same.
names=$(cat "$source"/include/hooke/*.h | tr '\n' ' ' | grep -oE 'HK_API [^;{=]*\([^;]*;' | grep -oE '\bhk_[a-z0-9_]+\(' | tr -d '(' | sort -u)
bad=$(echo "$names" | grep -E '_(n|num|number_of|length|len|index|search|lookup|close|delete|release|dispose)$|_get_(count|name)$' || true)
[ -z "$bad" ] || { echo "not of the naming rule (_count, _find, _destroy): $bad"; exit 1; }
for f in $names; do
  case $f in
    *_create) echo "$names" | grep -qx "${f%_create}_destroy" || { echo "$f has no _destroy"; exit 1; } ;;
    *_at) echo "$names" | grep -qx "${f%_at}_count" || [ "$f" = hk_sim_values_at ] || { echo "$f has no _count"; exit 1; } ;;
  esac
done
# Functions of an object are called with NULL instead of the object.
untried=
for f in $(echo "$names" | grep -E '^hk_(spec|item|model|sim|results|recording|registry|linear|quality|run|static|modes|orbit|periodic|branch|imbalance|state_space)_|^hk_run$'); do
  case $f in
    *_create | *_create_with) continue ;; # need no object
  esac
  grep -q "\b$f(" "$source/test/unit/test_api_null.c" || untried="$untried $f"
done
[ -z "$untried" ] || { echo "test_api_null.c does not try$untried"; exit 1; }

# Sanitizers cannot run before the loader has finished: with them no function has clones, which the loader chooses among.
for sanitizer in address thread; do
  gcc -std=gnu17 -O1 -fsanitize=$sanitizer -I"$source/include" -I"$source/src" -c "$source/src/base/small_lu.c" -o "$dir/hot.o"
  if nm "$dir/hot.o" | grep -q ' i '; then
    echo "clones of functions with -fsanitize=$sanitizer"
    exit 1
  fi
done
