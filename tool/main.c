/* The hooke command: the list of its subcommands and their dispatch. */
#include "command.h"
#include "hdf5_crash.h"
#include "peers.h"
#include "base/file.h"
#include <hooke/registry.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define TOOL_COMMANDS(X)                                                                         \
  X(run)                                                                                         \
  X(measure)                                                                                     \
  X(study)                                                                                       \
  X(optimize)                                                                                    \
  X(sensitivity)                                                                                 \
  X(fit)                                                                                         \
  X(surrogate)                                                                                   \
  X(check)                                                                                       \
  X(static)                                                                                      \
  X(gear)                                                                                        \
  X(bearing)                                                                                     \
  X(reduce)                                                                                      \
  X(stress) X(erp) X(modes) X(frf) X(locus) X(poincare) X(bifurcation) X(periodic) X(fmu) X(ssp) \
      X(export) X(plot) X(spectrum) X(report) X(view) X(watch) X(types) X(functions) X(schema)   \
          X(migrate) X(import) X(conform) X(completion) X(help)

#define DECLARE(name) extern const tool_command tool_command_##name;
TOOL_COMMANDS(DECLARE)
#define ADDRESS(name) &tool_command_##name,
const tool_command *const tool_commands[] = {TOOL_COMMANDS(ADDRESS)};
const int tool_n_commands = sizeof tool_commands / sizeof *tool_commands;

const tool_command *tool_command_find(const char *name) {
  for (int i = 0; i < tool_n_commands; i++)
    if (strcmp(tool_commands[i]->name, name) == 0) return tool_commands[i];
  return NULL;
}

static int unknown(const char *word) {
  const char *peer = tool_peer_command(word);
  if (peer) {
    tool_error("unknown command '%s'; here it is `hooke %s`", word, peer);
    return EXIT_BAD_INPUT;
  }
  const char *names[48] = {"--help",          "--version",      "--plugin",
                           "--allow-outside", "--allow-native", "--in-process"};
  int n = 6;
  for (int i = 0; i < tool_n_commands && n < 48; i++) names[n++] = tool_commands[i]->name;
  return tool_unknown(word[0] == '-' ? "option" : "command", word, names, n, "hooke --help");
}

/* Reads the options that precede the command: `--plugin PATH`, `--plugin=PATH`,
 * `--allow-outside`, `--allow-native` and `--in-process`. *i becomes the first argument after
 * them. */
static hk_status read_registry_options(hk_registry *types, int argc, char **argv, int *i) {
  static const char name[] = "--plugin";
  enum { LENGTH = sizeof name - 1 };
  hk_error err = {0};
  for (; *i < argc; ++*i) {
    if (strcmp(argv[*i], "--allow-outside") == 0) {
      hk_registry_allow_outside(types);
      continue;
    }
    if (strcmp(argv[*i], "--allow-native") == 0) {
      hk_registry_allow_native(types);
      continue;
    }
    if (strcmp(argv[*i], "--in-process") == 0) {
      hk_registry_fmus_in_process(types);
      continue;
    }
    if (strncmp(argv[*i], name, LENGTH) != 0) return HK_OK;
    const char *path = argv[*i] + LENGTH;
    if (*path == '=')
      path++;
    else if (*path)
      return HK_OK; /* another, unknown option */
    else
      path = ++*i < argc ? argv[*i] : "";
    if (*path) hk_file_note(path);
    hk_status status =
        *path ? hk_registry_load(types, path, &err)
              : hk_fail(&err, HK_EINPUT,
                        "--plugin needs the path of a shared object after it, such as ./mine.so");
    if (status) {
      tool_error("%s", err.text);
      return status;
    }
  }
  return HK_OK;
}

static int dispatch(hk_registry *types, int argc, char **argv) {
  int i = 1;
  if (read_registry_options(types, argc, argv, &i)) return EXIT_BAD_INPUT;
  if (i >= argc) {
    tool_print_overview(stderr);
    return EXIT_BAD_INPUT;
  }
  if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
    tool_print_overview(stdout);
    return EXIT_RUN_OK;
  }
  if (strcmp(argv[i], "--version") == 0) return tool_print_version(argc - i - 1, argv + i + 1);
  const tool_command *c = tool_command_find(argv[i]);
  if (!c) return unknown(argv[i]);
  tool_args args;
  int code = tool_args_parse(&args, c, argc - i - 1, argv + i + 1);
  args.types = types;
  args.before = argv + 1;
  args.n_before = i - 1;
  if (code < 0) code = c->run(&args);
  tool_args_free(&args);
  return code;
}

/* Returns true if the reader has closed the pipe, which is not reported as an error. */
static bool pipe_closed(void) {
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

int main(int argc, char **argv) {
  /* A closed pipe or a file size limit then becomes an error of the write, which is handled. */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  hk_files_record();
  tool_guard_install();
  hk_registry *types = hk_registry_create();
  if (!types) {
    tool_error("out of memory");
    return EXIT_RUN_FAILED;
  }
  int code = dispatch(types, argc, argv);
  hk_registry_destroy(types);
  hk_files_forget();
  errno = 0;
  if ((fflush(stdout) || ferror(stdout)) && code == EXIT_RUN_OK && !pipe_closed()) {
    tool_error("cannot write to standard output%s%s", errno ? ": " : "",
               errno ? strerror(errno) : "");
    return EXIT_BAD_INPUT;
  }
  return code;
}
