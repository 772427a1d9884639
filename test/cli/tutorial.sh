# The printed output of tutorials and how-to pages is correct.  A block after "Save this as `NAME`" becomes this file, each command runs,
# and every line printed below it is the beginning of a line of its output, numbers to the digits that are printed.
. "$(dirname "$0")/common"

ln -s "$source/examples" examples
mkdir bin
ln -s "$hooke" bin/hooke
PATH="$PWD/bin:$PATH"

# Lines of file 1 that are not in file 2.
unmatched() {
  awk '
    # Half a unit of the last printed digit, and a little for rounding on other machines.
    function same(shown, actual,   digits, exponent) {
      if (shown == actual) return 1
      if (shown !~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ || actual !~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/) return 0
      exponent = 0
      if (match(shown, /[eE]/)) exponent = substr(shown, RSTART + 1) + 0
      digits = shown
      sub(/[eE].*/, "", digits)
      digits = index(digits, ".") ? length(digits) - index(digits, ".") : 0
      return (shown - actual)^2 <= (0.51 * 10^(exponent - digits))^2
    }
    FNR == NR { shown[++lines] = $0; next }
    { output[++outputs] = $0 }
    END {
      for (i = 1; i <= lines; i++) {
        n = split(shown[i], want, /[ \t="]+/)
        found = 0
        for (j = 1; j <= outputs && !found; j++) {
          m = split(output[j], have, /[ \t="]+/)
          s = want[1] == "" ? 2 : 1
          t = have[1] == "" ? 2 : 1
          found = n - s <= m - t
          for (k = 0; k + s <= n && found; k++) if (want[k + s] != "") found = same(want[k + s], have[k + t])
        }
        if (!found) print shown[i]
      }
    }' "$1" "$2"
}

compared=0
for page in "$source"/docs/tutorial*.md "$source"/docs/howto/*.md; do
  name=$(basename "$page")
  rm -rf "$dir/page"
  mkdir "$dir/page"
  # Files of the page, its commands and what it prints below each.
  awk -v folder="$dir/page/" '
    /^Save this as `|[ .]Save this as `/ { name = $0; sub(/.*Save this as `/, "", name); sub(/`.*/, "", name) }
    /^```/ { if (inside) { inside = 0; if (file != "") close(file); file = "" } else { inside = 1; if (name != "") file = folder name; name = "" } next }
    inside { if (file != "") print >file; next }
    /^    \$ / { count++; print substr($0, 7) >(folder ".command." count); next }
    /^    / && count { print substr($0, 5) >(folder ".shown." count) }
  ' "$page"
  for file in "$dir/page/"*; do [ ! -e "$file" ] || cp "$file" .; done
  i=1
  while [ -e "$dir/page/.command.$i" ]; do
    command=$(cat "$dir/page/.command.$i")
    checks=$((checks + 1))
    code=0
    sh -c "exec $command" >out 2>err </dev/null || code=$?
    [ "$code" = 0 ] || fail "$name: exit code $code: $command"
    if [ -e "$dir/page/.shown.$i" ]; then
      compared=$((compared + 1))
      unmatched "$dir/page/.shown.$i" out >differences
      [ ! -s differences ] || { sed "s/^/$name prints: /" differences; fail "$name: the output has changed: $command"; }
    fi
    i=$((i + 1))
  done
done
: >out
: >err
[ "$compared" -ge 8 ] || fail "only $compared outputs were compared"
finish
