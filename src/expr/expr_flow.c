/* Bytecode -> range of an expression along a path on which its variables change, range of its
 * rate, and whether it has a kink or a jump there: the program is evaluated with ranges instead of
 * numbers.
 *
 * Every operand is a range of values with a range of rates (derivatives with respect to the
 * parameter of the path, by the chain rule). An unknown variable (hk_flow.known is false) may
 * have any value; if such variables are involved, the time of a kink is unknown, and no kink is
 * reported. Parts of the expression that have no influence do not count: operands after a decided
 * comparison, factors of 0, and branches that are not selected. For a single point the range equals
 * the value of expr_value.c to the last bit, so that bisection finds the two adjacent numbers
 * between which a comparison changes.
 *
 * The computation of rates doubles the cost. It is omitted for paths on which the variables have no rate; such paths
 * are sufficient for hk_expr_within. */
#include "expr/expr_range.h"

static range chosen(range condition, range a, range b) {
  int is = truth(condition);
  if (is >= 0) return is ? a : b;
  range out = with_rate(hull(a, b), hull_of(rates(a), rates(b)));
  out.bends = out.bends || condition.bends;
  out.corner = out.corner || condition.corner;
  out.known = out.known && condition.known;
  return out;
}

/* The points of a table are not kinks, because they limit the steps separately.  The points of
 * interp are kinks. */
static range looked_up(const hk_curve *table, range a) {
  double lo, hi;
  range f = hk_curve_range(table, a.lo, a.hi, &lo, &hi) ? between(lo, hi, a) : both(a, a);
  if (table->kinks && hk_curve_passes_point(table, a.lo, a.hi)) f = broken(f);
  f.corner = f.corner || hk_curve_has_corner(table, a.lo, a.hi);
  if (rests(a)) return with_rate(f, (span){0, 0});
  bool known = hk_curve_slope_range(table, a.lo, a.hi, &lo, &hi);
  return with_rate(f, known ? times_span((span){lo, hi}, rates(a)) : any_rate);
}

/* Path of the variables, by slot; or one variable that covers a range without a rate, while all
 * others are unknown. */
typedef struct way {
  const hk_flow *variable;
  int slot;
  double from, to;
} way;

static range load(const way *along, int slot) {
  if (along->variable) return along->variable[slot];
  return slot == along->slot ? (range){along->from, along->to, 0, 0, .known = true} : anything;
}

/* ---- the most frequent operations, inlined ---- */

/* Combines the flags of both operands, and sets the limits in ascending order. */
static inline void settle(range *a, const range *b, double lo, double hi, double rate_lo,
                          double rate_hi) {
  bool number = lo <= hi, rate = rate_lo <= rate_hi;
  a->lo = number ? lo : -INFINITY, a->hi = number ? hi : INFINITY;
  a->rate_lo = rate ? rate_lo : -INFINITY, a->rate_hi = rate ? rate_hi : INFINITY;
  a->bends = a->bends || b->bends, a->known = a->known && b->known;
  a->corner = a->corner || b->corner;
}

static inline void add(range *a, const range *b) {
  settle(a, b, a->lo + b->lo, a->hi + b->hi, a->rate_lo + b->rate_lo, a->rate_hi + b->rate_hi);
}

static inline void subtract(range *a, const range *b) {
  settle(a, b, a->lo - b->hi, a->hi - b->lo, a->rate_lo - b->rate_hi, a->rate_hi - b->rate_lo);
}

/* Returns true if the operand is a known number that is neither 0 nor infinite. */
static inline bool is_factor(const range *a) {
  return a->lo == a->hi && rests(*a) && a->known && !a->bends && !a->corner && a->lo != 0 &&
         isfinite(a->lo);
}

/* Multiplies a by c. a must not be exactly 0: a factor of 0 would hide invalid values of the other operand. */
static inline void scale(range *a, double c) {
  if (c > 0)
    settle(a, a, a->lo * c, a->hi * c, a->rate_lo * c, a->rate_hi * c);
  else
    settle(a, a, a->hi * c, a->lo * c, a->rate_hi * c, a->rate_lo * c);
}

static inline void divide(range *a, double c) {
  if (c > 0)
    settle(a, a, a->lo / c, a->hi / c, a->rate_lo / c, a->rate_hi / c);
  else
    settle(a, a, a->hi / c, a->lo / c, a->rate_hi / c, a->rate_lo / c);
}

static inline void multiply(range *a, const range *b) {
  if (is_factor(b) && !is_point(*a, 0)) {
    scale(a, b->lo);
  } else if (is_factor(a) && !is_point(*b, 0)) {
    double c = a->lo;
    *a = *b;
    scale(a, c);
  } else {
    *a = hk_flow_binary(OP_MUL, *a, *b);
  }
}

static range run(const hk_expr *e, const way *along) {
  range stack[HK_EXPR_STACK + 1], *top = stack;
  const range constant = {.known = true};
  *top = anything;
  for (const hk_instruction *i = e->code, *end = e->code + e->n_code; i < end; i++) {
    switch (i->op) {
      case OP_CONST:
        *++top = constant_of(e->constant[i->arg], constant);
        break;
      case OP_LOAD:
        *++top = load(along, e->slot[i->arg]);
        break;
      case OP_PICK:
        top[1] = top[-i->arg];
        top++;
        break;
      case OP_SLIDE:
        top[-i->arg] = *top;
        top -= i->arg;
        break;
      case OP_SELECT:
        top -= 2;
        *top = chosen(top[0], top[1], top[2]);
        break;
      case OP_TABLE:
        *top = looked_up(e->table[i->arg], *top);
        break;
      case OP_ADD:
        top--;
        add(top, top + 1);
        break;
      case OP_SUB:
        top--;
        subtract(top, top + 1);
        break;
      case OP_MUL:
        top--;
        multiply(top, top + 1);
        break;
      case OP_DIV:
        top--;
        if (is_factor(top + 1) && !is_point(*top, 0))
          divide(top, top[1].lo);
        else
          *top = hk_flow_binary(OP_DIV, top[0], top[1]);
        break;
      default:
        if (i->op < OP_BINARY) {
          *top = hk_flow_unary(i->op, *top, e->constant + i->arg);
        } else {
          top--;
          *top = hk_flow_binary(i->op, top[0], top[1]);
        }
    }
  }
  return *top;
}

hk_flow hk_expr_flow(const hk_expr *e, const hk_flow *variable) {
  const way along = {.variable = variable};
  return run(e, &along);
}

hk_flow hk_expr_within(const hk_expr *e, int slot, double from, double to) {
  const way along = {.slot = slot, .from = from, .to = to};
  return run(e, &along);
}

bool hk_expr_bends_within(const hk_expr *e, int slot, double from, double to) {
  return hk_expr_within(e, slot, from, to).bends;
}
