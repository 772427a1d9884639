/* Division of large blocks into parts of at most HK_BLOCK_MAX rows: see block_matrix.h.
 *
 * The elimination works with small blocks in registers. A node with more rows is eliminated part by part; its values stay
 * one dense block, so that elements add to it as to any other. */
#include "solve/block_matrix.h"
#include <stdlib.h>

static int parts_of(int size) { return (size + HK_BLOCK_MAX - 1) / HK_BLOCK_MAX; }

/* First row of part k of a block. The sizes of the parts differ by at most one row. */
static int part_start(int size, int k) {
  int n = parts_of(size), least = size / n, more = size % n;
  return k * least + (k < more ? k : more);
}

/* Determines for the divided pattern: the sizes of the blocks, the index of the first part of each original block
 * (first[nb + 1]), and which parts are multipliers. */
static hk_block_pattern *make_parts(const hk_block_pattern *p, int *first) {
  int n = 0;
  for (int i = 0; i < p->nb; i++) first[i] = n, n += parts_of(p->size[i]);
  first[p->nb] = n;
  int *size = malloc(((size_t)n + 1) * sizeof *size);
  uint8_t *multiplier = malloc((size_t)n + 1);
  hk_block_pattern *split = NULL;
  for (int i = 0; size && multiplier && i < p->nb; i++)
    for (int k = first[i]; k < first[i + 1]; k++) {
      size[k] = part_start(p->size[i], k - first[i] + 1) - part_start(p->size[i], k - first[i]);
      multiplier[k] = p->is_multiplier[i];
    }
  if (size && multiplier) split = hk_block_pattern_create(n, size, multiplier);
  free(size);
  free(multiplier);
  return split;
}

/* Couples all parts of two blocks that are coupled. */
static hk_status couple(const hk_block_pattern *p, const int *first, hk_block_pattern *split) {
  hk_status status = HK_OK;
  for (int i = 0; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++)
      for (int k = first[i]; k < first[i + 1]; k++)
        for (int l = first[p->column[e]]; l < first[p->column[e] + 1] && !status; l++)
          if (l < k) status = hk_block_pattern_add(split, k, l);
  return status ? status : hk_block_pattern_finish(split);
}

/* Replaces the positions of the values by their positions in the original blocks. */
static void locate(const hk_block_pattern *p, const int *first, hk_block_pattern *split) {
  for (int i = 0; i < p->nb; i++)
    for (int k = first[i]; k < first[i + 1]; k++) {
      split->stride[k] = p->stride[i];
      int e = split->row_start[k];
      for (int f = p->row_start[i]; f < p->row_start[i + 1]; f++) {
        int j = p->column[f];
        for (int l = first[j]; l < first[j + 1]; l++, e++)
          split->value_start[e] =
              p->value_start[f] +
              (size_t)part_start(p->size[i], k - first[i]) * (size_t)p->stride[j] +
              (size_t)part_start(p->size[j], l - first[j]);
      }
    }
  split->n_value = p->n_value;
}

hk_status hk_block_pattern_split(const hk_block_pattern *p, hk_block_pattern **split) {
  bool large = false;
  *split = NULL;
  for (int i = 0; i < p->nb; i++) large = large || p->size[i] > HK_BLOCK_MAX;
  if (!large) return HK_OK;
  int *first = malloc(((size_t)p->nb + 1) * sizeof *first);
  hk_block_pattern *q = first ? make_parts(p, first) : NULL;
  hk_status status = q ? couple(p, first, q) : HK_ENOMEM;
  if (!status) locate(p, first, q);
  free(first);
  if (status) {
    hk_block_pattern_free(q);
    return status;
  }
  *split = q;
  return HK_OK;
}
