/* Gears: cost of one contact call, dry and with a film, in one run; of a second of the rig; of finite elements,
 * cold and from the cache.
 * usage: micro_gear contact MESH.yaml [calls] | run RIG.yaml [seconds] | elements MESH.yaml
 * A contact call shares the load of the rig's pair of gears, 3 slices, at places that follow each other as in a
 * run of 10 us steps at 1500 rpm, begun from the loads of the step before. */
#include "gear/slots.h"
#include "model/model.h"
#include "force/gear_pair.h"
#include <hooke/hooke.h>
#include <hooke/run.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hk_model *load(const char *file, const hk_override *set, int n) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read(file, set, n, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  for (int i = 0; i < diag.n && !m; i++) fprintf(stderr, "%s\n", diag.message[i].text);
  hk_diag_free(&diag);
  return m;
}

/* ---- contact ---- */

/* What pairs of teeth remember, as in an element's memory. */
typedef struct memory {
  double *now, *next;
  size_t size;
} memory;

static void keep(const hk_gear_slots *slots, const hk_gear_flank_load *l, double dt, memory *m) {
  memset(m->next, 0, m->size * sizeof *m->next);
  hk_gear_slots_keep(slots, l, dt, m->next);
  memcpy(m->now, m->next, m->size * sizeof *m->now);
}

static double contact(const char *file, const char *law, long calls, double *iterations) {
  const hk_override set[] = {{"law", law}};
  hk_model *m = load(file, set, 1);
  if (!m) return -1;
  const hk_gear_pair *p = NULL;
  for (int i = 0; i < m->n_forces; i++)
    if (m->force[i].item->type == &hk_type_force_gear_pair) p = m->force[i].constants;
  if (!p) return -1;
  const hk_involute *g = &p->geometry;
  double *room = calloc((size_t)hk_gear_flank_scratch(p), sizeof *room), speed = 1500 * M_PI / 30;
  double step = g->base_radius[0] * speed * 1e-5, length = g->pitch_roll[0] + g->pitch_roll[1];
  memory mem = {.size = (size_t)hk_gear_slots_size(p)};
  mem.now = calloc(mem.size, sizeof *mem.now), mem.next = calloc(mem.size, sizeof *mem.next);
  hk_gear_slots slots = {.p = p, .flank = 1, .memory = mem.now};
  hk_gear_section section[HK_GEAR_MAX_SLICES];
  hk_gear_flank_load l;
  const hk_gear_side side = {.flank = 1};
  const hk_gear_recall past = {hk_gear_slots_recall, &slots, 1e-5};
  hk_gear_flank_lay(p, room, &l);
  double way = 0, began = cpu();
  long sum = 0;
  for (long n = 0; n < calls; n++) {
    way += step;
    if (way > g->base_pitch / 2)
      way -= g->base_pitch, slots.tooth--; /* the one before is number 0 */
    for (int i = 0; i < p->slices; i++) {
      double R1 = g->pitch_roll[0] + way;
      section[i] = (hk_gear_section){.roll = {R1, length - R1},
                                     .overlap = 10e-6 + 1e-6 * cos(2 * M_PI * way / g->base_pitch),
                                     .turn = {speed, speed}};
    }
    if (!hk_gear_flank_solve(p, section, &side, &past, true, &l)) return -1;
    sum += l.iterations;
    keep(&slots, &l, past.dt, &mem);
  }
  double took = (cpu() - began) / (double)calls;
  *iterations = (double)sum / (double)calls;
  free(room);
  free(mem.now);
  free(mem.next);
  hk_model_destroy(m);
  return took;
}

static int contacts(const char *file, long calls) {
  double n[2], took[2];
  for (int wet = 0; wet < 2; wet++) {
    took[wet] = INFINITY;
    for (int repeat = 0; repeat < 3; repeat++)
      took[wet] = fmin(took[wet], contact(file, wet ? "ehl" : "dry", calls, &n[wet]));
    if (took[wet] < 0) return 1;
    printf("one contact call, %s: %.0f ns, %.2f iterations\n", wet ? "film" : "dry",
           1e9 * took[wet], n[wet]);
  }
  printf("film over dry: %.2f\n", took[1] / took[0]);
  return 0;
}

/* ---- runs and elements ---- */

static int runs(const char *file, double seconds) {
  double took[2];
  char duration[40];
  snprintf(duration, sizeof duration, "%g s", seconds);
  for (int wet = 0; wet < 2; wet++) {
    const hk_override set[] = {{"law", wet ? "ehl" : "dry"}, {"analysis.duration", duration}};
    hk_model *m = load(file, set, 2);
    hk_diag diag;
    hk_run_report report;
    if (!m) return 1;
    hk_diag_init(&diag);
    double began = cpu();
    if (hk_run(m, NULL, &report, &diag)) return 1;
    took[wet] = (cpu() - began) / seconds;
    printf("one second of the rig, %s: %.2f s, %ld steps per second\n", wet ? "film" : "dry",
           took[wet], (long)((double)report.stats.steps / seconds));
    hk_run_report_free(&report);
    hk_diag_free(&diag);
    hk_model_destroy(m);
  }
  printf("film over dry: %.2f\n", took[1] / took[0]);
  return 0;
}

static int elements(const char *file) {
  const hk_override set[] = {{"compliance", "fe"}};
  char folder[] = "/tmp/hooke_micro_gear_XXXXXX", command[100];
  if (!mkdtemp(folder) || setenv("HOOKE_CACHE", folder, 1)) return 1;
  const char *const of[] = {"cold", "from the cache"};
  for (int warm = 0; warm < 2; warm++) {
    double began = cpu();
    hk_model *m = load(file, set, 1);
    if (!m) return 1;
    printf("model with finite elements of two gears, %s: %.4f s\n", of[warm], cpu() - began);
    hk_model_destroy(m);
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "", *file = argc > 2 ? argv[2] : NULL;
  if (file && strcmp(what, "contact") == 0)
    return contacts(file, argc > 3 ? atol(argv[3]) : 200000);
  if (file && strcmp(what, "run") == 0) return runs(file, argc > 3 ? atof(argv[3]) : 1);
  if (file && strcmp(what, "elements") == 0) return elements(file);
  fprintf(stderr,
          "usage: micro_gear contact MESH.yaml [calls] | run RIG.yaml [seconds] | elements "
          "MESH.yaml\n");
  return 2;
}
