/* terminalsAndIcons.xml of FMI 3.0: variables that are connected together, such as torque and angle of a flange. */
#include "fmu/private.h"
#include <string.h>

/* Names of the members of a terminal, by unit: members with equal names are connected if two
 * terminals are connected. */
static const char *const MEMBERS[][3] = {
    /* unit, name, kind: a flow is a force or moment that one side exerts on the other */
    {"N*m", "torque", "inflow"},
    {"N", "force", "inflow"},
    {"rad", "angle", "signal"},
    {"m", "position", "signal"},
    {"rad/s", "angular_velocity", "signal"},
    {"m/s", "velocity", "signal"},
};
enum { N_MEMBERS = sizeof MEMBERS / sizeof *MEMBERS };

static const char *unit_of(const hk_fmu *f, const char *name) {
  for (int i = 0; i < f->n_arrays; i++)
    if (strcmp(f->array[i].name, name) == 0)
      return hk_fmu_unit(f, f->array[i].input, f->array[i].first);
  for (int i = 0; i < f->input.n; i++)
    if (!hk_fmu_array_of(f, true, i) && strcmp(hk_fmu_input_name(f, i), name) == 0)
      return hk_fmu_unit(f, true, i);
  for (int i = 0; i < f->output.n; i++)
    if (!hk_fmu_array_of(f, false, i) && strcmp(hk_fmu_output_name(f, i), name) == 0)
      return hk_fmu_unit(f, false, i);
  return NULL;
}

/* Writes one member of a terminal. used: one bit for each entry of MEMBERS that the terminal already has; a second
 * variable with the same unit keeps its own name. */
static hk_status put_member(const hk_fmu *f, hk_fmu_text *t, const char *variable, unsigned *used,
                            hk_diag *diag) {
  const char *unit = unit_of(f, variable), *name = variable, *kind = "signal";
  if (!unit)
    return hk_diag_add(diag, HK_ERROR, &(hk_location){"hooke", 0, 0},
                       "--terminal: '%s' is neither an input nor an output of the FMU", variable);
  for (int i = 0; i < N_MEMBERS; i++)
    if (strcmp(MEMBERS[i][0], unit) == 0 && !(*used >> i & 1)) {
      name = MEMBERS[i][1], kind = MEMBERS[i][2];
      *used |= 1u << i;
      break;
    }
  hk_fmu_add(t, "      <TerminalMemberVariable variableName=\"");
  hk_fmu_xml(t, variable);
  hk_fmu_add(t, "\" memberName=\"");
  hk_fmu_xml(t, name);
  hk_fmu_add(t, "\" variableKind=\"%s\"/>\n", kind);
  return HK_OK;
}

static hk_status put_terminal(const hk_fmu *f, hk_fmu_text *t, const char *text, hk_diag *diag) {
  const char *equal = strchr(text, '=');
  char name[200];
  if (!equal || equal == text || !equal[1] || (size_t)(equal - text) >= sizeof name)
    return hk_diag_add(
        diag, HK_ERROR, &(hk_location){"hooke", 0, 0},
        "--terminal needs NAME=VARIABLE,..., such as flange=torque,shaft.angle, not '%s'", text);
  snprintf(name, sizeof name, "%.*s", (int)(equal - text), text);
  hk_fmu_add(t, "    <Terminal name=\"");
  hk_fmu_xml(t, name);
  hk_fmu_add(t, "\" matchingRule=\"plug\">\n");
  hk_status status = HK_OK;
  unsigned used = 0;
  for (const char *at = equal + 1; *at && !status;) {
    size_t n = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    status = put_member(f, t, name, &used, diag);
    at += n + (at[n] == ',');
  }
  hk_fmu_add(t, "    </Terminal>\n");
  return status;
}

hk_status hk_fmu_terminals(const hk_fmu *f, hk_fmu_text *t, hk_diag *diag) {
  hk_status status = HK_OK;
  hk_fmu_add(t,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons "
             "fmiVersion=\"3.0\">\n  <Terminals>\n");
  for (int i = 0; i < f->option.terminal.n && !status; i++)
    status = put_terminal(f, t, f->option.terminal.name[i], diag);
  hk_fmu_add(t, "  </Terminals>\n</fmiTerminalsAndIcons>\n");
  return status;
}
