/* Reading the arguments of a subcommand: `--name value`, `--name=value`, `-o value`, `--`. */
#include "command.h"
#include "base/file.h"
#include "figure.h"
#include "spec/type.h"
#include <stdlib.h>
#include <string.h>

static const tool_option help_option = {'h', "help", NULL, "show this help", false};

bool tool_is_output(const tool_option *o) {
  return o->argument && strncmp(o->argument, "FILE", 4) == 0;
}

int tool_unknown(const char *what, const char *wrong, const char *const *names, int n,
                 const char *else_try) {
  const char *near = hk_nearest_name(wrong, names, n);
  if (near)
    tool_error("unknown %s '%s'; did you mean '%s'?", what, wrong, near);
  else
    tool_error("unknown %s '%s'; see `%s`", what, wrong, else_try);
  return EXIT_BAD_INPUT;
}

/* Returns true if an unknown option is a name that other programs use for the output option. */
static bool means_output(const tool_command *c, const char *wrong) {
  static const char *const other[] = {"--out",    "--outfile", "--output-file",
                                      "--result", "--results", "-O"};
  const char *equal = strchr(wrong, '=');
  size_t length = equal ? (size_t)(equal - wrong) : strlen(wrong);
  for (int i = 0; i < c->n_options; i++)
    if (strcmp(c->option[i].name, "output") == 0)
      for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        if (strlen(other[k]) == length && strncmp(other[k], wrong, length) == 0) return true;
  return false;
}

static int unknown_option(const tool_command *c, const char *wrong) {
  if (means_output(c, wrong)) {
    tool_error("unknown option '%s'; did you mean '-o' (--output)?", wrong);
    return EXIT_BAD_INPUT;
  }
  enum { MOST = 32, LENGTH = 32 };
  char text[MOST][LENGTH], try[64];
  const char *names[MOST];
  int n = 0;
  snprintf(text[n++], LENGTH, "--help");
  for (int i = 0; i < c->n_options && n < MOST; i++)
    snprintf(text[n++], LENGTH, "--%s", c->option[i].name);
  for (int i = 0; i < n; i++) names[i] = text[i];
  snprintf(try, sizeof try, "hooke %s --help", c->name);
  return tool_unknown("option", wrong, names, n, try);
}

/* Finds the option of an argument, and the start of its value if it is attached by '='. */
static const tool_option *find_option(const tool_command *c, const char *arg, const char **value) {
  const char *equal = strchr(arg, '=');
  bool is_long = arg[1] == '-';
  size_t length = equal && is_long ? (size_t)(equal - arg) : strlen(arg);
  *value = equal && is_long ? equal + 1 : NULL;
  for (int i = -1; i < c->n_options; i++) {
    const tool_option *o = i < 0 ? &help_option : &c->option[i];
    if (is_long ? strlen(o->name) == length - 2 && strncmp(o->name, arg + 2, length - 2) == 0
                : o->letter && arg[1] == o->letter && (length == 2 || o->argument)) {
      if (!is_long && length > 2) *value = arg + 2;
      return o;
    }
  }
  return NULL;
}

/* Reports an unexpected word; users of other programs write a value without --set. */
static int unexpected(const tool_command *c, const char *word) {
  const char *value;
  if (strchr(word, '=') && find_option(c, "--set", &value))
    tool_error("unexpected argument of `hooke %s`: '%s'; did you mean --set '%s'?", c->name, word,
               word);
  else
    tool_error("unexpected argument of `hooke %s`: '%s'; see `hooke %s --help`", c->name, word,
               c->name);
  return EXIT_BAD_INPUT;
}

static int read_option(tool_args *a, int argc, char **argv, int *i) {
  const tool_command *c = a->command;
  const char *value, *arg = argv[*i];
  const tool_option *o = find_option(c, arg, &value);
  if (!o) return unknown_option(c, arg);
  if (o == &help_option) {
    tool_print_help(stdout, c);
    return EXIT_RUN_OK;
  }
  if (o->argument && !value) {
    if (*i + 1 >= argc) {
      tool_error("--%s needs %s after it; see `hooke %s --help`", o->name, o->argument, c->name);
      return EXIT_BAD_INPUT;
    }
    value = argv[++*i];
  } else if (!o->argument && value) {
    tool_error("--%s takes no value; see `hooke %s --help`", o->name, c->name);
    return EXIT_BAD_INPUT;
  }
  if (!o->repeats)
    for (int k = 0; k < a->n_given; k++)
      if (a->given[k].option == o && o->argument) {
        tool_error("--%s is given twice", o->name);
        return EXIT_BAD_INPUT;
      }
  a->given[a->n_given++] = (tool_given){o, value};
  return -1;
}

hk_status tool_outputs_check(const tool_args *a, hk_error *err) {
  hk_error why = {0};
  hk_status status = hk_new_file_check("-", err);
  for (int i = 0; i < a->n_given && !status; i++) {
    const tool_option *o = a->given[i].option;
    if (!tool_is_output(o) || strcmp(a->given[i].value, "-") == 0) continue;
    status = hk_new_file_check(a->given[i].value, &why);
    if (status) hk_fail(err, status, "--%s: %s", o->name, why.text);
  }
  return status;
}

/* Rejects two outputs with the same name: the second would replace the first. */
static hk_status check_twice(const tool_args *a, hk_error *err) {
  for (int i = 0; i < a->n_given; i++)
    for (int k = 0; k < i; k++)
      if (tool_is_output(a->given[i].option) && tool_is_output(a->given[k].option) &&
          strcmp(a->given[i].value, "-") != 0 && strcmp(a->given[i].value, a->given[k].value) == 0)
        return hk_fail(err, HK_EINPUT, "--%s and --%s would write the same file '%s'",
                       a->given[k].option->name, a->given[i].option->name, a->given[i].value);
  return HK_OK;
}

hk_status tool_outputs_possible(const tool_args *a, const char *made, hk_error *err) {
  hk_status status = HK_OK;
  size_t n = made ? strlen(made) : 0;
  for (int i = 0; i < a->n_given && !status; i++) {
    const tool_option *o = a->given[i].option;
    const char *path = a->given[i].value;
    if (!tool_is_output(o)) continue;
    if (!made || strncmp(path, made, n) != 0 || path[n] != '/')
      status = hk_new_file_possible(path, err);
    if (!status && strcmp(o->argument, "FILE.svg") == 0) status = tool_figure_check(path, err);
  }
  return status;
}

/* Checks the outputs against the words of the command, which may be names of input files. */
static int check_outputs(const tool_args *a) {
  hk_error err = {0};
  for (int k = 0; k < a->n_words; k++) hk_file_note(a->word[k]);
  hk_status status = check_twice(a, &err);
  if (!status) status = tool_outputs_check(a, &err);
  const char *folder;
  if (!status && !find_option(a->command, "--folder", &folder))
    status = tool_outputs_possible(a, NULL, &err);
  if (!status) return -1;
  tool_error("%s", err.text);
  return tool_exit_code(status);
}

int tool_args_parse(tool_args *a, const tool_command *c, int argc, char **argv) {
  *a = (tool_args){.command = c};
  a->word = calloc((size_t)argc + 1, sizeof *a->word);
  a->given = calloc((size_t)argc + 1, sizeof *a->given);
  if (!a->word || !a->given) {
    tool_error("out of memory");
    return EXIT_RUN_FAILED;
  }
  bool options = true;
  for (int i = 0; i < argc; i++) {
    if (options && strcmp(argv[i], "--") == 0) {
      options = false;
    } else if (options && argv[i][0] == '-' && argv[i][1]) { /* a lone "-" is a word */
      int code = read_option(a, argc, argv, &i);
      if (code >= 0) return code;
    } else {
      a->word[a->n_words++] = argv[i];
    }
  }
  if (a->n_words < c->min_words) {
    tool_error("`hooke %s` needs %s; see `hooke %s --help`", c->name, c->arguments, c->name);
    return EXIT_BAD_INPUT;
  }
  if (a->n_words > c->max_words) {
    return unexpected(c, a->word[c->max_words]);
  }
  return check_outputs(a);
}

void tool_args_free(tool_args *a) {
  free(a->word);
  free(a->given);
  *a = (tool_args){0};
}

bool tool_flag(const tool_args *a, const char *name) {
  for (int i = 0; i < a->n_given; i++)
    if (strcmp(a->given[i].option->name, name) == 0) return true;
  return false;
}

const char *tool_value(const tool_args *a, const char *name) {
  const char *value = NULL;
  for (int i = 0; i < a->n_given; i++)
    if (strcmp(a->given[i].option->name, name) == 0) value = a->given[i].value;
  return value;
}

int tool_values(const tool_args *a, const char *name, const char **out) {
  int n = 0;
  for (int i = 0; i < a->n_given; i++)
    if (strcmp(a->given[i].option->name, name) == 0) out[n++] = a->given[i].value;
  return n;
}
