# In a host program with a locale that has a decimal comma, numbers are still read and written with a point.
. "$(dirname "$0")/common"
: >out
: >err
build=$(dirname "$hooke")
command -v localedef >/dev/null || { echo "skipped: no localedef"; exit 77; }
localedef -i de_DE -f UTF-8 "$dir/de_DE.UTF-8" 2>/dev/null || [ -d "$dir/de_DE.UTF-8" ] || { echo "skipped: no locale de_DE"; exit 77; }
printf 't [s],F [N]\n0,0.5\n0.25,1.5\n1,-2.75\n' >push.csv
cat >model.yaml <<'END'
format: 1
parameters: {k: 2.5 N/mm}
bodies:
  bob: {type: sphere, radius: 5.5 cm, mass: 1.25 kg, position: [0.5 m, 0 m, 0 m]}
joints: {rail: {type: prismatic, b: bob, axis: x}}
tables: {push: {file: push.csv}}
forces:
  s: {type: actuator, coordinate: rail.displacement, force: -k*bob.x - 1.5 N*s/m * bob.vx}
  f: {type: actuator, coordinate: rail.displacement, force: push(t)}
measures: {end: {of: bob.x, take: final}}
analysis: {duration: 0.5 s, output_step: 0.125 s}
END
cat >host.c <<'END'
#include <hooke/hooke.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void die(const hk_diag *d, const char *text) {
  for (int i = 0; i < d->n; i++) fprintf(stderr, "%s\n", d->message[i].text);
  fprintf(stderr, "%s\n", text);
  exit(1);
}
/* Bits, not digits: printf of the host follows the locale. */
static void bits(const char *what, double x) {
  unsigned long long u;
  memcpy(&u, &x, sizeof u);
  printf("%s %016llx\n", what, u);
}
int main(int argc, char **argv) {
  char text[400], probe[8];
  hk_diag diag;
  hk_error err = {0};
  hk_unit u;
  hk_run_report report;
  double si;
  if (!setlocale(LC_ALL, argv[1])) return 77;
  snprintf(probe, sizeof probe, "%.1f", 0.5);
  fprintf(stderr, "%s\n", probe);
  if (strcmp(argv[1], "C") && strcmp(probe, "0,5")) return 77;
  (void)argc;
  hk_diag_init(&diag);
  hk_unit_parse("N/m^1.5", 7, &u, &err);
  hk_quantity_format(0.1 + 0.2, u.dim, text, sizeof text), puts(text);
  hk_quantity_format(-1.5e-300, u.dim, text, sizeof text), puts(text);
  hk_quantity_format(12345, u.dim, text, sizeof text), puts(text);
  if (hk_quantity_parse_as("2.5e-3 mm * sqrt(0.25)", "m", &si, &err)) die(&diag, err.text);
  bits("quantity", si);
  hk_override set = {"k", "3.75 N/mm"};
  hk_spec *s = hk_model_file_read("model.yaml", &set, 1, &diag);
  if (!s) die(&diag, "not read");
  hk_item_get(hk_spec_find(s, HK_BODY, "bob"), "position", text, sizeof text), puts(text);
  hk_item_get(hk_spec_find(s, HK_TABLE, "push"), "points", text, sizeof text), puts(text);
  hk_item *f = hk_spec_add(s, HK_FORCE, "load", "g", NULL);
  hk_item_text(f, "b", "bob", NULL);
  hk_item_vec3(f, "force", hk_v3(0.5, 0, -1.25), NULL);
  hk_item_get(f, "force", text, sizeof text), puts(text);
  hk_model *m = hk_model_compile(s, &diag);
  if (!m) die(&diag, "not compiled");
  if (hk_run(m, &(hk_run_options){.results = "host.h5"}, &report, &diag)) die(&diag, report.error.text);
  bits("end", report.measure[0].value);
  hk_results *r;
  if (hk_results_open("host.h5", &r, &err)) die(&diag, err.text);
  char *scene;
  void *data;
  size_t size;
  if (hk_results_scene(r, &scene, &data, &size, &err)) die(&diag, err.text);
  puts(scene);
  const char *measures = strstr(hk_results_summary(r), "\"measures\"");
  puts(measures ? measures : "no measures");
  free(scene);
  free(data);
  hk_results_destroy(r);
  hk_run_report_free(&report);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return 0;
}
END
cc -Wall -Werror -I"$source/include" ${HOOKE_TEST_FLAGS:-} host.c -L"$build" -lhooke -Wl,-rpath,"$build" -o host
./host C >c.out 2>err || fail "in the C locale"
code=0
# The C library itself keeps what it parsed of LOCPATH: leaks are looked for in the other run.
ASAN_OPTIONS=detect_leaks=0 LOCPATH="$dir" ./host de_DE.UTF-8 >de.out 2>err || code=$?
[ $code != 77 ] || { echo "skipped: the locale cannot be set"; exit 77; }
[ $code = 0 ] || fail "under de_DE"
diff c.out de.out >out || fail "numbers depend on the locale"
grep -q '^\[0.5 m, 0 m, 0 m\]$' c.out || fail "text of a position"
grep -q '^0.30000000000000004 N/m^1.5$' c.out || fail "text of a quantity"
checks=$((checks + 5))
finish
