# script/setup waits for another package manager for a limited time, and for nothing else.
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
# Any other failure is reported at once.
echo "E: Unable to locate package x" >message
echo 1 >left
: >calls
expect 0 "Unable to locate package" setup # of the lists, which may be there all the same
[ "$(wc -l <calls)" = 2 ] || fail "a failure without a lock was tried again"
echo 2 >left
: >calls
expect 100 "could not install gcc" setup
[ "$(wc -l <calls)" = 2 ] || fail "a failure without a lock was tried again"
# A lock that is never released ends the wait.
patience=3
echo "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?" >message
echo 1000 >left
expect 100 "Unable to acquire" setup
# A wait that is no number of seconds, which would never end.
patience=soon
expect 2 "HOOKE_SETUP_PATIENCE is 'soon', not a number of seconds" setup
patience=3
# If only a reference program is missing and cannot be installed (no network, no sudo), the tests continue without it.
cat >bin/dpkg-query <<'S'
#!/bin/sh
shift 2
for p; do [ "$p" = libnlopt-dev ] || echo "install ok installed $p"; done
S
tests() { PATH="$dir/bin:$PATH" HOOKE_SETUP_PATIENCE=$patience "$source/script/setup" test; }
echo "E: Could not resolve host" >message
echo 1000 >left
expect 0 "could not be brought up to date; tests that need these are skipped: libnlopt-dev" tests
printf '#!/bin/sh\necho 1000\n' >bin/id
printf '#!/bin/sh\nexit 1\n' >bin/sudo
chmod +x bin/*
expect 0 "sudo does not let this user in; tests that need these are skipped: libnlopt-dev" tests
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
expect 1 "sudo does not let this user in; please install as root: gcc" setup
# Another distribution that happens to have dpkg, but no apt-get.
rm bin/apt-get
mkdir few
for tool in sed cat sh; do ln -s "$(command -v $tool)" few/$tool; done
expect 0 "this is not Debian; please install the equivalents of: gcc" \
  env PATH="$dir/bin:$dir/few" /bin/sh "$source/script/setup" build
# A full folder for temporary files, and an unknown argument.
expect 2 "usage: script/setup" "$source/script/setup" all
finish
