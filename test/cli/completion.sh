# Completion of shells follows the table of commands, and words of other programs lead to the right command.
. "$(dirname "$0")/common"

check "$hooke" completion bash
cp out hooke.bash
check bash -n hooke.bash
# complete WORD...: what bash offers after these words
complete() {
  bash -c '. ./hooke.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hooke; printf "%s\n" "${COMPREPLY[@]}"' bash "$@" >out 2>err
}
offers() {
  want=$1
  shift
  checks=$((checks + 1))
  complete "$@"
  grep -qxF -e "$want" out || fail "no '$want' after: $*"
}
refuses() {
  checks=$((checks + 1))
  not=$1
  shift
  complete "$@"
  ! grep -qxF -e "$not" out || fail "'$not' after: $*"
}
touch model.yaml results.h5 notes.txt
mkdir folder
offers run hooke ru
offers --version hooke --v
offers --digits hooke run --dig
offers -o hooke run -
offers model.yaml hooke run m
offers folder hooke run f
refuses results.h5 hooke run r
offers results.h5 hooke report r
refuses notes.txt hooke run n
offers notes.txt hooke run model.yaml -o n
refuses model.yaml hooke run --set m
offers --plot hooke --plugin ./mine.so run --pl
# Every option of every command is offered in every shell.
check "$hooke" completion zsh
cp out hooke.zsh
check "$hooke" completion fish
cp out hooke.fish
commands=$("$hooke" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p')
[ "$(echo "$commands" | wc -w)" -gt 20 ] || fail "the commands of hooke --help are not understood: $commands"
for c in $commands; do
  complete hooke "$c" -
  cp out offered
  for o in $("$hooke" "$c" --help | sed '1,/^options:/d' | sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' | sort -u); do
    checks=$((checks + 1))
    grep -qxF -e "--$o" offered || fail "bash does not know --$o of $c"
    [ "$o" = help ] || grep -q -e "--$o\[" hooke.zsh || fail "zsh does not know --$o of $c"
    [ "$o" = help ] || grep -q -e "from $c' -l $o " hooke.fish || fail "fish does not know --$o of $c"
  done
done
! command -v zsh >/dev/null || check zsh -n hooke.zsh
! command -v fish >/dev/null || check fish -n hooke.fish
expect_error "unknown shell 'tcsh'" "$hooke" completion tcsh
expect_error "did you mean 'bash'" "$hooke" completion bas

# Words of other programs
for pair in simulate:run solve:run sim:run info:check validate:check eigen:modes modal:modes campbell:locus bode:frf \
  equilibrium:static sweep:run doe:study convert:export fft:spectrum postprocess:report animate:report show:view live:watch \
  upgrade:migrate identify:fit list:types; do
  expect_error "here it is \`hooke ${pair#*:}" "$hooke" "${pair%:*}" model.yaml
done
# What they lead to exists.
for c in $(sed -n 's/.*", "\([a-z]*\).*"},$/\1/p' "$source/tool/peers.c"); do
  echo "$commands" | grep -qx "$c" || fail "there is no command $c"
done
expect_error "did you mean 'run'" "$hooke" rnu
expect_error "unknown command 'xyzzy'" "$hooke" xyzzy
finish
