# Every command that a page of docs/ shows (lines that begin with four blanks and "$ hooke") runs.
# Commands with the comment "# minutes" are stopped by a signal after a second, unless HOOKE_LONG is set.
. "$(dirname "$0")/common"

ln -s "$source/examples" examples
mkdir bin
ln -s "$hooke" bin/hooke
PATH="$PWD/bin:$PATH"
for page in $(find "$source/docs" -name "*.md"); do
  case $page in */docs/tutorial*.md | */docs/howto/*) continue ;; esac # these run in tutorial.sh, with what they print
  grep '^    \$ hooke ' "$page" | sed 's/^    \$ //' >commands || continue
  while IFS= read -r command; do
    checks=$((checks + 1))
    code=0
    case $command in
    *'# minutes') [ -n "${HOOKE_LONG:-}" ] || limit="timeout -s INT 1" ;;
    *) limit= ;;
    esac
    ${limit:-} sh -c "exec $command" >out 2>err </dev/null || code=$?
    [ "$code" = 0 ] || { [ -n "${limit:-}" ] && [ "$code" = 124 ]; } ||
      fail "$(basename "$page"): $command"
  done <commands
done
[ "$checks" -ge 5 ] || { : >out; : >err; fail "only $checks commands found in docs/"; }
finish
