/* hooke reduce: files, units, material and interfaces. */
#include "reduce/select.h"
#include "quantity.h"
#include "reduce.h"
#include <hooke/units.h>
#include "flexible/flexible_data.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *path, const char *tail) {
  size_t n = strlen(path), k = strlen(tail);
  return n > k && strcasecmp(path + n - k, tail) == 0;
}

/* ---- units ---- */

/* Systems of units of matrices: units of length, of force per length, and of mass. */
static const struct {
  const char *name;
  hk_part_units units;
} SYSTEM[] = {
    {"m-kg-s", {1, 1, 1}},
    {"mm-t-s", {1e-3, 1e3, 1e3}},
    {"mm-kg-s", {1e-3, 1, 1}},
    {"in-lbf-s", {0.0254, 175.12683524647636, 175.12683524647636}},
};

static hk_status read_unit(tool_reduce *r, bool matrices, hk_error *err) {
  const char *text = tool_value(r->args, "unit");
  if (!text)
    return hk_fail(err, HK_EINPUT, "a mesh file does not contain its unit of length; add --unit %s",
                   matrices ? "m-kg-s or --unit mm-t-s" : "mm or --unit m");
  for (size_t i = 0; i < sizeof SYSTEM / sizeof *SYSTEM; i++)
    if (strcmp(text, SYSTEM[i].name) == 0) {
      r->units = SYSTEM[i].units;
      return HK_OK;
    }
  if (matrices)
    return hk_fail(err, HK_EINPUT,
                   "--unit of matrices must be a system of units: m-kg-s (N/m, kg), mm-t-s (N/mm, "
                   "t), mm-kg-s (mN/mm, kg) or "
                   "in-lbf-s, not '%s'",
                   text);
  char one[80];
  snprintf(one, sizeof one, "1 %.60s", text);
  hk_error why = {0};
  double length;
  if (hk_quantity_parse_as(one, "m", &length, &why) || !(length > 0))
    return hk_fail(err, HK_EINPUT, "--unit must be a unit of length, such as mm, m or in, not '%s'",
                   text);
  r->units = (hk_part_units){length, 1, 1};
  return HK_OK;
}

static hk_status read_material(tool_reduce *r, hk_error *err) {
  const struct {
    const char *option, *unit, *example;
    double *value, low, high;
  } m[] = {{"young", "Pa", "\"70 GPa\"", &r->material.young, 1e4, 1e13},
           {"poisson", "1", "0.33", &r->material.poisson, -1, 0.5},
           {"density", "kg/m^3", "2700", &r->material.density, 1, 25000}};
  for (int i = 0; i < 3; i++) {
    char label[32];
    const char *text = tool_value(r->args, m[i].option);
    snprintf(label, sizeof label, "--%s", m[i].option);
    if (!text)
      return hk_fail(err, HK_EINPUT, "a mesh needs a material: %s is missing, for example %s %s",
                     label, label, m[i].example);
    hk_status status = tool_quantity(text, m[i].unit, label, m[i].value, err);
    if (status) return status;
    if (!(*m[i].value >= m[i].low && *m[i].value <= m[i].high))
      return hk_fail(err, HK_EINPUT,
                     "%s is %.4g %s, outside of the range of solids (%.4g to %.4g); a number "
                     "without a unit is in SI units",
                     label, *m[i].value, m[i].unit, m[i].low, m[i].high);
  }
  return HK_OK;
}

/* ---- files ---- */

/* Checks the unit of the mass: it is probably wrong if the mean density within the bounding box of the part is
 * improbable. */
static hk_status check_density(const tool_reduce *r, hk_error *err) {
  double mass = 0, volume = 1;
  for (size_t e = 0; e < r->A.first[r->A.n]; e++) mass += r->A.m[e];
  for (int d = 0; d < 3; d++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < r->mesh.n_nodes; i++)
      low = fmin(low, r->mesh.x[i][d]), high = fmax(high, r->mesh.x[i][d]);
    volume *= high - low;
  }
  if (mass <= 25000 * volume) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the part has a mass of %.4g kg in a box of %.4g m^3: %.3g kg/m^3 is more than "
                 "any solid; the unit (--unit) "
                 "does not fit the files",
                 mass, volume, mass / volume);
}

static hk_status read_matrices(tool_reduce *r, hk_error *err) {
  static const char *const no[] = {"young", "poisson", "density"};
  const tool_args *a = r->args;
  for (int i = 0; i < 3; i++)
    if (tool_value(a, no[i]))
      return hk_fail(err, HK_EINPUT, "the material is contained in the matrices; remove --%s",
                     no[i]);
  if (tool_flag(a, "stiffening"))
    return hk_fail(err, HK_EINPUT,
                   "stiffening by stress needs the elements; give a mesh instead of matrices, or "
                   "remove --stiffening");
  hk_status status = read_unit(r, true, err);
  if (status) return status;
  if (ends_with(a->word[0], ".sti")) {
    if (a->n_words != 1)
      return hk_fail(
          err, HK_EINPUT,
          "give only the file .sti; .mas, .dof and .inp of the same name are read with it");
    status = hk_calculix_read(a->word[0], r->units, &r->mesh, &r->A, err);
  } else {
    if (a->n_words != 3)
      return hk_fail(err, HK_EINPUT, "matrices need three files: STIFFNESS.mtx MASS.mtx NODES.csv");
    status =
        hk_matrix_market_read(a->word[0], a->word[1], a->word[2], r->units, &r->mesh, &r->A, err);
  }
  return status ? status : check_density(r, err);
}

static hk_status read_cad(tool_reduce *r, hk_error *err) {
  char mesh[1024];
  hk_private_folder folder;
  double size;
  const char *text = tool_value(r->args, "size");
  if (!text)
    return hk_fail(err, HK_EINPUT,
                   "a CAD file needs the size of the elements, for example --size 5 (in the unit "
                   "of the file)");
  char *end;
  size = strtod(text, &end);
  if (*end || !(size > 0) || !isfinite(size))
    return hk_fail(err, HK_EINPUT,
                   "--size must be a positive number in the unit of the file, not '%s'", text);
  tool_progress_work(&r->progress, "mesh", 0);
  hk_status status = tool_reduce_cad(r->args->word[0], size, &folder, mesh, err);
  if (status) return status;
  status = hk_gmsh_read(mesh, r->units.length, &r->mesh, err);
  hk_private_folder_remove(&folder);
  return status;
}

hk_status tool_reduce_read(tool_reduce *r, hk_error *err) {
  static const char *const cad[] = {".step", ".stp", ".iges", ".igs", ".brep"};
  const char *path = r->args->word[0];
  if (ends_with(path, ".mtx") || ends_with(path, ".sti")) return read_matrices(r, err);
  bool is_cad = false;
  for (size_t i = 0; i < sizeof cad / sizeof *cad; i++) is_cad = is_cad || ends_with(path, cad[i]);
  if (!is_cad && !ends_with(path, ".msh") && !ends_with(path, ".inp"))
    return hk_fail(
        err, HK_EINPUT,
        "the ending of '%s' is not supported; supported are .msh (gmsh), .inp (CalculiX, Abaqus), "
        ".mtx, .sti, .step, .iges, .brep",
        path);
  if (r->args->n_words != 1)
    return hk_fail(err, HK_EINPUT, "only one mesh can be reduced at a time; remove '%s'",
                   r->args->word[1]);
  if (!is_cad && tool_value(r->args, "size"))
    return hk_fail(err, HK_EINPUT,
                   "--size applies to CAD files only; the elements of a mesh are in its file");
  r->has_mesh = true;
  hk_status status = read_unit(r, false, err);
  if (!status) status = read_material(r, err);
  if (status) return status;
  status = is_cad                    ? read_cad(r, err)
           : ends_with(path, ".inp") ? hk_inp_read(path, r->units.length, false, &r->mesh, err)
                                     : hk_gmsh_read(path, r->units.length, &r->mesh, err);
  return status ? status : hk_part_assemble(&r->mesh, &r->material, &r->A, err);
}

/* ---- interfaces and modes ---- */

/* NAME=rigid|average|observe[:SELECTION][@X,Y,Z] */
static hk_status read_interface(tool_reduce *r, const char *given, hk_error *err) {
  char text[1024], *kind, *selection, *at;
  hk_part_interface *b = &r->interface[r->n_read];
  if (strlen(given) >= sizeof text || r->n_read == TOOL_MOST_INTERFACES)
    return hk_fail(err, HK_EINPUT, "--interface is too long, or there are more than %d",
                   TOOL_MOST_INTERFACES);
  strcpy(text, given);
  if (!(kind = strchr(text, '=')))
    return hk_fail(err, HK_EINPUT,
                   "--interface needs NAME=rigid, NAME=average or NAME=observe, not '%s'", given);
  *kind++ = 0;
  if ((at = strrchr(kind, '@'))) *at++ = 0;
  if ((selection = strchr(kind, ':'))) *selection++ = 0;
  if (!hk_flexible_name_ok(text))
    return hk_fail(err, HK_EINPUT,
                   "an interface cannot have the name '%s'; use a letter, then letters, digits and "
                   "'_', and give "
                   "the group after a colon: NAME=rigid:GROUP",
                   text);
  if (strcmp(kind, "rigid") != 0 && strcmp(kind, "average") != 0 && strcmp(kind, "observe") != 0)
    return hk_fail(err, HK_EINPUT, "interface '%s' must be rigid, average or observe, not '%s'",
                   text, kind);
  for (int i = 0; i < r->n_read; i++)
    if (strcmp(r->interface[i].name, text) == 0)
      return hk_fail(err, HK_EINPUT, "interface '%s' is given twice", text);
  *b = (hk_part_interface){.average = kind[0] == 'a', .observed = kind[0] == 'o'};
  memcpy(b->name, text, strlen(text) + 1); /* length of a name, less than HK_FLEXIBLE_NAME */
  hk_status status = hk_part_select(&r->mesh, selection ? selection : text, r->units.length,
                                    &r->node[r->n_read], &b->n, b->center, err);
  if (status) return status;
  b->node = r->node[r->n_read++];
  if (at) {
    const char *next = at;
    for (int d = 0; d < 3 && next; d++) {
      char *end;
      b->center[d] = strtod(next, &end);
      next = end == next || *end != (d < 2 ? ',' : 0) || !isfinite(b->center[d]) ? NULL : end + 1;
    }
    if (!next)
      return hk_fail(err, HK_EINPUT,
                     "the centre of interface '%s' must be three numbers after @, such as "
                     "@0,12.5,40, not '%s'",
                     text, at);
    for (int d = 0; d < 3; d++) b->center[d] *= r->units.length;
  }
  return HK_OK;
}

/* Sorts the interfaces by name; observed sets come after them. */
static int by_name(const void *a, const void *b) {
  const hk_part_interface *x = a, *y = b;
  return x->observed != y->observed ? x->observed - y->observed : strcmp(x->name, y->name);
}

/* Reads --error, a fraction; it is valid only together with a frequency, the upper limit of the range that it refers
 * to. */
static hk_status read_error(tool_reduce *r, hk_error *err) {
  const char *text = tool_value(r->args, "error");
  if (!text) return HK_OK;
  hk_status status = tool_quantity(text, "1", "--error", &r->error, err);
  if (status) return status;
  if (!(r->error >= 1e-6 && r->error < 1))
    return hk_fail(err, HK_EINPUT,
                   "--error must be a fraction between 1e-6 and 1, such as 0.01, not '%s'", text);
  if (!(r->frequency > 0))
    return hk_fail(err, HK_EINPUT,
                   "--error needs the frequency up to which it counts, such as --modes \"3 kHz\"");
  return HK_OK;
}

static hk_status read_modes(tool_reduce *r, hk_error *err) {
  const char *text = tool_value(r->args, "modes");
  char *end;
  r->n_fixed = 20;
  if (!text) return read_error(r, err);
  long n = strtol(text, &end, 10);
  if (!*end && end != text) {
    if (n < 0 || n > 500) return hk_fail(err, HK_EINPUT, "--modes must be 0 to 500, not %ld", n);
    r->n_fixed = (int)n;
    return read_error(r, err);
  }
  strtod(text, &end);
  if (end[strspn(end, " ")] == '\0')
    return hk_fail(
        err, HK_EINPUT,
        "--modes must be a whole number of modes, or a frequency with its unit (\"3 kHz\"), "
        "not '%.40s'",
        text);
  hk_status status = tool_quantity(text, "Hz", "--modes", &r->frequency, err);
  if (!status && !(r->frequency > 0))
    status = hk_fail(err, HK_EINPUT, "--modes must be a number of modes or a positive frequency");
  r->n_fixed = 500;
  return status ? status : read_error(r, err);
}

hk_status tool_reduce_options(tool_reduce *r, hk_error *err) {
  const char **given = calloc((size_t)r->args->n_given + 1, sizeof *given);
  if (!given) return hk_fail(err, HK_ENOMEM, "out of memory");
  int n = tool_values(r->args, "interface", given);
  hk_status status = HK_OK;
  for (int i = 0; i < n && !status; i++) status = read_interface(r, given[i], err);
  free(given);
  if (r->n_read) qsort(r->interface, (size_t)r->n_read, sizeof *r->interface, by_name);
  while (r->n_interfaces < r->n_read && !r->interface[r->n_interfaces].observed) r->n_interfaces++;
  return status ? status : read_modes(r, err);
}
