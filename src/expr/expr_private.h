/* Shared by the files of the expression compiler and evaluator; not for others.
 *
 *   expr_compile.c    entry point: limits, memory, the finished expression
 *   expr_lex.c        text -> tokens; a unit belongs to the token of its number
 *   expr_parse.c      tokens -> calls of the emitter, in order of precedence
 *   expr_func.c       the named functions: arity, dimension rules, conversion to operations
 *   expr_emit.c       operations -> bytecode, with dimension check and constant folding
 *   expr_value.c      bytecode -> value
 *   expr_dual.c       bytecode -> value and derivatives
 *   expr_flow.c       bytecode -> ranges of value and rate along a path, and kinks or jumps there
 *   expr_range.c      operations on such ranges
 *   expr_integral.c   integral over the only variable
 *   expr_degree.c     degree as a polynomial
 *   expr_breakpoint.c position of the next kink or jump
 *   expr_switch.c     numbers that change their sign at kinks and jumps
 *   expr_peak.c       narrow peaks that are not visible at the ends of a range
 *
 * The bytecode is a stack machine without jumps: `if` evaluates both branches and selects one,
 * so a program is linear and its stack depth is known. */
#ifndef HK_EXPR_EXPR_PRIVATE_H
#define HK_EXPR_EXPR_PRIVATE_H
#include "expr/expr.h"

typedef enum hk_expr_op {
  /* Operations without an operand on the stack. */
  OP_CONST,  /* push constant[arg] */
  OP_LOAD,   /* push variables[slot[arg]] */
  OP_PICK,   /* push a copy of the entry arg positions below the top */
  OP_SLIDE,  /* drop the arg entries below the top */
  OP_SELECT, /* takes c, a and b from the stack and pushes c != 0 ? a : b */
  /* One operand. */
  OP_UNARY,
  OP_NEG = OP_UNARY,
  OP_NOT,
  OP_SIN,
  OP_COS,
  OP_TAN,
  OP_ASIN,
  OP_ACOS,
  OP_ATAN,
  OP_SINH,
  OP_COSH,
  OP_TANH,
  OP_EXP,
  OP_LOG,
  OP_LOG10,
  OP_SQRT,
  OP_CBRT,
  OP_ABS,
  OP_SIGN,
  OP_FLOOR,
  OP_CEIL,
  OP_ROUND,
  OP_UNIT_CLIP, /* into [0, 1] */
  OP_CUBIC,     /* u^2 (3 - 2u) */
  OP_QUINTIC,   /* u^3 (10 - 15u + 6u^2) */
  OP_POWER,     /* a^constant[arg] */
  OP_TABLE,     /* table[arg] */
  /* Two operands. */
  OP_BINARY,
  OP_ADD = OP_BINARY,
  OP_SUB,
  OP_MUL,
  OP_DIV,
  OP_POW,
  OP_ATAN2,
  OP_HYPOT,
  OP_MIN,
  OP_MAX,
  OP_MOD,
  OP_LT,
  OP_LE,
  OP_GT,
  OP_GE,
  OP_EQ,
  OP_NE,
  OP_AND,
  OP_OR
} hk_expr_op;

typedef struct hk_instruction {
  int32_t op;
  int32_t arg;
} hk_instruction;

enum {
  HK_EXPR_MAX_LENGTH = 4096,
  HK_EXPR_MAX_DEPTH = 100,   /* nesting of the text: limits the recursion of the parser */
  HK_EXPR_MAX_OPERANDS = 64, /* largest number of operands on the stack */
  /* stack entries at run time, including the copies that expanded functions make */
  HK_EXPR_STACK = HK_EXPR_MAX_OPERANDS + 8
};

/* A call of a table: the instructions that compute its argument. */
typedef struct hk_table_call {
  const hk_curve *table;
  int start, end;
} hk_table_call;

struct hk_expr {
  const hk_instruction *code;
  int n_code;
  const double *constant;
  const hk_curve *const *table;
  const hk_table_call *call;
  int n_calls;
  const int *slot; /* slots in ascending order; OP_LOAD uses the index in this list */
  int n_slots;
  hk_dim dim;
  bool is_constant, is_plain_zero;
  const char *text;
};

/* Runs a program without jumps. `variables` may be NULL if the program loads no variable. */
double hk_expr_run(const hk_instruction *code, int n, const double *constant,
                   const hk_curve *const *table, const int *slot, const double *variables);
double hk_expr_unary(int op, double a, const double *constant);
double hk_expr_binary(int op, double a, double b);

/* Computes the range of an expression if one variable covers a range and the others have any
 * values; rates are 0. */
hk_flow hk_expr_within(const hk_expr *e, int slot, double from, double to);

typedef enum hk_token_kind {
  TOKEN_END,
  TOKEN_NUMBER,
  TOKEN_NAME,
  TOKEN_SIGN /* operator or punctuation: sign holds the character or one of the pairs */
} hk_token_kind;

enum { SIGN_LE = 256, SIGN_GE, SIGN_EQ, SIGN_NE };

typedef struct hk_token {
  hk_token_kind kind;
  int start, end; /* bytes of the text */
  int sign;       /* SIGN */
  double number;  /* value of a NUMBER as written, without its unit */
  hk_unit unit;   /* NUMBER */
  bool has_unit;
} hk_token;

/* An operand on the stack of the compiler. */
typedef struct hk_operand {
  hk_dim dim;
  double value; /* if constant */
  bool constant;
  bool zero; /* a plain 0, which fits every dimension */
  bool wild; /* placeholder for an unknown name in a branch that is never used */
  int code_start, constant_start;
} hk_operand;

typedef struct hk_compiler {
  hk_arena *arena; /* arena for data that must live as long as the expression */
  const char *text;
  int length;
  hk_token token, previous; /* the token to be read next, and the one before it */
  hk_resolve_fn *resolve;
  void *context;
  hk_expr_error *err;
  int depth; /* nesting in the text */
  int dead;  /* > 0 inside a branch that a constant condition excludes */
  hk_instruction *code;
  int n_code, code_capacity;
  double *constant;
  int n_constants, constant_capacity;
  const hk_curve **table;
  int n_tables, table_capacity;
  hk_operand stack[HK_EXPR_MAX_OPERANDS];
  int n_stack;
} hk_compiler;

/* Fills the error and returns false. */
bool hk_expr_fail(hk_compiler *c, int column, const char *fmt, ...) HK_PRINTF(3, 4);
bool hk_expr_next_token(hk_compiler *c);

bool hk_expr_emit_constant(hk_compiler *c, int column, double value, hk_dim dim, bool zero);
bool hk_expr_emit_variable(hk_compiler *c, int column, int slot, hk_dim dim);
bool hk_expr_emit_wild(hk_compiler *c, int column);
/* Operators, with their dimension rules. column is the position of the operator. */
bool hk_expr_emit_negation(hk_compiler *c, int column);
bool hk_expr_emit_not(hk_compiler *c, int column);
bool hk_expr_emit_operator(hk_compiler *c, int column, int op);
bool hk_expr_emit_select(hk_compiler *c, int column);
/* Appends operations that consume n operands and leave one operand of the given dimension; folds
 * them if all operands are constant. */
bool hk_expr_emit_lowered(hk_compiler *c, int column, const char *name, int n,
                          const hk_instruction *code, int n_code, hk_dim dim);
bool hk_expr_add_constant(hk_compiler *c, int column, double value);
/* Applies a table to the operand on top. */
bool hk_expr_emit_table(hk_compiler *c, int column, const char *name, const hk_curve *table);
hk_operand *hk_expr_top(hk_compiler *c, int below);
void hk_expr_drop(hk_compiler *c);
/* Finds the common dimension of both operands, if they agree; a plain 0 adopts the dimension of the
 * other. */
bool hk_expr_unify(const hk_operand *a, const hk_operand *b, hk_dim *dim);
/* Writes a dimension as "m/s", or "a plain number". */
const char *hk_expr_dim_text(hk_dim d, char buf[128]);

typedef struct hk_function hk_function;
const hk_function *hk_expr_find_function(const char *name, int length);
const char *hk_expr_near_function(const char *name, int length);
/* Called after the opening parenthesis of a function; reads the arguments and the closing
 * parenthesis. */
bool hk_expr_parse_call(hk_compiler *c, const hk_function *f, int column);
/* Called after the opening parenthesis of a table; reads the argument and the closing
 * parenthesis. */
bool hk_expr_parse_table_call(hk_compiler *c, const hk_curve *table, int column);
/* Parses the whole text; leaves one operand. */
bool hk_expr_parse_all(hk_compiler *c);
bool hk_expr_parse_any(hk_compiler *c);
bool hk_expr_expect(hk_compiler *c, int sign, const char *where);
#endif
