# script/setup waits for another package manager, for a while, and for nothing else.
. "$(dirname "$0")/common"
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
cat >bin/apt-get <<'S'
#!/bin/sh
echo "$*" >>calls
left=$(cat left)
[ "$left" -gt 0 ] || exit 0
echo $((left - 1)) >left
cat message >&2
exit 100
S
chmod +x bin/*
setup() { PATH="$dir/bin:$PATH" HOOKE_SETUP_PATIENCE=$patience "$source/script/setup" build; }

patience=30
echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)" >message
echo 2 >left
: >calls
expect 0 "another package manager is at work; waiting for up to 30 s" setup
[ "$(grep -c update calls)" = 3 ] || fail "update was called $(grep -c update calls) times, not 3"
[ "$(grep -c install calls)" = 1 ] || fail "install was called $(grep -c install calls) times, not 1"
[ "$(grep -c 'waiting for' err)" = 1 ] || fail "the reason is told more than once"
# Another failure is told at once.
echo "E: Unable to locate package x" >message
echo 1 >left
: >calls
expect 100 "Unable to locate package" setup
[ "$(wc -l <calls)" = 1 ] || fail "a failure without a lock was tried again"
# A lock that is never released ends the wait.
patience=3
echo "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?" >message
echo 1000 >left
expect 100 "Unable to acquire" setup
finish
