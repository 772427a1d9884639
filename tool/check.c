/* hooke check: read, compile and assemble a model without running it. */
#include "command.h"
#include "model/model.h"
#include "json.h"
#include "load.h"
#include <stdlib.h>
#include <string.h>

typedef struct facts {
  bool assembled;
  hk_sim_stats stats;
  const char *stepper;
} facts;

static void print_json_messages(tool_json *j, const hk_diag *d, const char *key, hk_severity s) {
  tool_json_open(j, key, '[');
  for (int i = 0; i < d->n; i++) {
    char text[2048];
    if (d->message[i].severity != s) continue;
    hk_diag_format(&d->message[i], text, sizeof text);
    tool_json_text(j, NULL, text);
  }
  tool_json_close(j, ']');
}

static const char *const SHOWN[HK_N_SHOW] = {"first", "details", "inside"};

static void print_channels(const hk_model *m) {
  static const char *const heading[HK_N_SHOW] = {
      "", "# details", "# inside composite joints: recorded if --record names them"};
  size_t width = 0;
  for (int i = 0; i < m->n_channels; i++)
    if (strlen(m->channel[i].name) > width) width = strlen(m->channel[i].name);
  for (int i = 0; i < m->n_channels; i++) {
    const hk_channel *c = &m->channel[i];
    if (i && c->show != c[-1].show) printf("\n%s\n", heading[c->show]);
    printf("%-*s  %-9s %s\n", (int)width, c->name, c->unit, c->doc);
  }
}

static void print_json(const tool_model *t, const facts *f, const char *error, bool channels) {
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "status", error ? "failed" : "ok");
  if (error) tool_json_text(&j, "error", error);
  const hk_model *m = t->model;
  if (m) {
    for (int c = 0; c < HK_ANALYSIS; c++)
      tool_json_int(&j, hk_category_section((hk_category)c), m->spec->n[c]);
    tool_json_int(&j, "coordinates", m->nv);
    tool_json_int(&j, "constraints", m->nc);
    tool_json_int(&j, "n_channels", m->n_channels);
  }
  if (f->assembled) {
    tool_json_int(&j, "redundant", f->stats.redundant);
    tool_json_int(&j, "degrees_of_freedom", m->nv - m->nc + f->stats.redundant);
    tool_json_real(&j, "constraint_error", f->stats.constraint_error);
    tool_json_text(&j, "stepper", f->stepper);
  }
  if (m && channels) {
    tool_json_open(&j, "channels", '[');
    for (int i = 0; i < m->n_channels; i++) {
      tool_json_open(&j, NULL, '{');
      tool_json_text(&j, "name", m->channel[i].name);
      tool_json_text(&j, "unit", m->channel[i].unit);
      tool_json_text(&j, "doc", m->channel[i].doc);
      tool_json_text(&j, "show", SHOWN[m->channel[i].show]);
      tool_json_close(&j, '}');
    }
    tool_json_close(&j, ']');
  }
  print_json_messages(&j, &t->diag, "errors", HK_ERROR);
  print_json_messages(&j, &t->diag, "warnings", HK_WARNING);
  tool_json_close(&j, '}');
  putchar('\n');
}

static void print_facts(const hk_model *m, const facts *f) {
  if (m->title && m->title[0]) {
    tool_put(stdout, m->title);
    putchar('\n');
  }
  for (int c = 0; c < HK_ANALYSIS; c++)
    if (m->spec->n[c]) printf("%-20s %6d\n", hk_category_section((hk_category)c), m->spec->n[c]);
  printf("%-20s %6d\n", "coordinates", m->nv);
  printf("%-20s %6d\n", "constraints", m->nc);
  printf("%-20s %6d\n", "redundant", f->stats.redundant);
  printf("%-20s %6d\n", "degrees of freedom", m->nv - m->nc + f->stats.redundant);
  printf("%-20s %6d\n", "channels", m->n_channels);
  printf("%-20s %6.1g m or rad, after assembly\n", "constraint error", f->stats.constraint_error);
}

static hk_status assemble(tool_model *t, facts *f, hk_error *err) {
  hk_status status = HK_OK;
  /* A model without an analysis can be checked too. */
  if (t->model->spec->n[HK_ANALYSIS]) status = hk_run_check(t->model, &t->diag);
  if (status) return hk_fail(err, status, "out of memory");
  hk_sim *sim;
  /* A check executes no code of FMUs: they start with the first step. */
  const hk_sim_options o = {.no_stepping = t->model->spec->n[HK_FMU] > 0};
  status = hk_sim_create(t->model, &o, &sim, &t->diag, err);
  if (status) return status;
  *f = (facts){true, hk_sim_statistics(sim), hk_sim_stepper_name(sim)};
  hk_sim_destroy(sim);
  return HK_OK;
}

static int run(const tool_args *args) {
  tool_model t;
  facts f = {0};
  hk_error err = {0};
  hk_status status = tool_model_load(&t, args);
  if (!status) status = assemble(&t, &f, &err);
  if (status && t.diag.n_errors == 0 && !t.diag.out_of_memory) tool_model_failed(&t, &err);
  tool_print_diag(&t.diag, 0);
  char *error = status ? tool_first_error(&t.diag) : NULL;
  bool channels = tool_flag(args, "channels");
  if (tool_flag(args, "json"))
    print_json(&t, &f, status && !error ? "out of memory" : error, channels);
  else if (!status && channels)
    print_channels(t.model);
  else if (!status)
    print_facts(t.model, &f);
  free(error);
  tool_model_free(&t);
  /* A model that cannot be assembled counts as invalid input, whatever the cause is. */
  return tool_exit_code(status == HK_EFAIL || status > 0 ? HK_EINPUT : status);
}

static const tool_option options[] = {
    TOOL_SET_OPTION,
    {0, "channels", NULL,
     "list the name, unit and meaning of every channel instead, the useful ones first", false},
    {0, "json", NULL, "print as one JSON object", false},
};

const tool_command tool_command_check = {
    .name = "check",
    .arguments = "MODEL",
    .summary = "read and assemble a model without running it",
    .text =
        "Reads the model file (\"-\": standard input), closes its joints and lists its contents: "
        "bodies, joints, coordinates, constraints, which of them are redundant, and "
        "the "
        "degrees of freedom that remain. Errors and warnings give their location in the file.\n"
        "\n"
        "With --json, standard output is one object:\n"
        "\n"
        "  {\"status\": \"ok\" | \"failed\", \"error\": text if failed, how many \"bodies\",\n"
        "   \"joints\", \"forces\", \"laws\", \"contacts\", \"motions\", \"tables\", \"inputs\",\n"
        "   \"states\", \"sensors\", \"shapes\", \"fmus\", \"events\", \"measures\": n,\n"
        "   \"coordinates\": n,\n"
        "   \"constraints\": n, \"n_channels\": n, \"redundant\": n, \"degrees_of_freedom\": n,\n"
        "   \"constraint_error\": m or rad, \"stepper\": name, \"channels\" (with --channels):\n"
        "   [{\"name\": text, \"unit\": text, \"doc\": text, \"show\": first | details | "
        "inside}],\n"
        "   \"errors\": [text], \"warnings\": [text]}\n"
        "\n"
        "Exit status: 0 the model can be run, 2 it has errors.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke check pendulum.yaml\n"
        "  hooke check pendulum.yaml --channels | grep bob\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
