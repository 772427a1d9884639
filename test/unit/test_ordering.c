/* Elimination order: the fill equals that of a dense symbolic elimination, multipliers follow their
 * nodes, and the order is found quickly. */
#include "support/block_model.h"
#include "solve/ordering.h"
#include <time.h>

/* Fill of every pivot = later neighbours in the graph of a dense symbolic elimination; a multiplier
 * is never eliminated before its nodes. */
static void test_ordering(void **state) {
  (void)state;
  for (int trial = 0; trial < 30; trial++) {
    model *s = model_new();
    int n = 2 + below(60);
    for (int i = 0; i < n; i++) add_block(s, 1 + below(6), i > n / 2);
    start(s);
    for (int k = 0; k < 3 * n / 2; k++) couple(s, below(n), below(n));
    assert_int_equal(hk_block_pattern_finish(s->p), HK_OK);
    hk_ordering *o;
    assert_int_equal(hk_ordering_create(s->p, &o), HK_OK);
    uint8_t *edge = calloc((size_t)(n * n), 1), *gone = calloc((size_t)n, 1);
    for (int i = 0; i < n; i++)
      for (int e = s->p->row_start[i]; e < s->p->row_start[i + 1]; e++)
        edge[i * n + s->p->column[e]] = 1;
    for (int k = 0; k < n; k++) {
      int p = o->order[k];
      assert_int_equal(o->position[p], k);
      assert_false(gone[p]);
      gone[p] = 1;
      if (s->multiplier[p])
        for (int e = s->p->row_start[p]; e < s->p->row_start[p + 1]; e++)
          assert_true(s->multiplier[s->p->column[e]] || gone[s->p->column[e]]);
      size_t count = 0;
      for (int i = 0; i < n; i++) count += edge[p * n + i] && !gone[i];
      assert_int_equal(count, o->fill_start[k + 1] - o->fill_start[k]);
      for (size_t f = o->fill_start[k]; f < o->fill_start[k + 1]; f++) {
        assert_true(edge[p * n + o->fill[f]] && !gone[o->fill[f]]);
        for (size_t g = o->fill_start[k]; g < o->fill_start[k + 1]; g++)
          edge[o->fill[f] * n + o->fill[g]] = 1;
      }
    }
    free(edge), free(gone);
    hk_ordering_free(o);
    model_free(s);
  }
}

/* Analysis time of a chain, a grid and a star of about 4000 blocks. */
static void test_ordering_time(void **state) {
  (void)state;
  for (int shape = 0; shape < 3; shape++) {
    model *s = model_new();
    int n = shape == 2 ? 3969 : 4000, side = 63;
    for (int i = 0; i < n; i++) add_block(s, 6, shape == 1 && i >= n / 2);
    start(s);
    for (int i = 0; i < n; i++) {
      if (shape == 0 && i) couple(s, i, i - 1);
      if (shape == 1 && i >= n / 2) couple(s, i, i - n / 2);
      if (shape == 1 && i > n / 2) couple(s, i, i - n / 2 - 1);
      if (shape == 2 && i % side) couple(s, i, i - 1);
      if (shape == 2 && i >= side) couple(s, i, i - side);
    }
    assert_int_equal(hk_block_pattern_finish(s->p), HK_OK);
    hk_front_plan *plan;
    clock_t t0 = clock();
    assert_int_equal(hk_front_plan_create(s->p, &plan, NULL), HK_OK);
    double seconds = (double)(clock() - t0) / CLOCKS_PER_SEC;
    print_message("shape %d: %d blocks analysed in %.1f ms, %.1f doubles per row\n", shape, n,
                  1e3 * seconds, (double)plan->n_factor / s->p->rows);
    /* A linear amount of fill for the chains; a grid of n blocks needs about 8 n log2(n). */
    assert_true((double)plan->n_factor / s->p->rows < (shape == 2 ? 900 : 60));
    hk_front_plan_free(plan);
    model_free(s);
  }
}

int main(void) {
  seed = 88172645463325252u;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ordering),
      cmocka_unit_test(test_ordering_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
