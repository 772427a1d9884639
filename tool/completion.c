/* hooke completion: completion of commands and options in bash, zsh and fish, from the tables of the commands. */
#include "command.h"
#include <string.h>

/* ---- what a word or the argument of an option is ---- */

/* Suffix of the files that a command accepts as arguments; NULL: any file; "": the command takes no files. */
static const char *ending_of(const tool_command *c) {
  if (!c->arguments[0] || strstr(c->arguments, "TYPE") || strstr(c->arguments, "COMMAND"))
    return "";
  if (strncmp(c->arguments, "MODEL", 5) == 0 || strncmp(c->arguments, "STUDY", 5) == 0)
    return "yaml";
  return strncmp(c->arguments, "RESULTS", 7) == 0 ? "h5" : NULL;
}

static bool is_file(const tool_option *o) {
  return o->argument && (strncmp(o->argument, "FILE", 4) == 0 || strcmp(o->argument, "PATH") == 0);
}

/* The description in a menu: one line, up to the first semicolon. */
static void put_doc(const char *doc, const char *escaped, const char *by) {
  enum { WIDTH = 60 };
  int n = (int)strcspn(doc, ";\n");
  for (int i = 0; i < n && (i < WIDTH || doc[i] != ' '); i++) {
    if (doc[i] == '\'') {
      fputs("'\\''", stdout);
      continue;
    }
    if (strchr(escaped, doc[i])) fputs(by, stdout);
    putchar(doc[i]);
  }
}

/* ---- bash ---- */

static void bash_options(const tool_command *c, bool with_argument, bool file) {
  for (int i = 0; i < c->n_options; i++) {
    const tool_option *o = &c->option[i];
    if (with_argument && (!o->argument || is_file(o) != file)) continue;
    printf("--%s ", o->name);
    if (o->letter) printf("-%c ", o->letter);
  }
}

static void bash(void) {
  puts(
      "# Completion of hooke for bash, written by `hooke completion bash`.\n"
      "_hooke() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
      "  local options= files= others= ending=\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case ${COMP_WORDS[i]} in\n"
      "      --plugin) ((i++)) ;;\n"
      "      -*) ;;\n"
      "      *) command=${COMP_WORDS[i]}; break ;;\n"
      "    esac\n"
      "  done\n"
      "  case $command in");
  printf("    '') COMPREPLY=($(compgen -W '");
  for (int i = 0; i < tool_n_commands; i++) printf("%s ", tool_commands[i]->name);
  puts(
      "--help --version --plugin --allow-outside --allow-native --in-process' -- \"$cur\")); "
      "return ;;");
  for (int i = 0; i < tool_n_commands; i++) {
    const tool_command *c = tool_commands[i];
    const char *ending = ending_of(c);
    printf("    %s) options='", c->name);
    bash_options(c, false, false);
    printf("--help' files=' ");
    bash_options(c, true, true);
    printf("' others=' ");
    bash_options(c, true, false);
    printf("' ending='%s' ;;\n", !ending ? "*" : ending);
  }
  puts(
      "    *) return ;;\n"
      "  esac\n"
      "  case $others in *\" $prev \"*) return ;; esac\n"
      "  case $files in *\" $prev \"*) COMPREPLY=($(compgen -f -- \"$cur\")); return ;; esac\n"
      "  case $cur in -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")); return ;; esac\n"
      "  case $ending in\n"
      "    '') ;;\n"
      "    '*') COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
      "    *) COMPREPLY=($(compgen -d -- \"$cur\") $(compgen -f -X \"!*.$ending\" -- \"$cur\")) "
      ";;\n"
      "  esac\n"
      "}\n"
      "complete -o filenames -F _hooke hooke");
}

/* ---- zsh ---- */

static void zsh(void) {
  puts(
      "#compdef hooke\n"
      "# Completion of hooke for zsh, written by `hooke completion zsh`.\n"
      "_hooke() {\n"
      "  local -a commands\n"
      "  local context state line\n"
      "  commands=(");
  for (int i = 0; i < tool_n_commands; i++) {
    printf("    '%s:", tool_commands[i]->name);
    put_doc(tool_commands[i]->summary, "", "");
    puts("'");
  }
  puts(
      "  )\n"
      "  _arguments -C '1:command:->command' '*::argument:->argument'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    argument) case $words[1] in");
  for (int i = 0; i < tool_n_commands; i++) {
    const tool_command *c = tool_commands[i];
    const char *ending = ending_of(c);
    printf("      %s) _arguments", c->name);
    for (int k = 0; k < c->n_options; k++) {
      const tool_option *o = &c->option[k];
      printf(" \\\n        '%s--%s[", o->repeats ? "*" : "", o->name);
      put_doc(o->doc, "[]\\", "\\");
      printf("]%s%s'", o->argument ? ":argument:" : "", is_file(o) ? "_files" : "");
    }
    if (!ending)
      printf(" \\\n        '*:file:_files'");
    else if (*ending)
      printf(" \\\n        '*:file:_files -g \"*.%s\"'", ending);
    puts(" ;;");
  }
  puts(
      "    esac ;;\n"
      "  esac\n"
      "}\n"
      "_hooke \"$@\"");
}

/* ---- fish ---- */

static void fish(void) {
  puts(
      "# Completion of hooke for fish, written by `hooke completion fish`.\n"
      "complete -c hooke -f");
  for (int i = 0; i < tool_n_commands; i++) {
    const tool_command *c = tool_commands[i];
    const char *ending = ending_of(c);
    printf("complete -c hooke -n __fish_use_subcommand -a %s -d '", c->name);
    put_doc(c->summary, "", "");
    puts("'");
    if (!ending || *ending)
      printf(
          "complete -c hooke -n '__fish_seen_subcommand_from %s' -k -a '(__fish_complete_suffix "
          ".%s)'\n",
          c->name, ending ? ending : "csv");
    for (int k = 0; k < c->n_options; k++) {
      const tool_option *o = &c->option[k];
      printf("complete -c hooke -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
      if (o->letter) printf(" -s %c", o->letter);
      if (o->argument) printf(is_file(o) ? " -r -F" : " -x");
      printf(" -d '");
      put_doc(o->doc, "", "");
      puts("'");
    }
  }
}

static const struct {
  const char *name;
  void (*print)(void);
} SHELLS[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
enum { N_SHELLS = sizeof SHELLS / sizeof *SHELLS };

static int run(const tool_args *args) {
  const char *names[N_SHELLS];
  for (int i = 0; i < N_SHELLS; i++) {
    names[i] = SHELLS[i].name;
    if (strcmp(args->word[0], names[i]) != 0) continue;
    SHELLS[i].print();
    return EXIT_RUN_OK;
  }
  return tool_unknown("shell", args->word[0], names, N_SHELLS, "hooke completion --help");
}

const tool_command tool_command_completion = {
    .name = "completion",
    .arguments = "SHELL",
    .summary = "print completion rules for bash, zsh or fish",
    .text =
        "Prints rules with which a shell completes the commands and options of hooke, and the "
        "files that "
        "they read, when the Tab key is pressed. `cmake --install` and the packages install these "
        "rules.\n"
        "\n"
        "Exit status: 0 printed, 2 unknown shell.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  source <(hooke completion bash)\n"
        "  hooke completion zsh > ~/.zfunc/_hooke\n"
        "  hooke completion fish > ~/.config/fish/completions/hooke.fish\n",
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
