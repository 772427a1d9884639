/* Compliance of gear pairs that does not follow from their parameters alone: read from files of other programs,
 * or computed by finite elements and kept in the user's cache.  See loaders.list. */
#include "fe/cache.h"
#include "fe/compliance_file.h"
#include "force/gear_pair.h"
#include "prepare/gear_file.h"
#include "prepare/prepare.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads data that were packed with the model (read/preparation.h), and adds data to them. */
static hk_status read_packed(const hk_mf *r, const unsigned char key[HK_TABLE_KEY],
                             hk_gear_compliance *out, hk_error *err) {
  char name[1024];
  if (hk_gear_table_name(r->preparation->packed, key, name, sizeof name) &&
      hk_gear_table_read(name, key, &r->spec->arena, out))
    return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "it was not packed with the model: a parameter on which it depends cannot be "
                 "changed afterwards");
}

static hk_status add_packed(const hk_mf *r, const unsigned char key[HK_TABLE_KEY],
                            const hk_gear_compliance *table, hk_error *err) {
  char name[1000];
  if (!r->preparation->pack) return HK_OK;
  if (hk_gear_table_name(r->preparation->pack, key, name, sizeof name) &&
      hk_gear_table_write(name, key, table))
    return HK_OK;
  return hk_fail(err, HK_EINPUT, "cannot be packed: %s", strerror(errno));
}

/* Finds the group of a gear: the given one, otherwise the root or the only group. */
static hk_status from_file(hk_mf *r, const hk_item *item, int gear, hk_gear_compliance *out,
                           hk_error *err) {
  const hk_gear_pair_params *p = item->data;
  unsigned char key[HK_TABLE_KEY];
  hk_gear_file_key(item->name, gear, p->compliance, key);
  if (r->preparation->packed) return read_packed(r, key, out, err);
  const char *path = hk_mf_relative_path(r, item->place.file, p->compliance);
  if (!path) return hk_fail(err, HK_ENOMEM, "out of memory");
  /* a path given on the command line is relative to the working folder */
  if (access(path, F_OK)) path = p->compliance;
  bool outside;
  if (!hk_mf_may_read(r, path, p->compliance, hk_item_location(item, "compliance"), &outside))
    return HK_EINPUT; /* the error has been reported; err stays empty */
  hk_status status = hk_gear_file_read(path, p->group[gear], outside, &r->spec->arena, out, err);
  return status ? status : add_packed(r, key, out, err);
}

/* Largest distance, in teeth, between teeth that are in contact at the same time; for helical gears more than one. */
static int reach_of(const hk_involute *g, int gear) {
  int reach = (int)fmax(1, fmin(floor(g->total_ratio), HK_GEAR_MAX_REACH));
  while (reach > 1 && 2 * reach + 2 > g->teeth[gear]) reach--;
  return reach;
}

static hk_fe_gear as_elements(const hk_item *item, const hk_involute *g, int gear) {
  const hk_gear_pair_params *p = item->data;
  hk_gear_flank flank = hk_gear_pair_flank(item, g, gear);
  enum { STATIONS = 25 };
  hk_fe_gear fe = {
      .slices = flank.slices,
      .stations = STATIONS,
      .reach = reach_of(g, gear),
      .roll_first = flank.roll_first,
      .roll_last = flank.roll_last,
      .body = {
          .tooth = {.teeth = g->teeth[gear],
                    .base_radius = g->base_radius[gear],
                    .tip_radius = g->tip_radius[gear],
                    .root_radius = g->root_radius[gear],
                    .half_angle = g->half_angle[gear],
                    .reference_radius = g->reference_radius[gear],
                    .pressure_angle = g->transverse_pressure_angle,
                    .corner_radius = 0.38 * g->module},
          .face_width = hk_gear_pair_face(item, gear),
          /* The forward flank: along the axis, roll lengths of `a` increase with tan(beta_b), those of `b` decrease. */
          .twist = (gear ? -1 : 1) * g->tan_base / g->base_radius[gear],
          .bore_radius = p->bore[gear] / 2,
          .web_thickness = p->web[gear],
          .web_inner = p->web_inner[gear] / 2,
          .web_outer = p->web_outer[gear] / 2,
          .youngs_modulus = p->youngs_modulus[gear],
          .poisson_ratio = p->poisson_ratio[gear]}};
  fe.body.tooth.ring = gear == 1 && p->ring;
  if (fe.body.tooth.ring)
    fe.body.tooth.corner_radius = hk_fe_ring_fillet(&fe.body.tooth, 1.002 * flank.roll_last);
  return fe;
}

/* Reports the progress of the finite-element solution to the reader of the model. */
typedef struct teller {
  const hk_diag *diag;
  char what[200];
} teller;

static void tell(void *context, double done) {
  const teller *t = context;
  t->diag->progress(t->diag->progress_context, t->what, done);
}

static hk_status by_elements(hk_mf *r, const hk_item *item, const hk_involute *g, int gear,
                             hk_gear_compliance *out, hk_error *err) {
  const hk_gear_pair_params *p = item->data;
  if (!(p->bore[gear] > 0))
    return hk_fail(err, HK_EINPUT, "finite elements need the diameter of the %s, bore_%c",
                   p->ring && gear == 1 ? "circle at which the ring is held" : "bore", "ab"[gear]);
  char folder[1024];
  bool cache = hk_fe_cache_folder(folder, sizeof folder);
  hk_fe_gear fe = as_elements(item, g, gear);
  unsigned char key[HK_TABLE_KEY];
  hk_fe_gear_key(&fe, key);
  if (r->preparation->packed) return read_packed(r, key, out, err);
  hk_fe_report report = {0};
  teller t = {.diag = r->diag};
  snprintf(t.what, sizeof t.what, "elements of gear %c of '%s'", "ab"[gear], item -> name);
  const hk_fe_progress progress = {.tell = r->diag->progress ? tell : NULL, .context = &t};
  hk_status status =
      hk_fe_gear_cached(&fe, cache ? folder : NULL, &r->spec->arena, &progress, out, &report, err);
  if (!status && report.warning[0])
    hk_diag_add(r->diag, HK_WARNING, hk_item_location(item, "compliance"), "%s", report.warning);
  return status ? status : add_packed(r, key, out, err);
}

/* Warns if, because of the helix, contact moves along a large part of the path of contact from one slice to the next. */
static void warn_of_few_slices(hk_mf *r, const hk_item *item, const hk_involute *g) {
  int slices = hk_gear_pair_slices(item, g);
  if (slices >= 2 * g->overlap_ratio) return;
  hk_diag_add(r->diag, HK_WARNING, hk_item_location(item, "slices"),
              "force '%s': %d slice%s few for helical teeth with an overlap ratio of %.3g: sliding "
              "losses are underestimated; use %.0f or more",
              item->name, slices, slices > 1 ? "s are" : " is", g->overlap_ratio,
              ceil(4 * g->overlap_ratio));
}

void hk_load_force_gear_pair(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  if (pending->doc->faulty || r->diag->n_errors) return;
  hk_involute geometry;
  hk_error unsound = {0};
  hk_gear_source source = hk_gear_pair_source(item);
  if (hk_gear_pair_design(item, &geometry, &unsound)) return; /* compilation reports this error */
  warn_of_few_slices(r, item, &geometry);
  if (source != HK_GEAR_FILE && source != HK_GEAR_FE) return;
  for (int i = 0; i < 2; i++) {
    hk_gear_compliance table;
    hk_error err = {0};
    hk_status status = source == HK_GEAR_FILE ? from_file(r, item, i, &table, &err)
                                              : by_elements(r, item, &geometry, i, &table, &err);
    if (!status) status = hk_gear_pair_bring(item, i, &table, &err);
    if (status == HK_ENOMEM) r->diag->out_of_memory = true;
    if (!status) continue;
    if (!err.text[0]) return; /* reported */
    hk_diag_add(r->diag, HK_ERROR, hk_item_location(item, "compliance"),
                "compliance of gear %c of force '%s': %s", "ab"[i], item -> name, err.text);
    return;
  }
}
