/* Bytecode -> what an expression may be along a way on which its variables move, how fast it may change, and whether it
 * has a corner or a jump there: the program run on ranges in place of numbers.
 *
 * Every operand is a range of values with a range of rates (derivatives by the parameter of the way, by the chain rule).
 * A variable of which nothing is known (hk_flow.known is false) may be anything; where such variables meet, nobody can say
 * when, and no corner is claimed.  What a decided comparison, a factor that is 0 or a branch that is not taken shuts out does
 * not count.  At a point a range is what expr_value.c has, to the last bit, so that halving finds the two numbers between
 * which a comparison turns.
 *
 * Rates cost as much again as values.  A way whose variables have no rate, which is all that hk_expr_within asks for,
 * skips them. */
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

/* Its own points are no bends: steps are bounded by them. */
static range looked_up(const hk_curve *table, range a) {
  double lo, hi;
  range f = hk_curve_range(table, a.lo, a.hi, &lo, &hi) ? between(lo, hi, a) : both(a, a);
  f.corner = f.corner || hk_curve_has_corner(table, a.lo, a.hi);
  if (rests(a)) return with_rate(f, (span){0, 0});
  bool known = hk_curve_slope_range(table, a.lo, a.hi, &lo, &hi);
  return with_rate(f, known ? times_span((span){lo, hi}, rates(a)) : any_rate);
}

/* Variables by their slots, or one that goes through a range at rest and others of which nothing is known. */
typedef struct way {
  const hk_flow *variable;
  int slot;
  double from, to;
} way;

static range load(const way *along, int slot) {
  if (along->variable) return along->variable[slot];
  return slot == along->slot ? (range){along->from, along->to, 0, 0, .known = true} : anything;
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
