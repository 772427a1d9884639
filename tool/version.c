/* hooke --version: the version, and with --json facts about the build. */
#include "command.h"
#include "json.h"
#include "results/results.h"
#include <hooke/version.h>
#include <hdf5.h>
#include <sqlite3.h>
#include <string.h>
#include <yaml.h>
#include <zlib.h>

static void print_libraries(tool_json *j) {
  unsigned major, minor, release;
  char hdf5[32];
  H5get_libversion(&major, &minor, &release);
  snprintf(hdf5, sizeof hdf5, "%u.%u.%u", major, minor, release);
  tool_json_open(j, "libraries", '{');
  tool_json_text(j, "hdf5", hdf5);
  tool_json_text(j, "libyaml", yaml_get_version_string());
  tool_json_text(j, "sqlite", sqlite3_libversion());
  tool_json_text(j, "zlib", zlibVersion());
  tool_json_close(j, '}');
}

int tool_print_version(int argc, char **argv) {
  if (argc == 0) {
    printf("hooke %s\n", hk_version());
    return EXIT_RUN_OK;
  }
  if (argc > 1 || strcmp(argv[0], "--json") != 0) {
    tool_error("--version accepts only --json as an argument, not '%s'", argv[argc > 1 ? 1 : 0]);
    return EXIT_BAD_INPUT;
  }
  tool_json j = {.out = stdout};
  tool_json_open(&j, NULL, '{');
  tool_json_text(&j, "version", hk_version());
  tool_json_int(&j, "model_format", 1);
  tool_json_int(&j, "results_format", HK_RESULTS_FORMAT);
  tool_json_text(&j, "compiler", __VERSION__);
#ifdef __OPTIMIZE__
  tool_json_bool(&j, "optimized", true);
#else
  tool_json_bool(&j, "optimized", false);
#endif
#ifdef __SANITIZE_ADDRESS__
  tool_json_bool(&j, "sanitizers", true);
#else
  tool_json_bool(&j, "sanitizers", false);
#endif
#ifdef __x86_64__
  tool_json_text(&j, "processor", "x86_64");
#else
  tool_json_text(&j, "processor", "other");
#endif
  print_libraries(&j);
  tool_json_close(&j, '}');
  putchar('\n');
  return EXIT_RUN_OK;
}
