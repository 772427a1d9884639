/* hooke static: the equilibrium of a model. */
#include "model/model.h"
#include "linear.h"
#include <stdlib.h>
#include <string.h>

/* Replaces -0 by 0, for readable output. */
static double plain(double x) { return x == 0 ? 0 : x; }

static double value(hk_sim *sim, const hk_model *m, const char *owner, const char *what) {
  char name[600];
  snprintf(name, sizeof name, "%s.%s", owner, what);
  int channel = hk_model_channel_find(m, name);
  return channel < 0 ? NAN : plain(hk_sim_value(sim, channel));
}

/* ---- forces and moments, by owner ---- */

/* A channel and its owner, by which channels are sorted. */
typedef struct owned {
  const hk_channel *channel;
  hk_owner owner;
  int index;
} owned;

static bool is_reaction(const hk_model *m, const hk_channel *c, owned *out) {
  *out = (owned){c, c->owner, c->index};
  return c->owner == HK_OF_JOINT || c->owner == HK_OF_ROW;
}

/* Returns the force that defines this coordinate for its own use ("strut.length"), or -1. */
static int maker(const hk_model *m, const hk_channel *c) {
  for (int i = 0; i < m->n_forces; i++) {
    size_t n = strlen(m->force[i].name);
    if (m->force[i].coordinate == c->index && strncmp(c->name, m->force[i].name, n) == 0 &&
        c->name[n] == '.')
      return i;
  }
  return -1;
}

/* Returns true if a channel is a force or moment. At rest other quantities, such as powers, losses and rates, are
 * zero. */
static bool is_force(const hk_model *m, const hk_channel *c, owned *out) {
  bool length = c->owner == HK_OF_COORDINATE && c->component == HK_COORDINATE_VALUE;
  *out = (owned){c, HK_OF_FORCE, length ? maker(m, c) : c->index};
  if (c->owner == HK_OF_FORCE)
    return c->component != HK_FORCE_POWER && c->component != HK_FORCE_LOSS;
  return length && out->index >= 0;
}

static bool is_composite(const hk_model *m, const hk_channel *c, owned *out) {
  *out = (owned){c, c->owner, c->index};
  return c->owner == HK_OF_COMPOSITE;
}

static bool is_state(const hk_model *m, const hk_channel *c, owned *out) {
  *out = (owned){c, c->owner, c->index};
  return c->owner == HK_OF_STATE && c->component == 0;
}

typedef bool is_one_fn(const hk_model *m, const hk_channel *c, owned *out);
typedef struct group {
  const char *key, *heading;
  is_one_fn *is_one;
} group;
static const group STATES = {"states", "state", is_state};
static const group GROUP[] = {{"reactions", "reaction", is_reaction},
                              {"composites", "composite joint", is_composite},
                              {"forces", "force", is_force}};
enum { N_GROUPS = sizeof GROUP / sizeof *GROUP };

static size_t owner_length(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? (size_t)(dot - name) : strlen(name);
}

static int compare_owners(const void *a, const void *b) {
  const owned *p = a, *q = b;
  if (p->owner != q->owner) return p->owner < q->owner ? -1 : 1;
  if (p->index != q->index) return p->index < q->index ? -1 : 1;
  return p->channel < q->channel ? -1 : p->channel > q->channel;
}

/* Returns true if the second channel belongs to the same owner as the first, with a name of `length` characters:
 * "mesh.pair[0].load" belongs to "mesh". */
static bool continues(const owned *last, const owned *next, size_t length) {
  const char *a = last->channel->name, *b = next->channel->name;
  bool same = last->owner == next->owner && last->index == next->index;
  return strncmp(a, b, length) == 0 && (same ? b[length] == '.' : owner_length(b) == length);
}

/* Prints {"owner": {"what": value}}; the owner of "joint.fx" is "joint". */
static void print_json_group(tool_json *j, hk_sim *sim, const hk_model *m, const group *g) {
  owned *list = calloc((size_t)m->n_channels + 1, sizeof *list);
  int n = 0;
  for (int i = 0; list && i < m->n_channels; i++) n += g->is_one(m, &m->channel[i], &list[n]);
  if (list) qsort(list, (size_t)n, sizeof *list, compare_owners);
  tool_json_open(j, g->key, '{');
  size_t length = 0; /* length of the owner's name */
  for (int i = 0; i < n; i++) {
    const hk_channel *c = list[i].channel;
    if (i == 0 || !continues(&list[i - 1], &list[i], length)) {
      char owner[600];
      if (i) tool_json_close(j, '}');
      length = owner_length(c->name);
      snprintf(owner, sizeof owner, "%.*s", (int)length, c->name);
      tool_json_open(j, owner, '{');
    }
    tool_json_real(j, c->name + length + (c->name[length] == '.'),
                   hk_sim_value(sim, (int)(c - m->channel)));
  }
  if (n) tool_json_close(j, '}');
  tool_json_close(j, '}');
  free(list);
}

static const char *const POSITION[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};

static void print_json_bodies(tool_json *j, hk_sim *sim, const hk_model *m) {
  tool_json_open(j, "bodies", '{');
  for (int i = 0; i < m->n_nodes; i++) {
    const char *name = m->node[i].name;
    if (m->node[i].item->type->category != HK_BODY) continue;
    tool_json_open(j, name, '{');
    const char *freedom = m->node[i].type->free_name;
    if (freedom) tool_json_real(j, freedom, value(sim, m, name, freedom));
    for (int k = 0; k < 7; k++) {
      double x = value(sim, m, name, POSITION[k]);
      if (!isnan(x)) tool_json_real(j, POSITION[k], x);
    }
    tool_json_close(j, '}');
  }
  tool_json_close(j, '}');
}

static void print_json_states(tool_json *j, hk_sim *sim, const hk_model *m) {
  tool_json_open(j, "states", '{');
  owned o;
  for (int i = 0; i < m->n_channels; i++)
    if (is_state(m, &m->channel[i], &o))
      tool_json_real(j, m->channel[i].name, hk_sim_value(sim, i));
  tool_json_close(j, '}');
}

static void print_json(tool_linear *t) {
  tool_json j = {.out = stdout};
  const hk_static_report *r = &t->at;
  tool_linear_json_begin(&j, t);
  tool_json_real(&j, "residual", r->residual.size);
  tool_json_text(&j, "residual_unit", r->residual.moment ? "N m" : "N");
  tool_json_text(&j, "residual_body", r->residual.body ? r->residual.body : "");
  tool_json_real(&j, "relative_residual", r->residual.relative);
  tool_json_real(&j, "residual_as_placed", r->start.size);
  tool_json_int(&j, "newton", r->newton);
  tool_json_int(&j, "relaxation", r->relaxation);
  tool_json_real(&j, "moved", r->moved);
  tool_json_real(&j, "turned", r->turned);
  tool_json_int(&j, "redundant", r->redundant);
  if (t->sim) {
    print_json_bodies(&j, t->sim, t->model.model);
    print_json_states(&j, t->sim, t->model.model);
    for (int i = 0; i < N_GROUPS; i++) print_json_group(&j, t->sim, t->model.model, &GROUP[i]);
  }
  tool_linear_json_messages(&j, &t->model.diag);
  tool_json_close(&j, '}');
  putchar('\n');
}

static void print_positions(hk_sim *sim, const hk_model *m, int width) {
  printf("%-*s %14s %14s %14s\n", width, "position [m]", "x", "y", "z");
  for (int i = 0; i < m->n_nodes; i++) {
    const char *name = m->node[i].name;
    const hk_node_type *type = m->node[i].type;
    if (type->free_name)
      printf("%-*s %14.9g %s\n", width, name, value(sim, m, name, type->free_name),
             type->free_relation->angular ? "rad" : "m");
    else if (type->records != HK_RECORDS_NONE)
      printf("%-*s %14.9g %14.9g %14.9g\n", width, name, value(sim, m, name, "x"),
             value(sim, m, name, "y"), value(sim, m, name, "z"));
  }
}

static bool is_printed(const hk_model *m, int channel, const group *g) {
  owned o;
  return m->channel[channel].show == HK_SHOW_FIRST && g->is_one(m, &m->channel[channel], &o);
}

static void print_group(hk_sim *sim, const hk_model *m, const group *g, int width) {
  bool any = false;
  for (int i = 0; i < m->n_channels; i++) {
    if (!is_printed(m, i, g)) continue;
    if (!any) printf("%-*s %14s\n", width, g->heading, "value");
    any = true;
    printf("%-*s %14.9g %s\n", width, m->channel[i].name, plain(hk_sim_value(sim, i)),
           m->channel[i].unit);
  }
}

static void print_report(tool_linear *t) {
  const hk_model *m = t->model.model;
  const hk_static_report *r = &t->at;
  size_t width = 14;
  for (int i = 0; i < m->n_channels; i++)
    for (int g = 0; g < N_GROUPS; g++)
      if (is_printed(m, i, &GROUP[g]) && strlen(m->channel[i].name) > width)
        width = strlen(m->channel[i].name);
  for (int i = 0; i < m->n_nodes; i++)
    if (strlen(m->node[i].name) > width) width = strlen(m->node[i].name);
  if (m->title && m->title[0]) tool_put(stdout, m->title), putchar('\n');
  print_positions(t->sim, m, (int)width);
  print_group(t->sim, m, &STATES, (int)width);
  for (int g = 0; g < N_GROUPS; g++) print_group(t->sim, m, &GROUP[g], (int)width);
  if (r->redundant)
    printf("%d redundant constraint%s: reactions of least norm\n", r->redundant,
           r->redundant == 1 ? "" : "s");
  printf(
      "largest residual %.3g %s on '%s' (%.2g of its loads); moved %.4g m, %.4g rad in %d Newton "
      "and %d "
      "relaxation steps\n",
      r->residual.size, r->residual.moment ? "N m" : "N", r->residual.body, r->residual.relative,
      r->moved, r->turned, r->newton, r->relaxation);
}

static int run(const tool_args *args) {
  tool_linear t = {0};
  t.status = tool_model_load(&t.model, args);
  t.at = (hk_static_report){.start.body = "", .residual.body = ""};
  if (!t.status)
    t.status = hk_static_solve(t.model.model, NULL, &t.sim, &t.at, &t.model.diag, &t.error);
  int code = tool_linear_report(&t);
  if (tool_flag(args, "json"))
    print_json(&t);
  else if (!t.status)
    print_report(&t);
  tool_linear_free(&t);
  return code;
}

static const tool_option options[] = {
    TOOL_SET_OPTION,
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_static = {
    .name = "static",
    .arguments = "MODEL",
    .summary = "find the equilibrium of a model and its reactions",
    .text =
        "Closes the joints of the model, holds motions at the start time, sets all velocities to "
        "zero and searches for a nearby equilibrium: Newton's method with a line search, then "
        "overdamped relaxation. Prints positions of the bodies, reactions of the joints "
        "(force and moment on side b, world axes), forces and moments of composite joints on both "
        "sides, and "
        "the forces of springs, bushings and loads with the lengths of springs. `hooke types NAME` "
        "describes them; --json also has the components, in world and local axes.\n"
        "\n"
        "With redundant constraints the reactions are not unique; those of minimum norm are given, "
        "with a note. If no equilibrium is found the message gives the largest force that "
        "remains and the body it acts on.\n"
        "\n"
        "An equilibrium may be unstable: check it with `hooke modes`.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\", \"error\": text if failed,\n"
        "   \"residual\": number, \"residual_unit\": \"N\" | \"N m\", \"residual_body\": name,\n"
        "   \"relative_residual\": number, \"residual_as_placed\": number,\n"
        "   \"newton\": n, \"relaxation\": n, \"moved\": m, \"turned\": rad, \"redundant\": n,\n"
        "   \"bodies\": {name: {\"x\": m, ..., \"qw\": number, ...}},\n"
        "   \"states\": {name: value},\n"
        "   \"reactions\": {joint: {\"fx\": N, ..., \"tx\": N m, ..., \"local_fx\": N,\n"
        "   \"local_fy\": N, \"local_fz\": N, \"local_tx\": N m, \"local_ty\": N m, \"local_tz\": "
        "N m}},\n"
        "   \"composites\": {joint: {\"torque_a\": N m, ...}},\n"
        "   \"forces\": {force: {\"force\": N, \"energy\": J, \"length\": m, \"fx\": N, ...}},\n"
        "   \"errors\": [text], \"warnings\": [text], \"notes\": [text]}\n"
        "\n"
        "Exit status: 0 found, 1 not found, 2 bad input.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke static suspension.yaml\n"
        "  hooke static suspension.yaml --set load=\"200 kg\" --json\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
