/* FMUs in a model: a toy FMU with faults on request (toy/bad_fmu.c), half of a mechanism exported by hooke and coupled back,
 * saved states, damaged archives and descriptions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "fmu/zip.h"
#include "import/archive.h"
#include "import/description.h"
#include "support/fmu_case.h"
#include <glob.h>
#include <hooke/model_file.h>
#include <hooke/registry.h>
#include <hooke/run.h>

static const char XML[] =
    "<?xml version=\"1.0\"?>\n"
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"toy\" guid=\"toy\">\n"
    "<CoSimulation modelIdentifier=\"toy\" canInterpolateInputs=\"true\"%s/>\n"
    "<UnitDefinitions><Unit name=\"N.m\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\"/></Unit>"
    "<Unit name=\"rpm\"><BaseUnit s=\"-1\" rad=\"1\" "
    "factor=\"0.10471975511965977\"/></Unit></UnitDefinitions>\n"
    "<TypeDefinitions><SimpleType name=\"Torque\"><Real "
    "unit=\"N.m\"/></SimpleType></TypeDefinitions>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name=\"y\" valueReference=\"0\" causality=\"output\"><Real "
    "declaredType=\"Torque\"/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name=\"u\" valueReference=\"1\" causality=\"input\"><Real unit=\"rpm\" "
    "start=\"0\"/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name=\"gain\" valueReference=\"2\" causality=\"parameter\" "
    "variability=\"fixed\">"
    "<Real start=\"1\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"mode\" valueReference=\"3\" causality=\"parameter\" "
    "variability=\"fixed\">"
    "<Integer start=\"0\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"name\" valueReference=\"4\" causality=\"parameter\" "
    "variability=\"fixed\">"
    "<String start=\"&lt;x&gt;\"/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure/>\n"
    "</fmiModelDescription>\n";

static const char SAVES[] =
    " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
    "canHandleVariableCommunicationStepSize=\"true\"";
static const char FIXED[] = " canGetAndSetFMUstate=\"true\"";

static void write_zip(const hk_zip *zip, const char *name, char *path, size_t size) {
  hk_error err = {0};
  snprintf(path, size, "%s/%s", work, name);
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(hk_zip_write(zip, f, &err), HK_OK);
  fclose(f);
}

/* The toy as an archive; `platform` of its binary. */
static void make_toy(const char *name, const char *can, const char *platform) {
  char xml[4000], binary[100], path[300];
  hk_zip zip = {0};
  hk_error err = {0};
  size_t size = 0;
  char *bytes = fmu_read(HOOKE_BINARY_DIR "/toy_fmu.so", &size);
  assert_non_null(bytes);
  snprintf(xml, sizeof xml, XML, can);
  snprintf(binary, sizeof binary, "binaries/%s/toy.so", platform);
  assert_int_equal(hk_zip_add(&zip, "modelDescription.xml", xml, strlen(xml), &err), HK_OK);
  assert_int_equal(hk_zip_add(&zip, binary, bytes, size, &err), HK_OK);
  write_zip(&zip, name, path, sizeof path);
  hk_zip_free(&zip);
  free(bytes);
}

static char messages[8000];
static hk_registry *types[2]; /* the second one for FMUs in this process */

static void keep_messages(const hk_diag *diag) {
  messages[0] = '\0';
  for (int i = 0; i < diag->n; i++) {
    size_t used = strlen(messages);
    hk_diag_format(&diag->message[i], messages + used, sizeof messages - used - 1);
    strcat(messages, "\n");
  }
}

/* A rotor with a constant speed of 120 rad/s next to the FMU. */
static hk_model *compile(const char *fmu, bool in_process, const char *analysis) {
  char text[3000], path[300];
  hk_diag diag;
  snprintf(text, sizeof text,
           "format: 1\nbodies: {r: {type: rotor, inertia: 2 kg*m^2, axis: z, rate: 120 "
           "rad/s}}\nfmus:\n  %s\n"
           "analysis: {duration: 0.05 s, output_step: 1 ms%s}\n",
           fmu, analysis);
  write_text("m.yaml", text, path, sizeof path);
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_file_read_with(types[in_process], path, NULL, 0, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  keep_messages(&diag);
  hk_diag_free(&diag);
  return model;
}

static void assert_says(const char *text, const char *wanted) {
  if (!strstr(text, wanted)) fail_msg("'%s' is not in: %s", wanted, text);
}

static void assert_refused(const char *fmu, const char *wanted) {
  hk_model *m = compile(fmu, false, "");
  if (m) fail_msg("not refused: %s", fmu);
  assert_says(messages, wanted);
  assert_says(messages, "m.yaml:");
}

static void assert_no_folders(void) {
  glob_t found;
  char pattern[100];
  snprintf(pattern, sizeof pattern, "%s/hooke-import-*", work);
  assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
}

/* Runs the model to its end; returns the status, with the error in `messages`. */
static hk_status run(const char *fmu, bool in_process, double *last) {
  hk_model *m = compile(fmu, in_process, "");
  hk_run_report report;
  hk_diag diag;
  hk_recording *rows = NULL;
  if (!m) fail_msg("%s", messages);
  hk_diag_init(&diag);
  hk_run(m, &(hk_run_options){.recording = &rows}, &report, &diag);
  keep_messages(&diag);
  hk_location at = hk_error_location(m, &report.error);
  if (report.status) {
    assert_true(at.line == 4);
    size_t used = strlen(messages);
    snprintf(messages + used, sizeof messages - used, "%s", report.error.text);
  }
  hk_status status = report.status;
  if (last && rows)
    *last =
        hk_recording_column(rows, hk_recording_find(rows, "p.y"))[hk_recording_row_count(rows) - 1];
  hk_recording_destroy(rows);
  hk_run_report_free(&report);
  hk_diag_free(&diag);
  hk_model_destroy(m);
  assert_no_folders();
  return status;
}

/* y' = gain u; u is 120 rad/s in rpm. */
static void values_go_to_and_fro(void **state) {
  (void)state;
  double y = 0, wanted = 2 * 120 * 30 / M_PI * 0.05;
  for (int in_process = 0; in_process < 2; in_process++) {
    assert_int_equal(
        run("p: {file: toy.fmu, period: 1 ms, inputs: {u: r.angle_rate}, start: {gain: 2}}",
            in_process, &y),
        HK_OK);
    NEAR(y, wanted, 1e-12);
  }
  assert_int_equal(
      run("p: {file: toy.fmu, period: 2.5 ms, signals: linear, inputs: {u: (1 rad/s^2)*t}}", false,
          &y),
      HK_OK);
  NEAR(y, 0.05 * 0.05 / 2 * 30 / M_PI, 1e-9);
  /* A rejected step is divided; each part is at most half as long. */
  assert_int_equal(
      run("p: {file: toy.fmu, period: 1 ms, inputs: {u: r.angle_rate}, start: {mode: 3}}", false,
          &y),
      HK_OK);
  NEAR(y, wanted / 2, 1e-12);
}

static void faults_are_contained(void **state) {
  (void)state;
  static const struct {
    int mode;
    const char *says;
    hk_status status;
  } CASE[] = {
      {1, "its code crashed in its step from t = 0.015 s to 0.016 s: Segmentation fault", HK_EFAIL},
      {2, "took more than 0.3 s (time_limit) and was ended", HK_EFAIL},
      {4, "failed with 'error': the oven at 99%", HK_EFAIL},
      {5, "its code ended the process in its step from t = 0 s to 0.001 s, with status 7",
       HK_EFAIL},
      {7, "failed with 'discard': no step of ", HK_EFAIL},
      {8, "its output 'y' is not a finite number", HK_EFAIL},
      {9, "the initialisation failed with 'error'", HK_EINPUT},
      {10, "it ended the simulation in its step from t = 0.015 s to 0.016 s", HK_EFAIL}};
  for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
    char fmu[200];
    snprintf(fmu, sizeof fmu,
             "p: {file: toy.fmu, period: 1 ms, time_limit: 0.3 s, start: {mode: %d}}",
             CASE[i].mode);
    assert_int_equal(run(fmu, false, NULL), CASE[i].status);
    assert_says(messages, CASE[i].says);
    assert_says(messages, "fmu 'p': ");
  }
  static const char *const WHOLE[] = {"blind", "fixed"};
  for (int i = 0; i < 2; i++) {
    char fmu[200];
    snprintf(fmu, sizeof fmu, "p: {file: %s.fmu, period: 1 ms, start: {mode: 3}}", WHOLE[i]);
    assert_int_equal(run(fmu, false, NULL), HK_EFAIL);
    assert_says(messages, "its step from t = 0 s to 0.001 s failed with 'discard'");
  }
  assert_int_equal(run("p: {file: toy.fmu, period: 1 ms, start: {mode: 6}}", false, NULL), HK_OK);
  assert_says(messages, "m.yaml:4:3: warning: fmu 'p' reports: it is warm");
}

static void bad_models_are_refused(void **state) {
  (void)state;
  assert_refused("p: {file: none.fmu}", "'none.fmu' cannot be used: ");
  assert_refused("p: {file: m.yaml, period: 1 ms}", "it is not a zip archive");
  assert_refused("p: {file: other.fmu, period: 1 ms}", "it has binaries for: win64");
  assert_refused("p: {file: ../toy.fmu, period: 1 ms}", "--allow-outside");
  assert_refused("p: {file: toy.fmu}", "give a period");
  assert_refused("p: {file: toy.fmu, period: 0 s}", "period");
  assert_refused("p: {file: toy.fmu, period: 1 ms, inputs: {gains: 1}}",
                 "the FMU has no variable 'gains'; did you mean 'gain'?");
  assert_refused("p: {file: toy.fmu, period: 1 ms, inputs: {gain: 1}}",
                 "'gain' of the FMU is not an input");
  assert_refused("p: {file: toy.fmu, period: 1 ms, inputs: {u: r.angle}}", "m.yaml:4:48: error: ");
  assert_refused("p: {file: toy.fmu, period: 1 ms, start: {gain: 1, name: 2}}",
                 "only numbers are exchanged");
  assert_refused("p: {file: toy.fmu, period: 1 ms, start: {u: 3 kg}}", "u of fmu 'p'");
  assert_refused("p: {file: toy.fmu, period: 1 ms, units: {u: rad/s}}",
                 "the FMU gives the unit of 'u', rpm");
  assert_refused("p: {file: toy.fmu, period: 1 ms, outputs: {a: z}}",
                 "the FMU has no variable 'z'");
  assert_refused("p: {file: toy.fmu, period: 1 ms, inputs: 3}", "inputs");
  assert_refused("p: {file: toy.fmu, period: 1 ms, start: {u: 3 rpm}, inputs: {u: 3 rpm}}",
                 "given by `inputs`");
}

/* States are saved with those of the FMU, and are restored in another simulation too. */
static void states_return(void **state) {
  (void)state;
  static const char P[] =
      "p: {file: toy.fmu, period: 1 ms, start: {mode: 11}, inputs: {u: (0.1 rad/s^2)*t*(p.y / (1 "
      "N*m)) + r.angle_rate}}";
  hk_error err = {0};
  hk_model *m = compile(P, false, "");
  if (!m) fail_msg("%s", messages);
  hk_sim *a, *b;
  assert_int_equal(hk_sim_create(m, NULL, &a, NULL, &err), HK_OK);
  assert_int_equal(hk_sim_create(m, NULL, &b, NULL, &err), HK_OK);
  assert_int_equal(hk_sim_state_savable(a, &err), HK_OK);
  assert_int_equal(hk_sim_advance(a, 0.0213, &err), HK_OK);
  void *bytes = malloc(hk_sim_state_size(a));
  hk_sim_state_get(a, bytes);
  assert_int_equal(hk_sim_advance(a, 0.04, &err), HK_OK);
  int y = hk_model_channel_find(m, "p.y");
  double first = hk_sim_value(a, y);
  assert_int_equal(hk_sim_state_set(b, bytes), HK_OK);
  assert_int_equal(hk_sim_state_set(a, bytes), HK_OK);
  assert_int_equal(hk_sim_advance(a, 0.04, &err), HK_OK);
  assert_int_equal(hk_sim_advance(b, 0.04, &err), HK_OK);
  assert_true(hk_sim_value(a, y) == first && hk_sim_value(b, y) == first);
  free(bytes);
  hk_sim_destroy(a);
  hk_sim_destroy(b);
  hk_model_destroy(m);
  m = compile("p: {file: blind.fmu, period: 1 ms}", false, "");
  assert_int_equal(hk_sim_create(m, NULL, &a, NULL, &err), HK_OK);
  assert_int_equal(hk_sim_state_savable(a, &err), HK_EINPUT);
  assert_says(err.text, "fmu 'p' cannot save its own");
  bytes = malloc(hk_sim_state_size(a));
  hk_sim_state_get(a, bytes);
  assert_int_equal(hk_sim_state_set(a, bytes), HK_EINPUT);
  free(bytes);
  hk_sim_destroy(a);
  hk_model_destroy(m);
  assert_no_folders();
}

/* ---- half of a mechanism ---- */

static const char HALF[] =
    "format: 1\ninputs: {torque: {unit: N*m}}\n"
    "bodies: {b: {type: rotor, inertia: 0.9 kg*m^2, axis: z, rate: 3 rad/s}}\n"
    "forces: {r: {type: actuator, coordinate: b.angle, force: torque}}\n"
    "analysis: {duration: 1 s, rtol: 1e-9}\n";

/* Two rotors with a spring and a damper between them: the angle of the first one after 1 s. */
static double closed_form(void) {
  const double Ja = 0.4, Jb = 0.9, k = 400, c = 0.3, T = 2, m = 1 / (1 / Ja + 1 / Jb),
               g = c / m / 2;
  double w = sqrt(k / m - g * g), rest = -T / Ja * m / k, A = -rest, B = (3 + g * A) / w;
  double apart = rest + exp(-g) * (A * cos(w) + B * sin(w));
  return (Jb * 3 + T / 2 - Jb * apart) / (Ja + Jb);
}

static double coupled(const char *fmu, const char *signals, double period) {
  char text[2000], path[300];
  hk_diag diag;
  hk_error err = {0};
  hk_sim *sim;
  hk_diag_init(&diag);
  snprintf(text, sizeof text,
           "format: 1\nparameters: {k: 400 N*m/rad, c: 0.3 N*m*s}\n"
           "bodies: {a: {type: rotor, inertia: 0.4 kg*m^2, axis: z}}\n"
           "forces: {s: {type: actuator, coordinate: a.angle, force: 2 N*m - half.torque}}\n"
           "fmus:\n  half: {file: %s, period: %g s, signals: %s, outputs: {angle: b.angle, rate: "
           "b.angle_rate},\n"
           "         inputs: {torque: k*(a.angle - half.angle) + c*(a.angle_rate - half.rate)}}\n"
           "analysis: {duration: 1 s, rtol: 1e-9}\n",
           fmu, period, signals);
  write_text("coupled.yaml", text, path, sizeof path);
  hk_spec *spec = hk_model_file_read_with(types[0], path, NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  fmu_print(&diag);
  assert_non_null(m);
  assert_int_equal(hk_sim_create(m, NULL, &sim, &diag, &err), HK_OK);
  assert_int_equal(hk_sim_advance(sim, 1, &err), HK_OK);
  double angle = hk_sim_value(sim, hk_model_channel_find(m, "a.angle"));
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  return angle;
}

/* Without `outputs` all outputs get their own names; inputs that nothing sets are noted. */
static void check_defaults(const char *name) {
  char fmu[100];
  snprintf(fmu, sizeof fmu, "p: {file: %s, period: 1 ms}", name);
  hk_model *m = compile(fmu, false, "");
  if (!m) fail_msg("%s", messages);
  assert_true(hk_model_channel_find(m, "p.b.angle_rate") > 0);
  assert_says(messages,
              "m.yaml:4:13: note: fmu 'p': 1 input is not connected and keeps the start value of "
              "the FMU: 'torque'");
  hk_model_destroy(m);
  snprintf(fmu, sizeof fmu, "p: {file: %s, period: 1 ms, start: {torque: 3 N*m}}", name);
  m = compile(fmu, false, "");
  assert_true(m && !strstr(messages, "not connected"));
  hk_model_destroy(m);
}

/* Constant signals have an error of first order, linear ones of second order. */
static void a_half_comes_back(void **state) {
  (void)state;
  static const char *const OUTPUT[] = {"b.angle", "b.angle_rate"};
  const double whole = closed_form();
  for (int version = 2; version <= 3; version++) {
    char model[300], path[300], name[20];
    hk_diag diag;
    hk_diag_init(&diag);
    write_text("half.yaml", HALF, model, sizeof model);
    snprintf(name, sizeof name, "half%d.fmu", version);
    snprintf(path, sizeof path, "%s/%s", work, name);
    assert_int_equal(
        fmu_export(model, (hk_fmu_options){.fmi = version, .output = {OUTPUT, 2}}, path, &diag),
        HK_OK);
    hk_diag_free(&diag);
    check_defaults(name);
    for (int linear = 0; linear < 2; linear++) {
      double error[2];
      for (int k = 0; k < 2; k++)
        error[k] = coupled(name, linear ? "linear" : "held", k ? 0.5e-3 : 1e-3) - whole;
      double order = log2(error[0] / error[1]);
      if (fabs(order - (linear ? 2 : 1)) > 0.1 || fabs(error[0]) > (linear ? 5e-4 : 0.25))
        fail_msg("FMI %d, %s: errors %g and %g", version, linear ? "linear" : "held", error[0],
                 error[1]);
    }
  }
  assert_no_folders();
}

/* ---- archives and descriptions ---- */

static void assert_bad_zip(const char *file, const char *wanted) {
  char path[300];
  hk_zip zip = {0};
  hk_error err = {0};
  hk_archive a;
  assert_int_equal(hk_zip_add(&zip, file, "text", 4, &err), HK_OK);
  write_zip(&zip, "bad.zip", path, sizeof path);
  hk_zip_free(&zip);
  assert_int_equal(hk_archive_open(&a, path, &err), HK_EINPUT);
  assert_says(err.text, wanted);
  hk_archive_close(&a);
}

static void bad_archives_are_refused(void **state) {
  (void)state;
  assert_bad_zip("../out", "leads out of the archive");
  assert_bad_zip("a/../../out", "leads out of the archive");
  assert_bad_zip("/etc/out", "is absolute");
  assert_bad_zip("c:/out", "is absolute");
  assert_bad_zip("a\\out", "backslash");
  assert_bad_zip("a//b", "empty part");
  assert_bad_zip("./a", "'.' as a part");
  /* Every byte of a small archive changed: the archive is rejected or gives the same text, without reads out of
   * bounds. */
  char path[300];
  size_t size = 0;
  hk_zip zip = {0};
  hk_error err = {0};
  assert_int_equal(
      hk_zip_add(&zip, "resources/a.txt", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 32, &err), HK_OK);
  write_zip(&zip, "good.zip", path, sizeof path);
  hk_zip_free(&zip);
  unsigned char *bytes = (unsigned char *)fmu_read(path, &size);
  int linked = 0;
  for (size_t i = 0; i < size; i++)
    for (int bit = 0; bit < 8; bit++) {
      hk_archive a;
      unsigned char *text = NULL;
      bytes[i] ^= (unsigned char)(1 << bit);
      if (hk_archive_of(&a, bytes, size, &err) == HK_OK && a.n == 1 &&
          hk_archive_read(&a, &a.entry[0], &text, &err) == HK_OK)
        assert_memory_equal(text, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 32);
      else if (strstr(err.text, "link or a device"))
        linked++;
      free(text);
      hk_archive_close(&a);
      bytes[i] ^= (unsigned char)(1 << bit);
    }
  assert_true(linked > 0);
  for (size_t n = 0; n < size; n++) {
    hk_archive a;
    assert_int_equal(hk_archive_of(&a, bytes, n, &err), HK_EINPUT);
    hk_archive_close(&a);
  }
  free(bytes);
}

/* An archive with two entries of one name. */
static hk_status open_twice(const char *first, const char *second, const char *content,
                            hk_error *err) {
  char path[300];
  hk_zip zip = {0};
  hk_archive a;
  size_t size = 0, n = strlen(first);
  assert_int_equal(hk_zip_add(&zip, first, "", 0, err), HK_OK);
  assert_int_equal(hk_zip_add(&zip, second, content, strlen(content), err), HK_OK);
  write_zip(&zip, "twice.zip", path, sizeof path);
  hk_zip_free(&zip);
  char *bytes = fmu_read(path, &size);
  assert_non_null(bytes);
  for (size_t i = 0; i + n <= size; i++)
    if (memcmp(bytes + i, second, n) == 0) memcpy(bytes + i, first, n);
  hk_status status = hk_archive_of(&a, bytes, size, err);
  if (!status) assert_int_equal(hk_archive_unpack(&a, "", work, err), HK_OK);
  hk_archive_close(&a);
  free(bytes);
  return status;
}

/* CMake writes the entry of a folder once for each file that it adds to it. */
static void entries_may_be_repeated(void **state) {
  (void)state;
  hk_error err = {0};
  assert_int_equal(open_twice("extra-a/", "extra-b/", "", &err), HK_OK);
  assert_int_equal(open_twice("file-a", "file-b", "", &err), HK_OK);
  assert_int_equal(open_twice("other-a", "other-b", "1", &err), HK_EINPUT);
  assert_says(err.text, "'other-a' is in it twice");
}

static void assert_bad_xml(const char *text, const char *wanted) {
  char copy[5000];
  hk_arena arena;
  hk_fmu_description d;
  hk_error err = {0};
  snprintf(copy, sizeof copy, "%s", text);
  hk_arena_init(&arena);
  assert_int_equal(hk_fmu_description_read(copy, strlen(copy), &arena, &d, &err), HK_EINPUT);
  assert_says(err.text, wanted);
  hk_arena_free(&arena);
}

static void bad_descriptions_are_refused(void **state) {
  (void)state;
  assert_bad_xml("", "ends before its root");
  assert_bad_xml("<a", "");
  assert_bad_xml("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "not allowed");
  assert_bad_xml("<fmiModelDescription fmiVersion=\"1.0\" guid=\"x\"/>", "it is for FMI 1.0");
  assert_bad_xml("<fmiModelDescription fmiVersion=\"2.0\" guid=\"&x;\"/>", "reference");
  assert_bad_xml("<fmiModelDescription fmiVersion=\"2.0\" guid=\"x\"></b>", "end tag");
  assert_bad_xml("<fmiModelDescription fmiVersion=\"2.0\" guid=\"x\" guid=\"y\"/>", "twice");
  assert_bad_xml(
      "<fmiModelDescription fmiVersion=\"2.0\" guid=\"x\"><CoSimulation "
      "modelIdentifier=\"../x\"/></fmiModelDescription>",
      "modelIdentifier");
  assert_bad_xml(
      "<fmiModelDescription fmiVersion=\"2.0\" guid=\"x\"><ModelExchange/></fmiModelDescription>",
      "not made for co-simulation");
  char deep[3000] = "";
  for (int i = 0; i < 100; i++) strcat(deep, "<a>");
  assert_bad_xml(deep, "");
  /* Every incomplete description is rejected. */
  char xml[4000], copy[4000];
  snprintf(xml, sizeof xml, XML, SAVES);
  for (size_t n = 0; n < strlen(xml) - 1; n++) {
    hk_arena arena;
    hk_fmu_description d;
    hk_error err = {0};
    snprintf(copy, n + 1, "%s", xml);
    hk_arena_init(&arena);
    assert_int_equal(hk_fmu_description_read(copy, n, &arena, &d, &err), HK_EINPUT);
    hk_arena_free(&arena);
  }
}

static int set_up(void **state) {
  (void)state;
  assert_non_null(mkdtemp(work));
  setenv("TMPDIR", work, 1);
  for (int i = 0; i < 2; i++) {
    types[i] = hk_registry_create();
    hk_registry_allow_native(types[i]);
  }
  hk_registry_fmus_in_process(types[1]);
  make_toy("toy.fmu", SAVES, "linux64");
  make_toy("blind.fmu", "", "linux64");
  make_toy("fixed.fmu", FIXED, "linux64");
  make_toy("other.fmu", "", "win64");
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  char command[300];
  for (int i = 0; i < 2; i++) hk_registry_destroy(types[i]);
  snprintf(command, sizeof command, "rm -rf %s", work);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_go_to_and_fro),    cmocka_unit_test(faults_are_contained),
      cmocka_unit_test(bad_models_are_refused),  cmocka_unit_test(states_return),
      cmocka_unit_test(a_half_comes_back),       cmocka_unit_test(bad_archives_are_refused),
      cmocka_unit_test(entries_may_be_repeated), cmocka_unit_test(bad_descriptions_are_refused),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
