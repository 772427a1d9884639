/* The command line: definition of a subcommand.  One const struct per subcommand is used by the parser, the help, the
 * man pages and the dispatch; main.c lists them. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H
#include <hooke/spec.h>
#include <stdio.h>

/* Exit codes; 128 + number of the Unix signal if a signal stopped a run. */
enum { EXIT_RUN_OK = 0, EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2 };

typedef struct tool_option {
  char letter;          /* 0: none */
  const char *name;     /* without the dashes */
  const char *argument; /* argument of the option; NULL: a switch */
  const char *doc;
  bool repeats;
} tool_option;

typedef struct tool_args tool_args;
typedef struct tool_command {
  const char *name;
  const char *arguments; /* arguments as in the usage line, for example "MODEL" */
  const char *summary;   /* one line */
  /* paragraphs, separated by empty lines; lines that begin with two blanks are kept unchanged */
  const char *text;
  const tool_option *option;
  int n_options;
  int min_words, max_words; /* minimum and maximum number of words that are not options */
  int (*run)(const tool_args *args);
} tool_command;

#define TOOL_OPTIONS(table) .option = table, .n_options = (int)(sizeof table / sizeof *table)

extern const tool_command *const tool_commands[];
extern const int tool_n_commands;
const tool_command *tool_command_find(const char *name);

/* ---- arguments (args.c) ---- */

typedef struct tool_given {
  const tool_option *option;
  const char *value;
} tool_given;
struct tool_args {
  const tool_command *command;
  const hk_registry *types; /* types that models may use */
  char *const *before;      /* words before the command, such as --allow-outside */
  int n_before;
  const char **word;
  int n_words;
  tool_given *given;
  int n_given;
};
/* Parses the arguments; returns the exit code if they are wrong (the message was printed), or -1.
 * Free *args in any case. */
int tool_args_parse(tool_args *args, const tool_command *command, int argc, char **argv);
void tool_args_free(tool_args *args);
/* Returns true if the option is the name of an output file.  Its argument then begins with FILE; FILE.svg
 * is a figure, which may also be .png or .pdf. */
bool tool_is_output(const tool_option *option);
/* HK_EINPUT if an output has the name of a file that was read so far: reported before hours of work (base/file.h also
 * checks at the time of writing). */
hk_status tool_outputs_check(const tool_args *args, hk_error *err);
/* HK_EIO or HK_EINPUT if an output cannot be created or has the extension of another format: reported before anything is
 * read.  made: a folder that the command creates; NULL: none.  Commands without the option --folder need not call it. */
hk_status tool_outputs_possible(const tool_args *args, const char *made, hk_error *err);
bool tool_flag(const tool_args *args, const char *name);
/* Value of an option, the last one if it was given twice; NULL if it was not given. */
const char *tool_value(const tool_args *args, const char *name);
/* Values of an option that may be repeated, in order; returns their number.  out has the size n_given. */
int tool_values(const tool_args *args, const char *name, const char **out);
/* Reports that `what` does not exist, with the most similar of n names; returns EXIT_BAD_INPUT. */
int tool_unknown(const char *what, const char *wrong, const char *const *names, int n,
                 const char *else_try);

/* ---- help (help.c) ---- */
void tool_print_overview(FILE *out);
/* hooke --version, with the arguments after it (version.c); returns the exit status. */
int tool_print_version(int argc, char **argv);
void tool_print_help(FILE *out, const tool_command *command);
/* A man page in roff; NULL: that of hooke itself. */
void tool_print_man(FILE *out, const tool_command *command);

/* ---- messages (message.c) ---- */
/* Prints all messages from `first` on, one per line, on stderr. */
void tool_print_diag(const hk_diag *diag, int first);
/* Text for a terminal, from a file or a command line: control characters as escape sequences (base/safe_text.h). */
void tool_put(FILE *out, const char *text);
/* Same as tool_put, but returns a string for printf: the text itself, or one of four copies that are used in
 * rotation. */
const char *tool_name(const char *name);
void tool_error(const char *fmt, ...) HK_PRINTF(1, 2);
void tool_warning(const char *fmt, ...) HK_PRINTF(1, 2);
int tool_exit_code(hk_status status);
#endif
