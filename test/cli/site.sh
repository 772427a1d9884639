# The documentation as a site: it builds, all its links lead somewhere, every page is reached from the tree and leads
# back, the search finds words at the pages that explain them, and no page needs the network.
. "$(dirname "$0")/common"
command -v node >/dev/null || { echo "left out: there is no Node"; exit 77; }

check node "$source/site/build.mjs" --hooke "$hooke" --out "$dir/site" --cache "$dir/reports" --reports examples/tutorial/slider_crank.yaml
check node "$source/test/cli/site_check.mjs" "$dir/site"
check test -s "$dir/site/reports/tutorial_slider_crank.html"
# Pages named in the sources and scripts are there.
for page in $(cd "$source" && grep -rhoE 'docs/[a-z0-9_/-]+\.md' src include tool script test examples README.md | sort -u); do
  check test -e "$source/$page"
done
# Every source that is cited is in the list of references.
for key in $(cd "$source" && grep -rhoE '\[[^][]*(19|20)[0-9]{2}[^][]*\]' src include docs | grep -oE '\b[A-Z][A-Za-z]{2,}(19|20)[0-9]{2}\b' | sort -u); do
  grep -q "^@[a-z]*{$key,\$" "$source/docs/refs.bib" || fail "$key is not in docs/refs.bib"
  checks=$((checks + 1))
done
# The summary of the validation is that of its tables.
check sh "$source/script/validate" check
finish
