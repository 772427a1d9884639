/* The additive terms of an expression, each as an expression of its own.
 *
 * A search for narrow peaks compares an expression with its own smooth change. In a sum, a small peak of one term
 * would be compared with the change of the largest term. Therefore the search examines each term separately. Terms
 * that are polynomials of low degree need no search.
 *
 * A term is reached from the end of the program through sums, differences and constant factors only. The operands of an
 * operation are contiguous parts of the program, so a term is copied together with its factors. */
#include "expr/expr_private.h"
#include <stdlib.h>
#include <string.h>

typedef struct picker {
  const hk_expr *e;
  /* [n_code] degree of the part of the program that ends with this instruction */
  int *start, *degree;
  int gentle; /* terms up to this degree are omitted */
  int number; /* terms that are still to be passed */
  hk_instruction *code;
  int n;
  int *place; /* [n_slots] index of each variable in the list of the term */
} picker;

static void copy(picker *p, int from, int to) {
  memcpy(p->code + p->n, p->e->code + from, (size_t)(to - from + 1) * sizeof *p->code);
  p->n += to - from + 1;
}

static bool is_constant(const picker *p, int root) { return p->degree[root] == 0; }

/* Copies the wanted term of the part that ends with the instruction `root`, with its factors and sign; false: the part has
 * fewer terms. */
static bool pick(picker *p, int root) {
  int op = p->e->code[root].op, right = root - 1;
  int left = root > p->start[root] ? p->start[right] - 1 : right, kept = p->n;
  if (p->degree[root] <= p->gentle) return false;
  if (op == OP_NEG) {
    if (!pick(p, right)) return false;
  } else if (op == OP_ADD || op == OP_SUB) {
    if (pick(p, left)) return true;
    if (!pick(p, right)) return false;
    if (op == OP_ADD) return true;
    p->code[p->n++] = (hk_instruction){OP_NEG, 0};
    return true;
  } else if (op == OP_MUL && is_constant(p, left)) {
    copy(p, p->start[left], left);
    if (!pick(p, right)) {
      p->n = kept;
      return false;
    }
  } else if ((op == OP_MUL || op == OP_DIV) && is_constant(p, right)) {
    if (!pick(p, left)) return false;
    copy(p, p->start[right], right);
  } else {
    if (p->number-- > 0) return false;
    copy(p, p->start[root], root);
    return true;
  }
  copy(p, root, root);
  return true;
}

/* Degree of a part of the program. Sensors do not count as polynomials here, because their
 * degree is not known. Parts of an expanded function that copy an operand from outside the part
 * do not count as polynomials either. */
static int degree_of(const hk_expr *e, int from, int to, const bool *sensor) {
  for (int i = from; i <= to; i++) {
    const hk_instruction *k = &e->code[i];
    if (k->op == OP_PICK || (k->op == OP_LOAD && sensor[e->slot[k->arg]])) return HK_NO_DEGREE;
  }
  const hk_expr part = {
      .code = e->code + from, .n_code = to - from + 1, .constant = e->constant, .slot = e->slot};
  return hk_expr_degree(&part, false);
}

/* Finds where the operands of each instruction begin, and their degrees. */
static void measure(picker *p, const bool *sensor) {
  int begin[HK_EXPR_STACK + 1], *top = begin;
  for (int i = 0; i < p->e->n_code; i++) {
    const hk_instruction *k = &p->e->code[i];
    bool leaf = k->op == OP_CONST || k->op == OP_LOAD || k->op == OP_PICK;
    if (leaf) *++top = i;
    if (k->op == OP_SLIDE) top -= k->arg;
    if (k->op == OP_SELECT) top -= 2;
    if (k->op >= OP_BINARY) top--;
    p->start[i] = *top;
    p->degree[i] = degree_of(p->e, *top, i, sensor);
  }
}

/* The copied program as an expression with its own list of variables and number of tables; NULL: out of memory. */
static const hk_expr *keep(hk_arena *arena, const picker *p) {
  hk_expr *out = HK_NEW(arena, hk_expr);
  hk_instruction *code = HK_NEW_ARRAY(arena, hk_instruction, p->n);
  int n_slots = 0, *place = p->place;
  memset(place, 0, (size_t)p->e->n_slots * sizeof *place);
  for (int i = 0; i < p->n; i++)
    if (p->code[i].op == OP_LOAD) n_slots += !place[p->code[i].arg]++;
  int *slot = HK_NEW_ARRAY(arena, int, n_slots + 1);
  if (!out || !code || !slot) return NULL;
  *out = *p->e;
  out->n_slots = out->n_calls = 0;
  for (int i = 0; i < p->e->n_slots; i++) {
    if (!place[i]) continue;
    slot[out->n_slots] = p->e->slot[i];
    place[i] = out->n_slots++;
  }
  for (int i = 0; i < p->n; i++) {
    code[i] = p->code[i];
    if (code[i].op == OP_LOAD) code[i].arg = place[code[i].arg];
    out->n_calls += code[i].op == OP_TABLE;
  }
  out->code = code, out->n_code = p->n, out->slot = slot;
  return out;
}

static bool pick_number(picker *p, int number) {
  p->number = number, p->n = 0;
  return p->e->n_code > 0 && pick(p, p->e->n_code - 1);
}

const hk_expr *const *hk_expr_terms(hk_arena *arena, const hk_expr *e, int gentle,
                                    const bool *sensor, int *n) {
  const size_t length = (size_t)e->n_code + 1;
  int *room = malloc((2 * length + (size_t)e->n_slots + 1) * sizeof *room);
  picker p = {.e = e, .gentle = gentle, .code = malloc(length * sizeof *p.code)};
  const hk_expr **term = NULL;
  *n = 0;
  if (room && p.code) {
    p.start = room, p.degree = room + length, p.place = room + 2 * length;
    measure(&p, sensor);
    while (pick_number(&p, *n)) ++*n;
    term = HK_NEW_ARRAY(arena, const hk_expr *, *n + 1);
  }
  for (int i = 0; term && i < *n; i++) {
    pick_number(&p, i);
    term[i] = keep(arena, &p);
    if (!term[i]) term = NULL;
  }
  free(room);
  free(p.code);
  return term;
}
