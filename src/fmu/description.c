/* modelDescription.xml of FMI 2.0 and 3.0: see private.h. */
#include "fmu/private.h"
#include "integrator/continuous.h"
#include "sim/sim.h"
#include <math.h>
#include <string.h>

const char *hk_fmu_input_name(const hk_fmu *f, int i) {
  return hk_model_input_name(f->model, f->input.index[i]);
}
const char *hk_fmu_output_name(const hk_fmu *f, int i) {
  return hk_model_channel_name(f->model, f->output.index[i]);
}
void hk_fmu_parameter_name(const hk_fmu *f, int i, char *name, size_t size) {
  hk_parameter p = {.name = ""};
  hk_model_parameter(f->model, f->parameter.index[i], &p);
  bool taken = hk_model_channel_find(f->model, p.name) >= 0;
  snprintf(name, size, "%s%s", taken ? "parameters." : "", p.name);
}
unsigned hk_fmu_input_reference(const hk_fmu *f, int i) {
  (void)f;
  return 1 + (unsigned)i;
}
unsigned hk_fmu_output_reference(const hk_fmu *f, int i) {
  return hk_fmu_input_reference(f, f->input.n) + (unsigned)i;
}
unsigned hk_fmu_parameter_reference(const hk_fmu *f, int i) {
  return hk_fmu_output_reference(f, f->output.n) + (unsigned)i;
}
unsigned hk_fmu_rate_reference(const hk_fmu *f, int i) {
  return hk_fmu_parameter_reference(f, f->parameter.n) + (unsigned)i;
}

unsigned hk_fmu_continuous_reference(const hk_fmu *f, int i) {
  return hk_fmu_rate_reference(f, f->input.n) + (unsigned)i;
}

static int n_states(const hk_fmu *f) {
  return f->option.exchange ? hk_continuous_count(f->model) : 0;
}
/* FMI 2.0 has no variables for event indicators, only their number. */
static int n_indicators(const hk_fmu *f) {
  return f->option.exchange ? hk_continuous_switch_count(f->model) : 0;
}

/* FMI 2.0 counts variables from 1 in their order, which is the order of the value references. In FMI 2.0 the rates of
 * inputs are not variables. */
static unsigned place(const hk_fmu *f, unsigned reference) {
  if (f->option.fmi == 3) return reference;
  return reference + 1 -
         (reference >= hk_fmu_continuous_reference(f, 0) ? (unsigned)f->input.n : 0);
}

/* One variable; a start value of NaN: no start value. */
typedef struct variable {
  const char *name, *doc, *unit;
  unsigned reference;
  const char *causality, *variability, *initial; /* initial may be NULL */
  double start;
  int derivative; /* value reference of the variable of which this is the derivative; -1: not a derivative */
  double nominal;       /* 0: none */
  int size;             /* number of elements of an array; 0: a single number */
  const double *starts; /* [size], or NULL */
} variable;

static void attribute(hk_fmu_text *t, const char *name, const char *text) {
  hk_fmu_add(t, " %s=\"", name);
  hk_fmu_xml(t, text);
  hk_fmu_add(t, "\"");
}

static void numbers(hk_fmu_text *t, const variable *v) {
  const char *display = v->unit ? hk_fmu_display_unit(v->unit) : NULL;
  if (v->unit && strcmp(v->unit, "1") != 0) attribute(t, "unit", v->unit);
  if (display) attribute(t, "displayUnit", display);
  if (v->nominal > 0) {
    hk_fmu_add(t, " nominal=\"");
    hk_fmu_number(t, v->nominal);
    hk_fmu_add(t, "\"");
  }
  if (isnan(v->start)) return;
  hk_fmu_add(t, " start=\"");
  for (int i = 0; i < v->size && v->starts; i++) {
    hk_fmu_add(t, i ? " " : "");
    hk_fmu_number(t, v->starts[i]);
  }
  if (!v->starts) hk_fmu_number(t, v->start);
  hk_fmu_add(t, "\"");
}

static void put(const hk_fmu *f, hk_fmu_text *t, const variable *v) {
  hk_fmu_add(t, f->option.fmi == 2 ? "    <ScalarVariable" : "    <Float64");
  attribute(t, "name", v->name);
  hk_fmu_add(t, " valueReference=\"%u\"", v->reference);
  if (v->doc && *v->doc) attribute(t, "description", v->doc);
  hk_fmu_add(t, " causality=\"%s\" variability=\"%s\"", v->causality, v->variability);
  if (v->initial) hk_fmu_add(t, " initial=\"%s\"", v->initial);
  if (f->option.fmi == 2) hk_fmu_add(t, "><Real");
  if (v->derivative >= 0) hk_fmu_add(t, " derivative=\"%u\"", place(f, (unsigned)v->derivative));
  numbers(t, v);
  if (v->size)
    hk_fmu_add(t, "><Dimension start=\"%d\"/></Float64>\n", v->size);
  else
    hk_fmu_add(t, f->option.fmi == 2 ? "/></ScalarVariable>\n" : "/>\n");
}

/* Writes the elements of an array as a list: "arm.x, arm.y, arm.z". */
static void describe_array(const hk_fmu *f, const hk_fmu_array *a, char *doc, size_t size) {
  doc[0] = '\0';
  for (int i = a->first; i < a->first + a->n; i++) {
    size_t used = strlen(doc);
    const char *name = a->input ? hk_fmu_input_name(f, i) : hk_fmu_output_name(f, i);
    snprintf(doc + used, size - used, "%s%s", used ? ", " : "", name);
  }
}

static void put_input(const hk_fmu *f, hk_fmu_text *t, int i) {
  const hk_fmu_array *a = hk_fmu_array_of(f, true, i);
  char doc[400];
  double starts[HK_FMU_MAX_ELEMENTS];
  for (int k = 0; a && k < a->n; k++)
    starts[k] = hk_sim_input_get(f->sim, f->input.index[a->first + k]);
  if (a) describe_array(f, a, doc, sizeof doc);
  put(f, t,
      &(variable){.name = a ? a->name : hk_fmu_input_name(f, i),
                  .doc = a ? doc : NULL,
                  .unit = hk_fmu_unit(f, true, i),
                  .reference = hk_fmu_input_reference(f, i),
                  .causality = "input",
                  .variability = "continuous",
                  .start = hk_sim_input_get(f->sim, f->input.index[i]),
                  .derivative = -1,
                  .size = a ? a->n : 0,
                  .starts = a ? starts : NULL});
}

static void put_inputs(const hk_fmu *f, hk_fmu_text *t) {
  for (int i = 0; i < f->input.n; i++)
    if (hk_fmu_is_variable(f, true, i)) put_input(f, t, i);
}

static void put_outputs(const hk_fmu *f, hk_fmu_text *t) {
  char doc[400];
  for (int i = 0; i < f->output.n; i++) {
    const hk_fmu_array *a = hk_fmu_array_of(f, false, i);
    if (!hk_fmu_is_variable(f, false, i)) continue;
    if (a) describe_array(f, a, doc, sizeof doc);
    put(f, t,
        &(variable){.name = a ? a->name : hk_fmu_output_name(f, i),
                    .doc = a ? doc : hk_model_channel_doc(f->model, f->output.index[i]),
                    .unit = hk_fmu_unit(f, false, i),
                    .reference = hk_fmu_output_reference(f, i),
                    .causality = "output",
                    .variability = "continuous",
                    .initial = "calculated",
                    .start = NAN,
                    .derivative = -1,
                    .size = a ? a->n : 0});
  }
}

static void put_rates(const hk_fmu *f, hk_fmu_text *t) {
  for (int i = 0; i < f->input.n && f->option.rates; i++) {
    const hk_fmu_array *a = hk_fmu_array_of(f, true, i);
    char name[200];
    if (!hk_fmu_is_variable(f, true, i)) continue;
    snprintf(name, sizeof name, "der(%s)", a ? a->name : hk_fmu_input_name(f, i));
    put(f, t,
        &(variable){.name = name,
                    .doc = "rate of the input from this communication point on",
                    .reference = hk_fmu_rate_reference(f, i),
                    .causality = "input",
                    .variability = "continuous",
                    .start = 0,
                    .derivative = (int)hk_fmu_input_reference(f, i),
                    .size = a ? a->n : 0});
  }
}

/* States, derivatives and event indicators are local variables. */
static void put_continuous(const hk_fmu *f, hk_fmu_text *t) {
  char name[300];
  int n = n_states(f);
  variable v = {.name = name, .causality = "local", .variability = "continuous", .start = NAN};
  v.initial = "calculated";
  for (int i = 0; i < 2 * n; i++) {
    hk_state_entry e;
    bool rate = i >= n;
    hk_continuous_entry(f->model, i - (rate ? n : 0), rate, &e);
    snprintf(name, sizeof name, rate ? "der(states.%s)" : "states.%s", e.name);
    v.unit = e.unit;
    v.reference = hk_fmu_continuous_reference(f, i);
    v.derivative = rate ? (int)hk_fmu_continuous_reference(f, i - n) : -1;
    v.nominal = rate ? 0 : hk_continuous_nominal(f->model, i);
    put(f, t, &v);
  }
  v = (variable){.name = name, .causality = "local", .variability = "continuous", .start = NAN};
  v.doc = "changes its sign where a load switches or a contact opens or closes";
  v.initial = "calculated", v.derivative = -1;
  for (int i = 0; i < n_indicators(f) && f->option.fmi == 3; i++) {
    snprintf(name, sizeof name, "events[%d]", i + 1);
    v.reference = hk_fmu_continuous_reference(f, 2 * n + i);
    put(f, t, &v);
  }
}

static void put_variables(const hk_fmu *f, hk_fmu_text *t) {
  char name[200];
  hk_fmu_add(t, "  <ModelVariables>\n");
  put(f, t,
      &(variable){.name = "time",
                  .unit = "s",
                  .causality = "independent",
                  .variability = "continuous",
                  .start = NAN,
                  .derivative = -1});
  put_inputs(f, t);
  put_outputs(f, t);
  for (int i = 0; i < f->parameter.n; i++) {
    hk_parameter p;
    hk_fmu_parameter_name(f, i, name, sizeof name);
    if (hk_model_parameter(f->model, f->parameter.index[i], &p)) continue;
    put(f, t,
        &(variable){.name = name,
                    .unit = p.unit,
                    .reference = hk_fmu_parameter_reference(f, i),
                    .causality = "parameter",
                    .variability = "tunable",
                    .initial = "exact",
                    .start = p.value,
                    .derivative = -1});
  }
  if (f->option.fmi == 3) put_rates(f, t);
  put_continuous(f, t);
  hk_fmu_add(t, "  </ModelVariables>\n");
}

/* ---- structure ---- */

/* Writes the entry of an unknown (an output or a derivative) without a list of dependencies. According to the FMI
 * standard, such an unknown depends on all known variables. */
static void put_unknown(const hk_fmu *f, hk_fmu_text *t, const char *three, unsigned reference) {
  if (f->option.fmi == 2)
    hk_fmu_add(t, "      <Unknown index=\"%u\"/>\n", place(f, reference));
  else
    hk_fmu_add(t, "    <%s valueReference=\"%u\"/>\n", three, reference);
}

static void put_output(const hk_fmu *f, hk_fmu_text *t, int i) {
  const hk_fmu_array *a = hk_fmu_array_of(f, false, i);
  bool direct = false;
  for (int k = i; k < i + (a ? a->n : 1); k++)
    direct = direct || hk_model_channel_depends(f->model, f->output.index[k]) & HK_DEPENDS_INPUT;
  const char *blank = "";
  if (f->option.exchange && direct) { /* on all inputs and states */
    put_unknown(f, t, "Output", hk_fmu_output_reference(f, i));
    return;
  }
  hk_fmu_add(t, f->option.fmi == 2 ? "      <Unknown index" : "    <Output valueReference");
  hk_fmu_add(t, "=\"%u\" dependencies=\"", place(f, hk_fmu_output_reference(f, i)));
  for (int k = 0; k < f->input.n && direct; k++) {
    if (!hk_fmu_is_variable(f, true, k)) continue;
    hk_fmu_add(t, "%s%u", blank, place(f, hk_fmu_input_reference(f, k)));
    blank = " ";
  }
  for (int k = 0; k < n_states(f); k++, blank = " ")
    hk_fmu_add(t, "%s%u", blank, place(f, hk_fmu_continuous_reference(f, k)));
  hk_fmu_add(t, "\"/>\n");
}

static void put_structure(const hk_fmu *f, hk_fmu_text *t) {
  bool two = f->option.fmi == 2;
  int n = n_states(f);
  hk_fmu_add(t, "  <ModelStructure>\n");
  if (two && f->output.n) hk_fmu_add(t, "    <Outputs>\n");
  for (int i = 0; i < f->output.n; i++)
    if (hk_fmu_is_variable(f, false, i)) put_output(f, t, i);
  if (two && f->output.n) hk_fmu_add(t, "    </Outputs>\n");
  if (two && n) hk_fmu_add(t, "    <Derivatives>\n");
  for (int i = 0; i < n; i++)
    put_unknown(f, t, "ContinuousStateDerivative", hk_fmu_continuous_reference(f, n + i));
  if (two && n) hk_fmu_add(t, "    </Derivatives>\n");
  if (two && f->output.n + n) hk_fmu_add(t, "    <InitialUnknowns>\n");
  for (int i = 0; i < f->output.n; i++)
    if (hk_fmu_is_variable(f, false, i))
      put_unknown(f, t, "InitialUnknown", hk_fmu_output_reference(f, i));
  for (int i = 0; i < 2 * n; i++)
    put_unknown(f, t, "InitialUnknown", hk_fmu_continuous_reference(f, i));
  if (two && f->output.n + n) hk_fmu_add(t, "    </InitialUnknowns>\n");
  for (int i = 0; i < n_indicators(f) && !two; i++)
    put_unknown(f, t, "EventIndicator", hk_fmu_continuous_reference(f, 2 * n + i));
  hk_fmu_add(t, "  </ModelStructure>\n");
}

/* ---- head ---- */

static void put_abilities(const hk_fmu *f, hk_fmu_text *t) {
  static const char *const two[] = {"canHandleVariableCommunicationStepSize",
                                    "canInterpolateInputs",
                                    "canNotUseMemoryManagementFunctions",
                                    "canGetAndSetFMUstate",
                                    "canSerializeFMUstate",
                                    "providesDirectionalDerivative",
                                    NULL};
  static const char *const three[] = {"canGetAndSetFMUState",
                                      "canSerializeFMUState",
                                      "providesDirectionalDerivatives",
                                      "providesAdjointDerivatives",
                                      "providesPerElementDependencies",
                                      "canHandleVariableCommunicationStepSize",
                                      "providesIntermediateUpdate",
                                      "mightReturnEarlyFromDoStep",
                                      "canReturnEarlyAfterIntermediateUpdate",
                                      "hasEventMode",
                                      NULL};
  if (f->option.exchange)
    hk_fmu_add(
        t,
        f->option.fmi == 2
            ? "  <ModelExchange modelIdentifier=\"%s\" canNotUseMemoryManagementFunctions=\"true\""
              " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"/>\n"
            : "  <ModelExchange modelIdentifier=\"%s\" canGetAndSetFMUState=\"true\""
              " canSerializeFMUState=\"true\" needsCompletedIntegratorStep=\"true\"/>\n",
        f->identifier);
  hk_fmu_add(t, "  <CoSimulation modelIdentifier=\"%s\"", f->identifier);
  for (const char *const *a = f->option.fmi == 2 ? two : three; *a; a++)
    hk_fmu_add(t, "\n    %s=\"true\"", *a);
  if (hk_sim_interpolates(f->sim)) hk_fmu_add(t, "\n    maxOutputDerivativeOrder=\"1\"");
  hk_fmu_add(t, "/>\n");
}

static void put_experiment(const hk_fmu *f, hk_fmu_text *t) {
  const hk_analysis_dynamics *o = &f->sim->option;
  double step = o->output_step > 0 ? o->output_step : o->duration / 400;
  const struct {
    const char *name;
    double value;
  } part[] = {{"startTime", o->start},
              {"stopTime", o->start + o->duration},
              {"tolerance", o->step > 0 ? NAN : o->rtol},
              {"stepSize", step}};
  hk_fmu_add(t, "  <DefaultExperiment");
  for (int i = 0; i < 4; i++) {
    if (isnan(part[i].value)) continue;
    hk_fmu_add(t, " %s=\"", part[i].name);
    hk_fmu_number(t, part[i].value);
    hk_fmu_add(t, "\"");
  }
  hk_fmu_add(t, "/>\n");
}

void hk_fmu_describe(const hk_fmu *f, hk_fmu_text *t) {
  const char *title = hk_model_title(f->model);
  hk_fmu_add(t,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\"",
             f->option.fmi == 2 ? "2.0" : "3.0");
  attribute(t, "modelName", title && *title ? title : f->identifier);
  attribute(t, f->option.fmi == 2 ? "guid" : "instantiationToken", f->token);
  hk_fmu_add(t, " generationTool=\"hooke %s\" variableNamingConvention=\"flat\"", hk_version());
  if (f->option.fmi == 2 && f->option.exchange)
    hk_fmu_add(t, " numberOfEventIndicators=\"%d\"", n_indicators(f));
  hk_fmu_add(t, ">\n");
  put_abilities(f, t);
  hk_fmu_describe_units(f, t);
  hk_fmu_add(
      t,
      "  <LogCategories>\n"
      "    <Category name=\"logStatusError\" description=\"errors, with file, line and column\"/>\n"
      "    <Category name=\"logStatusWarning\" description=\"warnings\"/>\n"
      "    <Category name=\"logEvents\" description=\"impacts and changes of parameters\"/>\n"
      "  </LogCategories>\n");
  put_experiment(f, t);
  put_variables(f, t);
  put_structure(f, t);
  hk_fmu_add(t, "</fmiModelDescription>\n");
}
