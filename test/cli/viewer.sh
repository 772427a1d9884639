# The stored page was built from the sources in viewer/, and its spectra are right.  Skipped with a message without Node and npm.
. "$(dirname "$0")/common"

skip() {
  echo "skipped: $*"
  exit 77
}
command -v node >/dev/null && command -v npm >/dev/null || skip "there is no Node with npm (Debian: nodejs npm)"
tools=$1/viewer
mkdir -p "$tools/dist"
cp -r "$source/viewer/src" "$source/viewer/build.mjs" "$source/viewer/package.json" "$source/viewer/package-lock.json" \
  "$source/viewer/tsconfig.json" "$tools/"
cp "$source/viewer/dist/viewer.html" "$tools/dist/"
[ "$tools/node_modules/.package-lock.json" -nt "$source/viewer/package-lock.json" ] ||
  (cd "$tools" && npm ci --no-audit --no-fund >npm.log 2>&1) || skip "npm cannot install the packages of the viewer"
cd "$tools"
check npx tsc --noEmit
check node build.mjs --check
check node "$source/test/cli/viewer_orders.mjs" "$tools"
finish
