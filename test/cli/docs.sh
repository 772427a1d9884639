# Every command that a page of docs/ shows (lines that begin with four blanks and "$ hooke") runs.
. "$(dirname "$0")/common"

ln -s "$source/examples" examples
mkdir bin
ln -s "$hooke" bin/hooke
PATH="$PWD/bin:$PATH"
for page in "$source"/docs/*.md; do
  grep '^    \$ hooke ' "$page" | sed 's/^    \$ //' >commands || continue
  while IFS= read -r command; do
    checks=$((checks + 1))
    sh -c "$command" >out 2>err </dev/null || fail "$(basename "$page"): $command"
  done <commands
done
[ "$checks" -ge 5 ] || { : >out; : >err; fail "only $checks commands found in docs/"; }
finish
