/* Help and man pages, both from the table of commands; hooke help. */
#include "command.h"
#include <string.h>

enum { WIDTH = 80 };

/* Words of one line of text, wrapped and indented by `indent` blanks; the first line is already at `column`. */
static void print_wrapped(FILE *out, const char *text, size_t length, int indent, int column) {
  const char *end = text + length;
  bool first = true;
  while (text < end) {
    while (text < end && *text == ' ') text++;
    const char *word = text;
    while (text < end && *text != ' ') text++;
    int n = (int)(text - word);
    if (n == 0) break;
    if (!first && column + 1 + n > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
      first = true;
    }
    fprintf(out, "%s%.*s", first ? "" : " ", n, word);
    column += n + !first;
    first = false;
  }
  fputc('\n', out);
}

static void print_text(FILE *out, const char *text) {
  for (const char *line = text; *line;) {
    size_t n = strcspn(line, "\n");
    if (n == 0 || line[0] == ' ')
      fprintf(out, "%.*s\n", (int)n, line);
    else
      print_wrapped(out, line, n, 0, 0);
    line += n + (line[n] == '\n');
  }
}

static void format_option(const tool_option *o, char *buf, size_t size) {
  char letter[8] = "    ";
  if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
  snprintf(buf, size, "%s--%s%s%s", letter, o->name, o->argument ? " " : "",
           o->argument ? o->argument : "");
}

static const tool_option help_option = {'h', "help", NULL, "show this help", false};

void tool_print_help(FILE *out, const tool_command *c) {
  enum { INDENT = 28 };
  fprintf(out, "hooke %s: %s\n\nusage: hooke %s [options]%s%s\n\n", c->name, c->summary, c->name,
          c->arguments[0] ? " " : "", c->arguments);
  print_text(out, c->text);
  fprintf(out, "\noptions:\n");
  for (int i = 0; i <= c->n_options; i++) {
    const tool_option *o = i < c->n_options ? &c->option[i] : &help_option;
    char left[64];
    format_option(o, left, sizeof left);
    int n = fprintf(out, "  %-*s", INDENT - 3, left);
    if (n >= INDENT)
      fprintf(out, "\n%*s", INDENT, "");
    else
      fputc(' ', out);
    print_wrapped(out, o->doc, strlen(o->doc), INDENT, INDENT);
  }
}

void tool_print_overview(FILE *out) {
  fputs(
      "hooke simulates mechanisms with the joints of real machines.\n"
      "\n"
      "usage: hooke COMMAND [options] [arguments]\n"
      "\n"
      "commands:\n",
      out);
  for (int i = 0; i < tool_n_commands; i++)
    fprintf(out, "  %-12s %s\n", tool_commands[i]->name, tool_commands[i]->summary);
  fputs(
      "\n"
      "`hooke COMMAND --help` describes a command, `hooke --version` prints the version.\n"
      "`hooke --plugin ./mine.so COMMAND` adds the types of a shared object; it may be given more "
      "than\nonce. Its code is executed: do not use files that you do not trust.\n"
      "`hooke --allow-outside COMMAND` allows a model to read files outside of its folder.\n"
      "`hooke --allow-native COMMAND` allows the FMUs of a model to run. An FMU is a program: do "
      "not use "
      "FMUs that\nyou do not trust.\n"
      "`hooke --in-process COMMAND` runs the FMUs of a model in the process of hooke: faster, but "
      "a crash of an "
      "FMU\nends hooke too.\n"
      "Exit status: 0 ok, 1 run failed, 2 bad input.\n",
      out);
}

/* ---- man pages ---- */

static void put_roff(FILE *out, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (i == 0 && (text[i] == '.' || text[i] == '\'')) fputs("\\&", out);
    if (text[i] == '\\')
      fputs("\\e", out);
    else if (text[i] == '-')
      fputs("\\-", out);
    else
      fputc(text[i], out);
  }
}

static void put_roff_text(FILE *out, const char *text) {
  bool verbatim = false;
  for (const char *line = text; *line;) {
    size_t n = strcspn(line, "\n");
    bool asis = n && line[0] == ' ';
    if (asis != verbatim && n) {
      fputs(asis ? ".nf\n" : ".fi\n", out);
      verbatim = asis;
    }
    if (n == 0)
      fputs(".PP\n", out);
    else {
      put_roff(out, line, n);
      fputc('\n', out);
    }
    line += n + (line[n] == '\n');
  }
  if (verbatim) fputs(".fi\n", out);
}

static void put_roff_options(FILE *out, const tool_command *c) {
  fputs(".SH OPTIONS\n", out);
  for (int i = 0; i <= c->n_options; i++) {
    const tool_option *o = i < c->n_options ? &c->option[i] : &help_option;
    fputs(".TP\n", out);
    if (o->letter) fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
    fputs("\\fB\\-\\-", out);
    put_roff(out, o->name, strlen(o->name));
    fputs("\\fR", out);
    if (o->argument) fprintf(out, " \\fI%s\\fR", o->argument);
    fputc('\n', out);
    put_roff(out, o->doc, strlen(o->doc));
    fputc('\n', out);
  }
}

void tool_print_man(FILE *out, const tool_command *c) {
  const char *version = hk_version();
  if (c) {
    fprintf(out, ".TH HOOKE-%s 1 \"\" \"hooke %s\"\n.SH NAME\nhooke\\-%s \\- %s\n", c->name,
            version, c->name, c->summary);
    fprintf(out, ".SH SYNOPSIS\n\\fBhooke %s\\fR [\\fIoptions\\fR] %s\n.SH DESCRIPTION\n", c->name,
            c->arguments);
    put_roff_text(out, c->text);
    put_roff_options(out, c);
    fputs(".SH SEE ALSO\n\\fBhooke\\fR(1)\n", out);
    return;
  }
  fprintf(out, ".TH HOOKE 1 \"\" \"hooke %s\"\n.SH NAME\nhooke \\- %s\n", version,
          "simulate mechanisms with the joints of real machines");
  fputs(
      ".SH SYNOPSIS\n\\fBhooke\\fR [\\fB\\-\\-plugin\\fR \\fIPATH\\fR] "
      "[\\fB\\-\\-allow\\-outside\\fR] \\fICOMMAND\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n",
      out);
  fputs(".SH COMMANDS\n", out);
  for (int i = 0; i < tool_n_commands; i++)
    fprintf(out, ".TP\n\\fBhooke\\-%s\\fR(1)\n%s\n", tool_commands[i]->name,
            tool_commands[i]->summary);
  fputs(".SH OPTIONS\n.TP\n\\fB\\-\\-plugin\\fR \\fIPATH\\fR\n", out);
  fputs(
      "add the types of a shared object, for any command; it may be given more than once. Its\n"
      "code is executed: do not use files that you do not trust.\n"
      ".TP\n\\fB\\-\\-allow\\-outside\\fR\n"
      "allow a model to read files outside of its folder, with links resolved. By default they "
      "are\n"
      "rejected, so that an untrusted model cannot read other files of this machine.\n",
      out);
  fputs(".SH EXIT STATUS\n0 ok, 1 run failed, 2 bad input.\n", out);
}

/* ---- command ---- */

static int run(const tool_args *args) {
  const char *name = args->n_words ? args->word[0] : NULL;
  const tool_command *c = name ? tool_command_find(name) : NULL;
  if (name && !c && strcmp(name, "hooke") != 0) {
    const char *names[32];
    int n = 0;
    for (; n < tool_n_commands && n < 32; n++) names[n] = tool_commands[n]->name;
    return tool_unknown("command", name, names, n, "hooke --help");
  }
  if (tool_flag(args, "man"))
    tool_print_man(stdout, c);
  else if (c)
    tool_print_help(stdout, c);
  else
    tool_print_overview(stdout);
  return EXIT_RUN_OK;
}

static const tool_option options[] = {
    {0, "man", NULL, "as a man page, for `man -l -`", false},
};

const tool_command tool_command_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "show this overview, or the help of a command",
    .text = "Shows the overview of all commands, or all about one of them.\n",
    TOOL_OPTIONS(options),
    .max_words = 1,
    .run = run,
};
