#!/bin/sh
# usage: libraries.sh BUILD_DIR SOURCE_DIR
# What programs link: a model built and stepped in C needs neither LAPACK, HDF5 nor YAML, and the
# shared libraries show the functions of the public headers and nothing else.
set -eu
build=$1 source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
fail() { echo "$*"; exit 1; }
flags="-I$source/include ${HOOKE_TEST_FLAGS:-}"
program="$source/examples/c/double_pendulum.c"

cc $flags "$program" "$build/libhooke_step.a" -lklu -lm -o "$dir/step_static"
cc $flags "$program" "$build/libhooke.a" -lklu -lm -o "$dir/all_static"
cc $flags "$program" -L"$build" -lhooke_step -lm -Wl,-rpath,"$build" -o "$dir/step_shared"
cc $flags "$program" -L"$build" -lhooke -lm -Wl,-rpath,"$build" -o "$dir/all_shared"
for p in step_static all_static step_shared all_shared; do
  "$dir/$p" >"$dir/$p.out"
  cmp "$dir/step_static.out" "$dir/$p.out" || fail "$p says something else"
done
for p in step_static all_static step_shared; do
  readelf -d "$dir/$p" "$build/libhooke_step.so" >"$dir/needed"
  if grep -E 'NEEDED.*(lapack|blas|hdf5|yaml)' "$dir/needed"; then fail "$p needs these libraries"; fi
done

# The names behind HK_API in the headers, one per line; hk_plugin_table is what plugins show.
declared() {
  cat "$source"/include/hooke/*.h | tr '\n' ' ' | grep -oE 'HK_API [a-z][^;{(]*[({;]?' |
    grep -oE 'hk_[a-z0-9_]+ *(\[|\(|;|$)' | grep -oE 'hk_[a-z0-9_]+' | grep -v '^hk_plugin_table$' |
    sort -u
}
declared >"$dir/declared"
nm -D --defined-only "$build/libhooke.so" | awk '$3 ~ /^hk_/ {sub(/@.*/, "", $3); print $3}' | sort -u >"$dir/shown"
diff "$dir/declared" "$dir/shown" || fail "headers (<) and shared library (>) differ"
nm -D --defined-only "$build/libhooke_step.so" | awk '$3 ~ /^hk_/ {sub(/@.*/, "", $3); print $3}' | sort -u >"$dir/step"
[ -z "$(comm -13 "$dir/shown" "$dir/step")" ] || fail "hooke_step shows what hooke does not"
for f in hk_spec_create hk_model_compile hk_sim_step hk_sim_value hk_registry_create; do
  grep -qx $f "$dir/step" || fail "hooke_step does not show $f"
done

version=$("$build/hooke" --version | sed 's/hooke //')
for l in hooke hooke_step; do
  readelf -d "$build/lib$l.so" | grep -q "SONAME.*\[lib$l.so.${version%.*}\]" || fail "soname of $l"
done
cat >"$dir/version.c" <<'END'
#include <hooke/hooke.h>
#include <stdio.h>
int main(void) {
  printf("%d.%d.%d\n", HK_VERSION_MAJOR, HK_VERSION_MINOR, HK_VERSION_PATCH);
  return hk_version_number() != HK_VERSION_NUMBER;
}
END
cc $flags "$dir/version.c" "$build/libhooke_step.a" -o "$dir/version"
[ "$("$dir/version")" = "$version" ] || fail "versions of header and command differ"
echo "libraries: $(wc -l <"$dir/shown") functions shown, $(wc -l <"$dir/step") of them by hooke_step"
