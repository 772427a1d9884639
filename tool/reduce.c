/* hooke reduce: a flexible body from a finite-element mesh or from matrices. */
#include "reduce.h"
#include "base/file.h"
#include "base/sha256.h"
#include "json.h"
#include "orbit.h"
#include "prepare/body_file.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool tell(void *context, const hk_progress *now) {
  tool_progress_work(context, now->what, now->done);
  return !tool_stop_signal();
}

/* A rigid interface may connect separate parts of a mesh. */
static hk_status check_connected(const tool_reduce *r, hk_error *err) {
  int *join = calloc((size_t)r->A.n + 1, sizeof *join);
  if (!join) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < r->n_interfaces; i++)
    for (int k = 0; k < r->interface[i].n && !r->interface[i].average; k++)
      join[r->interface[i].node[k]] = i + 1;
  hk_status status = hk_part_check_connected(&r->A, (const double(*)[3])r->mesh.x, join, err);
  free(join);
  return status;
}

/* Adds the bytes of a file to a hash. */
static hk_status add_file(hk_sha256 *sum, const char *path, hk_error *err) {
  char bytes[4096];
  size_t n;
  FILE *f = hk_file_open(path);
  if (!f) return hk_fail(err, HK_EIO, "cannot read '%s': %s", path, hk_file_trouble(errno));
  while ((n = fread(bytes, 1, sizeof bytes, f)) > 0) hk_sha256_add(sum, bytes, n);
  fclose(f);
  return HK_OK;
}

/* Returns the command as one line, and the hash of its options and of all input files. */
static hk_status describe(tool_reduce *r, hk_error *err) {
  char text[2000] = "hooke reduce", path[1024], *hash = HK_NEW_ARRAY(&r->arena, char, 65);
  unsigned char digest[32];
  hk_sha256 sum;
  hk_sha256_begin(&sum);
  for (int i = 0; i < r->args->n_words; i++) {
    size_t used = strlen(text), n = strlen(r->args->word[i]);
    snprintf(text + used, sizeof text - used, " %s", r->args->word[i]);
    hk_status status = add_file(&sum, r->args->word[i], err);
    static const char *const together[] = {"mas", "dof", "inp"};
    bool calculix = n > 4 && n < sizeof path && strcasecmp(r->args->word[i] + n - 4, ".sti") == 0;
    for (int k = 0; k < 3 && calculix && !status; k++) {
      memcpy(path, r->args->word[i], n + 1);
      memcpy(path + n - 3, together[k], 3);
      status = add_file(&sum, path, err);
    }
    if (status) return status;
  }
  for (int i = 0; i < r->args->n_given; i++) {
    const tool_given *g = &r->args->given[i];
    size_t used = strlen(text);
    if (strcmp(g->option->name, "output") == 0 || strcmp(g->option->name, "json") == 0 ||
        strcmp(g->option->name, "quiet") == 0)
      continue;
    snprintf(text + used, sizeof text - used, " --%s%s%s", g->option->name, g->value ? " " : "",
             g->value ? g->value : "");
    hk_sha256_add_text(&sum, g->option->name);
    hk_sha256_add_text(&sum, g->value ? g->value : "");
  }
  hk_sha256_end(&sum, digest);
  r->data.source = hk_arena_strdup(&r->arena, text);
  if (!hash || !r->data.source) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < 32; i++) snprintf(hash + 2 * i, 3, "%02x", digest[i]);
  r->data.hash = hash;
  return HK_OK;
}

static void warn(const tool_reduce *r) {
  int linear = 0;
  for (int e = 0; e < r->mesh.n_elements; e++)
    linear += hk_solid_types[r->mesh.kind[e]].nodes == hk_solid_types[r->mesh.kind[e]].corners;
  if (linear)
    tool_warning(
        "%d of %d elements are of first order, which are much too stiff in bending; mesh with "
        "second order (gmsh -order 2)",
        linear, r->mesh.n_elements);
  if (fmax(r->report.size[0], fmax(r->report.size[1], r->report.size[2])) > 50)
    tool_warning("the part is %.4g x %.4g x %.4g m large; check --unit", r->report.size[0],
                 r->report.size[1], r->report.size[2]);
}

static hk_status make(tool_reduce *r, hk_error *err) {
  const char *output = tool_value(r->args, "output");
  if (!output) return hk_fail(err, HK_EINPUT, "no output file; use -o FILE.h5");
  hk_status status = tool_reduce_read(r, err);
  if (!status) status = tool_outputs_check(r->args, err);
  if (!status) status = tool_reduce_options(r, err);
  if (!status) status = check_connected(r, err);
  if (status) return status;
  hk_reduce_task task = {.A = &r->A,
                         .x = (const double(*)[3])r->mesh.x,
                         .label = r->mesh.label,
                         .n_interfaces = r->n_interfaces,
                         .interface = r->interface,
                         .n_observed = r->n_read - r->n_interfaces,
                         .observed = r->interface + r->n_interfaces,
                         .n_fixed = r->n_fixed,
                         .frequency = r->frequency,
                         .error = r->error,
                         .stiffening = tool_flag(r->args, "stiffening"),
                         .mesh = r->has_mesh ? &r->mesh : NULL,
                         .material = &r->material,
                         .surface = r->has_mesh,
                         .progress = tell,
                         .context = &r->progress};
  status = hk_reduce(&task, &r->arena, &r->data, &r->report, err);
  if (!status) status = describe(r, err);
  if (!status) status = hk_body_file_write(output, &r->data, err);
  return status;
}

static int run(const tool_args *args) {
  tool_reduce *r = calloc(1, sizeof *r);
  if (!r) return tool_exit_code(HK_ENOMEM);
  hk_error err = {0};
  bool json = tool_flag(args, "json");
  r->args = args;
  hk_arena_init(&r->arena);
  tool_catch_signals();
  tool_progress_begin(&r->progress, tool_flag(args, "quiet"));
  hk_status status = make(r, &err);
  tool_progress_end(&r->progress);
  if (status) {
    tool_error("%s", err.text);
    if (json) {
      tool_json j = {.out = stdout};
      tool_json_open(&j, NULL, '{');
      tool_json_text(&j, "status", status == HK_STOPPED ? "stopped" : "failed");
      tool_json_text(&j, "error", err.text);
      tool_json_close(&j, '}');
      putchar('\n');
    }
  } else {
    warn(r);
    if (json)
      tool_reduce_json(r, stdout);
    else
      tool_reduce_print(r, stdout);
  }
  for (int i = 0; i < r->n_read; i++) free(r->node[i]);
  hk_arena_free(&r->arena);
  hk_nodal_matrix_free(&r->A);
  hk_part_mesh_free(&r->mesh);
  free(r);
  return status == HK_STOPPED && tool_stop_signal() ? 128 + tool_stop_signal()
                                                    : tool_exit_code(status);
}

static const tool_option options[] = {
    {0, "unit", "U",
     "unit of the files: of length for a mesh (mm, m), a system for matrices (mm-t-s, m-kg-s)",
     false},
    {0, "young", "E", "Young's modulus, such as \"70 GPa\"", false},
    {0, "poisson", "NU", "Poisson's ratio", false},
    {0, "density", "RHO", "density, such as \"2700 kg/m^3\"", false},
    {0, "interface", "SPEC",
     "NAME=rigid, NAME=average or NAME=observe, then :SELECTION and @X,Y,Z; may be repeated", true},
    {0, "modes", "N",
     "number of modes with held interfaces, or all up to a frequency (\"3 kHz\"); default 20",
     false},
    {0, "error", "E",
     "with --modes as a frequency: take as many modes as keep the estimated error of the free "
     "frequencies up to it below this, such "
     "as 0.01",
     false},
    {0, "stiffening", NULL, "compute the stiffening by stresses too (blades, rods, rotating parts)",
     false},
    {0, "size", "L", "size of the elements for a CAD file, in its unit", false},
    {'o', "output", "FILE", "the body (.h5), for bodies of type flexible_body", false},
    {'q', "quiet", NULL, "no progress line", false},
    {0, "json", NULL, "print as one JSON object, in SI units", false},
};

const tool_command tool_command_reduce = {
    .name = "reduce",
    .arguments = "FILE...",
    .summary = "a flexible body from a finite-element mesh, from matrices or from CAD",
    .text =
        "Reduces a part to its interfaces and its lowest modes and writes a file for bodies of "
        "type flexible_body. The part is a "
        "mesh (.msh of gmsh, format 2.2 or 4.1 as text; .inp of CalculiX or Abaqus), matrices "
        "(STIFFNESS.mtx MASS.mtx NODES.csv; "
        "PART.sti of CalculiX with .mas, .dof and .inp), or a CAD file (.step, .iges, .brep), "
        "which gmsh meshes.\n"
        "\n"
        "An interface is a set of nodes at which joints and forces are attached. Its six motions "
        "are kept exactly. A rigid one moves "
        "as a rigid body, which stiffens the part there; an averaging one follows the mean motion "
        "of its nodes. SELECTION is one of\n"
        "\n"
        "  GROUP                                   a physical group or a node set; default: NAME\n"
        "  cylinder(x,y,z; ax,ay,az; r)            all nodes within the radius of an axis\n"
        "  cylinder(x,y,z; ax,ay,az; r; length)    the same, centred at the point\n"
        "  plane(x,y,z; nx,ny,nz)                  all nodes on a plane\n"
        "  nodes(1,2,3)                            nodes by their numbers\n"
        "\n"
        "and @X,Y,Z is the point of the interface, in the unit of the file; default: the mean of "
        "the nodes, or the point of the "
        "cylinder.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\" | \"stopped\", \"error\": text if failed,\n"
        "   \"nodes\": n, \"elements\": n, \"size\": [m, m, m], \"mass\": kg, \"center\": [m, m, "
        "m],\n"
        "   \"inertia\": [kg m^2, 3 x 3 by rows], \"rigid_frequencies\": [Hz, six],\n"
        "   \"fixed_frequencies\": [Hz] with held interfaces, \"free_frequencies\": [Hz] of the "
        "free body,\n"
        "   \"half_frequencies\": [Hz] of the free body with half of the fixed modes,\n"
        "   \"valid_to\": Hz, \"interfaces\": {name: {\"kind\": text, \"nodes\": n, \"center\": "
        "[m, m, m]}}}\n"
        "\n"
        "Exit status: 0 done, 1 the computation failed, 2 bad input, 130 stopped by Ctrl-C, 143 by "
        "SIGTERM.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke reduce bracket.msh --unit m --young \"70 GPa\" --poisson 0.33 --density 2700 "
        "--interface hub=rigid --interface "
        "hole=average -o bracket.h5\n"
        "  hooke reduce K.mtx M.mtx nodes.csv --unit mm-t-s --interface \"a=rigid:plane(0,0,0; "
        "1,0,0)\" --modes 12 -o part.h5\n"
        "  hooke reduce rod.step --unit mm --size 4 --young \"210 GPa\" --poisson 0.3 --density "
        "7850 --interface "
        "\"big=average:cylinder(0,0,0; 0,0,1; 20)\" --stiffening -o rod.h5\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 3,
    .run = run,
};
