# The programs of docs/howto/c-*.md compile as strict C17 without warnings and print the output of their pages; the reference of the
# interface contains every function of the headers.
. "$(dirname "$0")/common"

: >out
: >err
build=$(dirname "$hooke")
flags="-std=c17 -pedantic-errors -D_DEFAULT_SOURCE -Wall -Wextra -Werror -I$source/include ${HOOKE_TEST_FLAGS:-}"
# block PAGE LANGUAGE: the first block of that language.
block() { awk -v start="^\`\`\`$2\$" '$0 ~ start {on = 1; next} on && /^```$/ {exit} on' "$1"; }

for page in "$source"/docs/howto/c-*.md; do
  name=$(basename "$page" .md)
  block "$page" c >"$name.c"
  block "$page" text >"$name.expected"
  block "$page" yaml >"$name.yaml"
  [ -s "$name.c" ] && [ -s "$name.expected" ] || fail "$name: no program or no output"
  cc $flags "$name.c" -L"$build" -lhooke -lm -Wl,-rpath,"$build" -o "$name" || fail "$name does not compile"
  if [ -s "$name.yaml" ]; then set -- "$name.yaml"; else set --; fi
  "./$name" "$@" >"$name.out" 2>"$name.err" || { cat "$name.err"; fail "$name fails"; }
  checks=$((checks + 1))
  diff "$name.expected" "$name.out" || fail "$name prints something else"
done

"$source/script/api" --print >api.md || fail "script/api"
nm -D --defined-only "$build/libhooke.so" | awk '$3 ~ /^hk_/ {sub(/@.*/, "", $3); print $3}' | sort -u >shown
while read -r f; do
  grep -q "\b$f\b" api.md || fail "script/api leaves out $f"
done <shown
checks=$((checks + $(wc -l <shown)))
finish
