/* A program that looks inside: units, bodies, the state, values at times of its own, and a results file.
 *
 *   cc samples.c $(pkg-config --cflags --libs hooke) -lm -o samples
 *   ./samples "0.4 m" out.h5
 *
 * A pendulum of the given length swings for two seconds.  The program prints its bodies and the first numbers
 * of its state, samples its angle in one call, runs it again into a results file and reads the same values from
 * there.
 */
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 9 };

static const char TEXT[] =
    "format: 1\n"
    "title: pendulum\n"
    "parameters: {L: 1 m}\n"
    "bodies: {rod: {type: rod, length: L, mass: 1 kg, position: [L/2, 0, 0]}}\n"
    "joints: {pivot: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n"
    "forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n"
    "analysis: {duration: 2 s, output_step: 1 ms}\n";

static void show_bodies(const hk_model *model, const hk_sim *sim) {
  for (int i = 0; i < hk_model_body_count(model); i++) {
    hk_body_info body;
    hk_body_pose pose;
    if (hk_model_body_info(model, i, &body) || hk_sim_body_pose(sim, i, &pose)) continue;
    printf("body %s (%s) of %g kg at %.4f %.4f %.4f, state %d to %d\n", body.name, body.type,
           body.mass, pose.position.x, pose.position.y, pose.position.z, body.q,
           body.q + body.nq - 1);
  }
}

static void show_state(const hk_sim *sim) {
  hk_state_entry e;
  int n = hk_sim_state_count(sim);
  printf("state of %d numbers:", n);
  for (int i = 0; i < n && hk_sim_state_entry(sim, i, &e) == HK_OK; i++)
    if (e.part <= HK_PART_POSITION) printf(" %s [%s]", e.name, e.unit);
  printf("\n");
}

/* The largest difference of the two ways to the same numbers. */
static hk_status compare(const hk_model *model, hk_sim *sim, const char *file, hk_error *err) {
  const char *name[2] = {"pivot.angle", "energy.kinetic"};
  double t[SAMPLES], now[SAMPLES][2], later[SAMPLES][2], worst = 0;
  for (int i = 0; i < SAMPLES; i++) t[i] = 2.0 * i / (SAMPLES - 1);
  hk_status status = hk_sim_sample_by_name(sim, t, SAMPLES, name, 2, &now[0][0], err);
  if (status) return status;

  hk_diag diag;
  hk_run_report report;
  hk_diag_init(&diag);
  status = hk_run(model, &(hk_run_options){.results = file}, &report, &diag);
  if (status) *err = report.error;
  hk_run_report_free(&report);
  hk_diag_free(&diag);
  hk_results *results = NULL;
  if (!status) status = hk_results_open(file, &results, err);
  if (!status) status = hk_results_sample(results, t, SAMPLES, name, 2, &later[0][0], err);
  for (int i = 0; i < SAMPLES && !status; i++) {
    printf("%5.2f s %10.6f rad %10.6f J\n", t[i], now[i][0], now[i][1]);
    for (int k = 0; k < 2; k++) worst = fmax(worst, fabs(now[i][k] - later[i][k]));
  }
  if (!status)
    printf("%s has %d channels and differs by %.1e\n", hk_results_attribute_value(results, "title"),
           hk_results_channel_count(results), worst);
  hk_results_destroy(results);
  return status;
}

int main(int argc, char **argv) {
  hk_error err = {0};
  hk_diag diag;
  double length;
  char text[160];
  if (argc != 3) return fprintf(stderr, "usage: samples LENGTH RESULTS\n"), 2;
  if (hk_quantity_parse_as(argv[1], "m", &length, &err))
    return fprintf(stderr, "%s\n", err.text), 2;
  hk_unit metre;
  hk_unit_parse("m", 1, &metre, NULL);
  hk_quantity_format(length, metre.dim, text, sizeof text);
  printf("a pendulum of %s\n", text);

  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("pendulum", TEXT, sizeof TEXT - 1,
                                     &(hk_override){"parameters.L", text}, 1, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  hk_sim *sim = NULL;
  hk_status status = model ? hk_sim_create(model, NULL, &sim, &diag, &err) : HK_EINPUT;
  if (!status) {
    show_bodies(model, sim);
    show_state(sim);
    status = compare(model, sim, argv[2], &err);
  }
  if (status) fprintf(stderr, "%s\n", diag.n ? diag.message[0].text : err.text);
  hk_sim_destroy(sim);
  hk_model_destroy(model);
  hk_diag_free(&diag);
  return status ? 1 : 0;
}
