#!/bin/sh
# usage: install.sh BUILD_DIR SOURCE_DIR
# An installed copy must build the C example with CMake and with pkg-config, after it was moved.
set -eu
build=$1 source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM

cmake --install "$build" --prefix "$dir/first" >"$dir/log"
mv "$dir/first" "$dir/moved tree"
tree="$dir/moved tree"
for f in bin/hooke include/hooke/hooke.h share/man/man1/hooke.1 share/man/man1/hooke-run.1 \
  share/doc/hooke/examples/c/double_pendulum.c; do
  [ -s "$tree/$f" ] || { echo "not installed: $f"; exit 1; }
done
"$tree/bin/hooke" run "$tree/share/doc/hooke/examples/benchmarks/a01_pendulum.yaml" --quiet |
  grep -q '^x_end'

# The Python module works from the moved tree; a module with sanitizers needs their runtime first.
module="$tree/lib/python3/dist-packages"
if [ -d "$module/hooke" ] && [ -z "${HOOKE_TEST_FLAGS:-}" ]; then
  python=/usr/bin/python3
  [ -x $python ] || python=python3
  PYTHONPATH=$module $python -c '
import sys, hooke
r = hooke.read(sys.argv[1]).run()
assert r.status == "finished" and len(r) > 100, r
' "$tree/share/doc/hooke/examples/benchmarks/a01_pendulum.yaml"
fi

# Every link of the pages leads to a file that was installed too.
(cd "$tree/share/doc/hooke"
for page in README.md $(find docs -name "*.md"); do
  grep -o '](\([^)#: ]*\)' "$page" | sed 's/^](//' | sort -u | while read -r link; do
    [ -z "$link" ] || [ -e "$(dirname "$page")/$link" ] || echo "$page: no $link"
  done
done) >"$dir/broken"
[ ! -s "$dir/broken" ] || { cat "$dir/broken"; exit 1; }

# The example as users get it; the sanitizer's flags are needed where the library has them.
flags=${HOOKE_TEST_FLAGS:-}
example="$tree/share/doc/hooke/examples/c"
cmake -S "$example" -B "$dir/cmake" -DCMAKE_PREFIX_PATH="$tree" -DCMAKE_C_FLAGS="$flags" >"$dir/log"
cmake --build "$dir/cmake" >"$dir/log" || { cat "$dir/log"; exit 1; }
"$dir/cmake/double_pendulum" >"$dir/out.cmake"

pc=$(dirname "$(find "$tree" -name hooke.pc)")
# pkg-config escapes the blank in the path, which only eval reads.
eval "cc $flags '$example/double_pendulum.c' $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs hooke) \
  -lm -o '$dir/by_pkgconfig'"
LD_LIBRARY_PATH=$(dirname "$pc") "$dir/by_pkgconfig" >"$dir/out.pkgconfig"
cmp "$dir/out.cmake" "$dir/out.pkgconfig"

# Every library of the package, static and shared: the whole library and the stepping part.
mkdir "$dir/four"
cat >"$dir/four/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(four LANGUAGES C)
find_package(hooke REQUIRED)
foreach(library hooke step hooke_static step_static)
  add_executable(\${library} "$example/double_pendulum.c")
  target_link_libraries(\${library} hooke::\${library} m)
endforeach()
END
cmake -S "$dir/four" -B "$dir/four/build" -DCMAKE_PREFIX_PATH="$tree" -DCMAKE_C_FLAGS="$flags" >"$dir/log"
cmake --build "$dir/four/build" >"$dir/log" || { cat "$dir/log"; exit 1; }
for library in hooke step hooke_static step_static; do
  "$dir/four/build/$library" | cmp - "$dir/out.cmake"
done
# Without the shared ones the static are found.
rm "$tree"/lib*/lib*.so* 2>/dev/null || rm "$tree"/lib*/*/lib*.so*
for library in hooke hooke-step; do
  libs=$(PKG_CONFIG_PATH=$pc pkg-config --static --cflags --libs $library)
  eval "cc $flags '$example/double_pendulum.c' $libs -o '$dir/static_pkgconfig'"
  "$dir/static_pkgconfig" | cmp - "$dir/out.cmake"
done

# Eleven lines of time, the last at 10 s with a small energy error.
awk '$1 == "10.0" && $4 > -1e-2 && $4 < 1e-2 {found = 1} END {exit !found}' "$dir/out.cmake" || {
  cat "$dir/out.cmake"
  exit 1
}

# Headers that C++ programs and strict C11 can read.
for h in "$tree"/include/hooke/*.h; do
  printf '#include "%s"\nint main(void) { return 0; }\n' "$h" >"$dir/h.c"
  cc -std=c11 -pedantic-errors -Wall -Werror -I"$tree/include" -fsyntax-only "$dir/h.c"
done
# A program without any shared library, as pkg-config --static describes it.  Sanitizers cannot be linked so.
if [ -z "${HOOKE_TEST_FLAGS:-}" ]; then
  libs=$(PKG_CONFIG_PATH=$pc pkg-config --static --cflags --libs hooke)
  eval "cc -static '$example/double_pendulum.c' $libs -o '$dir/all_static'" 2>"$dir/log" || { cat "$dir/log"; exit 1; }
  "$dir/all_static" | cmp - "$dir/out.cmake"
  cat >"$dir/run.c" <<'C'
#include <hooke/hooke.h>
#include <stdio.h>
int main(int n, char **word) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = n > 2 ? hk_model_file_read(word[1], NULL, 0, &diag) : NULL;
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_run_report report;
  if (!model || hk_run(model, &(hk_run_options){.results = word[2]}, &report, &diag)) return 1;
  printf("%s %.6f\n", report.measure[0].name, report.measure[0].value);
  return 0;
}
C
  eval "cc -static '$dir/run.c' $libs -o '$dir/run_static'" 2>"$dir/log" || { cat "$dir/log"; exit 1; }
  "$dir/run_static" "$tree/share/doc/hooke/examples/benchmarks/a01_pendulum.yaml" "$dir/run.h5" | grep -q '^x_end '
  [ -s "$dir/run.h5" ]
fi
echo "installed copy: command, man pages, libraries, CMake package and pkg-config files work"
