// Full-text search without a server.  Every word of the query must begin a word of the section; matches in titles count more.
function hooke_search(index, query, limit) {
  var words = query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
  if (!words.length) return [];
  index.lower = index.lower || index.entries.map(function (e) { return [e[2].toLowerCase(), e[3].toLowerCase()]; });
  var starts = words.map(function (w) { return new RegExp('(^|[^\\p{L}\\p{N}])' + w.replace(/_/g, '[_ ]?'), 'gu'); });
  var found = [];
  index.entries.forEach(function (entry, i) {
    var title = index.lower[i][0], text = index.lower[i][1], page = index.pages[entry[0]][1].toLowerCase();
    var score = 0;
    for (var k = 0; k < words.length; k++) {
      var in_title = (title.match(starts[k]) || []).length, in_page = (page.match(starts[k]) || []).length;
      var in_text = (text.match(starts[k]) || []).length;
      if (!in_title && !in_text && !in_page) return;
      score += (in_title ? 20 : 0) + (in_page ? 8 : 0) + Math.min(in_text, 5) + (title === words[k] ? 30 : 0) + (page === words[k] ? 30 : 0);
    }
    if (page === words.join(' ') || title === words.join(' ')) score += 40;
    if (words.length > 1) score += 4 * Math.min(text.split(words.join(' ')).length - 1, 5);
    if (!entry[1]) score += 3; // the page itself before its sections
    score *= index.pages[entry[0]][2]; // guides before reference before listings
    found.push({ url: index.pages[entry[0]][0] + (entry[1] ? '#' + entry[1] : ''), page: index.pages[entry[0]][1], title: entry[2], entry: i, score: score });
  });
  found.sort(function (a, b) { return b.score - a.score || a.entry - b.entry; });
  var of_page = {}; // at most three sections of a page
  found = found.filter(function (hit) { return (of_page[hit.page] = (of_page[hit.page] || 0) + 1) <= 3; });
  return found.slice(0, limit || 20);
}
if (typeof module !== 'undefined') module.exports = { hooke_search: hooke_search };
