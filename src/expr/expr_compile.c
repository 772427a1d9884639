/* Entry point of the expression compiler: limits, scratch memory, and the finished expression. */
#include "base/number.h"
#include "expr/expr_private.h"
#include <stdlib.h>
#include <string.h>

static int compare_ints(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Replaces the slot in every load by its index among the distinct slots, ascending. */
static bool number_slots(hk_arena *arena, hk_compiler *c, hk_expr *e) {
  int n = 0, distinct = 0;
  for (int i = 0; i < c->n_code; i++) n += c->code[i].op == OP_LOAD;
  int *slot = HK_NEW_ARRAY(arena, int, n + 1);
  if (!slot) return false;
  n = 0;
  for (int i = 0; i < c->n_code; i++)
    if (c->code[i].op == OP_LOAD) slot[n++] = c->code[i].arg;
  qsort(slot, (size_t)n, sizeof *slot, compare_ints);
  for (int i = 0; i < n; i++)
    if (i == 0 || slot[i] != slot[i - 1]) slot[distinct++] = slot[i];
  for (int i = 0; i < c->n_code; i++) {
    if (c->code[i].op != OP_LOAD) continue;
    const int *found = bsearch(&c->code[i].arg, slot, (size_t)distinct, sizeof *slot, compare_ints);
    c->code[i].arg = (int32_t)(found - slot);
  }
  e->slot = slot;
  e->n_slots = distinct;
  return true;
}

static void *copy(hk_arena *arena, const void *from, size_t bytes) {
  void *to = hk_arena_alloc(arena, bytes);
  if (to) memcpy(to, from, bytes);
  return to;
}

/* Number of values that an instruction pushes minus the number that it pops. */
static int stack_effect(const hk_instruction *i) {
  switch (i->op) {
    case OP_CONST:
    case OP_LOAD:
    case OP_PICK:
      return 1;
    case OP_SLIDE:
      return -i->arg;
    case OP_SELECT:
      return -2;
    default:
      return i->op < OP_BINARY ? 0 : -1;
  }
}

/* Start of the code of the operand that is on top of the stack at instruction `end`: goes backwards
 * until one more value was pushed than popped. */
static int operand_start(const hk_instruction *code, int end) {
  int made = 0;
  while (end > 0 && made < 1) made += stack_effect(&code[--end]);
  return end;
}

static bool list_calls(hk_arena *arena, hk_expr *e) {
  int n = 0;
  for (int i = 0; i < e->n_code; i++) n += e->code[i].op == OP_TABLE;
  hk_table_call *call = HK_NEW_ARRAY(arena, hk_table_call, n + 1);
  if (!call) return false;
  n = 0;
  for (int i = 0; i < e->n_code; i++)
    if (e->code[i].op == OP_TABLE)
      call[n++] = (hk_table_call){e->table[e->code[i].arg], operand_start(e->code, i), i};
  e->call = call;
  e->n_calls = n;
  return true;
}

static hk_expr *finish(hk_arena *arena, hk_compiler *c) {
  const hk_operand *result = hk_expr_top(c, 0);
  hk_expr *e = HK_NEW(arena, hk_expr);
  if (!e || !number_slots(arena, c, e)) return NULL;
  e->code = copy(arena, c->code, (size_t)c->n_code * sizeof *c->code);
  e->constant = copy(arena, c->constant, (size_t)(c->n_constants + 1) * sizeof *c->constant);
  e->table = copy(arena, c->table, (size_t)(c->n_tables + 1) * sizeof(const hk_curve *));
  e->text = hk_arena_strndup(arena, c->text, (size_t)c->length);
  e->n_code = c->n_code;
  e->dim = result->dim;
  e->is_constant = result->constant;
  e->is_plain_zero = result->zero;
  bool ok = e->code && e->constant && e->table && e->text && list_calls(arena, e);
  return ok ? e : NULL;
}

hk_expr *hk_expr_compile(hk_arena *arena, const char *text, size_t length, hk_resolve_fn *resolve,
                         void *context, hk_expr_error *err) {
  hk_expr_error ignored = {0};
  hk_compiler c = {.arena = arena, .text = text, .resolve = resolve, .context = context};
  c.err = err ? err : &ignored;
  if (length > HK_EXPR_MAX_LENGTH) {
    hk_expr_fail(&c, HK_EXPR_MAX_LENGTH, "this expression is too long (more than %d bytes)",
                 HK_EXPR_MAX_LENGTH);
    return NULL;
  }
  c.length = (int)length;
  /* No function produces more than four operations per byte of its call. */
  c.code_capacity = 4 * c.length + 32;
  c.constant_capacity = c.length + 32;
  c.code = calloc((size_t)c.code_capacity, sizeof *c.code);
  c.constant = calloc((size_t)c.constant_capacity + 1, sizeof *c.constant);
  c.table_capacity = c.length / 3 + 1; /* a call has at least three characters */
  c.table = calloc((size_t)c.table_capacity + 1, sizeof(const hk_curve *));
  hk_expr *e = NULL;
  if (!c.code || !c.constant || !c.table) {
    hk_expr_fail(&c, 0, "out of memory");
  } else if (hk_expr_parse_all(&c)) {
    e = finish(arena, &c);
    if (!e) hk_expr_fail(&c, 0, "out of memory");
  }
  free(c.code);
  free(c.constant);
  free(c.table);
  return e;
}

hk_expr *hk_expr_constant(hk_arena *arena, double value, hk_dim dim) {
  char unit[128];
  hk_expr *e = HK_NEW(arena, hk_expr);
  int *slot = HK_NEW(arena, int);
  hk_instruction *code = HK_NEW(arena, hk_instruction);
  double *constant = HK_NEW(arena, double);
  if (!e || !slot || !code || !constant) return NULL;
  *constant = value;
  *code = (hk_instruction){OP_CONST, 0};
  bool plain = hk_dim_is_none(dim);
  hk_dim_format(dim, unit, sizeof unit);
  *e = (hk_expr){.code = code,
                 .n_code = 1,
                 .constant = constant,
                 .slot = slot,
                 .dim = dim,
                 .is_constant = true,
                 .is_plain_zero = value == 0 && plain};
  char number[HK_NUMBER_SIZE];
  hk_number_exact(value, number);
  e->text = hk_arena_printf(arena, "%s%s%s", number, plain ? "" : " ", plain ? "" : unit);
  return e->text ? e : NULL;
}
