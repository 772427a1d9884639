# Pages in a real browser (test/browser), and whether the stored viewer was built from its sources.  Skipped
# with a message if there is no browser, no Node or no access to the packages.
. "$(dirname "$0")/common"

skip() {
  echo "skipped: $*"
  exit 77
}
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$chromium" ] || skip "there is no Chromium (Debian: chromium)"
command -v node >/dev/null && command -v npm >/dev/null || skip "there is no Node with npm (Debian: nodejs npm)"

tools=$1/browser
mkdir -p "$tools"
cp "$source/test/browser/package.json" "$source/test/browser/package-lock.json" "$source/test/browser/"*.mjs "$tools/"
[ "$tools/node_modules/.package-lock.json" -nt "$source/test/browser/package-lock.json" ] ||
  (cd "$tools" && npm ci --no-audit --no-fund >npm.log 2>&1) || skip "npm cannot install playwright-core"
: >out
: >err
checks=1
node "$tools/pages.mjs" "$hooke" "$source" "$dir/work" "$chromium" 2>err || fail "pages in the browser"
checks=2
node "$tools/truth.mjs" "$hooke" "$dir/truth" "$chromium" 2>err || fail "pages against their results"
checks=3
node "$tools/engineering.mjs" "$hooke" "$dir/engineering" "$chromium" 2>err || fail "engineering work with pages"
checks=4
node "$tools/limits.mjs" "$hooke" "$dir/limits" "$chromium" 2>err || fail "pages at the limits of their numbers"
finish
