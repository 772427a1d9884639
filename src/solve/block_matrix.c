/* Block-sparse matrix: see block_matrix.h. */
#include "solve/block_matrix.h"
#include "base/huge_pages.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

hk_block_pattern *hk_block_pattern_create(int nb, const int *size, const uint8_t *is_multiplier) {
  if (nb < 0) return NULL;
  for (int i = 0, room = INT_MAX; i < nb; room -= size[i++])
    if (size[i] < 1 || size[i] > room ||
        (is_multiplier && is_multiplier[i] && size[i] > HK_BLOCK_MAX))
      return NULL;
  hk_block_pattern *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  size_t n = (size_t)nb;
  p->nb = nb;
  p->size = malloc((2 * n + 1) * sizeof *p->size);
  p->is_multiplier = calloc(n + 1, 1);
  p->offset = malloc((n + 1) * sizeof *p->offset);
  if (!p->size || !p->is_multiplier || !p->offset) {
    hk_block_pattern_free(p);
    return NULL;
  }
  p->stride = p->size + n;
  int rows = 0;
  for (int i = 0; i < nb; i++) {
    p->size[i] = p->stride[i] = size[i];
    p->is_multiplier[i] = is_multiplier && is_multiplier[i];
    p->offset[i] = rows;
    rows += size[i];
  }
  p->offset[nb] = p->rows = rows;
  return p;
}

void hk_block_pattern_free(hk_block_pattern *p) {
  if (!p) return;
  free(p->size);
  free(p->is_multiplier);
  free(p->offset);
  free(p->row_start);
  free(p->column);
  free(p->value_start);
  free(p->pair);
  free(p);
}

hk_status hk_block_pattern_add(hk_block_pattern *p, int i, int j) {
  if (p->finished || i < 0 || j < 0 || i >= p->nb || j >= p->nb) return HK_EINPUT;
  if (i == j) return HK_OK;
  if (p->n_pair == p->pair_capacity) {
    size_t capacity = p->pair_capacity ? 2 * p->pair_capacity : 64;
    int *grown = realloc(p->pair, 2 * capacity * sizeof *grown);
    if (!grown) return HK_ENOMEM;
    p->pair = grown;
    p->pair_capacity = capacity;
  }
  p->pair[2 * p->n_pair] = i;
  p->pair[2 * p->n_pair + 1] = j;
  p->n_pair++;
  return HK_OK;
}

/* Sorts entries (i,j), (j,i) and the diagonal into buckets by `key`; keeps the order within a
 * bucket. Two passes (by column, then by row) sort all entries in linear time. */
static void bucket_sort(int nb, size_t n, const int *in, int key, size_t *start, int *out) {
  memset(start, 0, ((size_t)nb + 1) * sizeof *start);
  for (size_t e = 0; e < n; e++) start[in[2 * e + key] + 1]++;
  for (int i = 0; i < nb; i++) start[i + 1] += start[i];
  for (size_t e = 0; e < n; e++) {
    size_t to = start[in[2 * e + key]]++;
    out[2 * to] = in[2 * e];
    out[2 * to + 1] = in[2 * e + 1];
  }
}

static void expand_pairs(const hk_block_pattern *p, int *entry) {
  size_t n = 0;
  for (int i = 0; i < p->nb; i++, n++) entry[2 * n] = entry[2 * n + 1] = i;
  for (size_t k = 0; k < p->n_pair; k++, n += 2) {
    int i = p->pair[2 * k], j = p->pair[2 * k + 1];
    entry[2 * n] = entry[2 * n + 3] = i;
    entry[2 * n + 1] = entry[2 * n + 2] = j;
  }
}

/* `entry` is sorted by row, then column. */
static void compress(hk_block_pattern *p, const int *entry, size_t n) {
  int nnz = 0;
  size_t e = 0, value = 0;
  for (int i = 0; i < p->nb; i++) {
    p->row_start[i] = nnz;
    for (; e < n && entry[2 * e] == i; e++) {
      int j = entry[2 * e + 1];
      if (nnz > p->row_start[i] && p->column[nnz - 1] == j) continue;
      p->column[nnz] = j;
      p->value_start[nnz] = value;
      value += (size_t)p->size[i] * (size_t)p->size[j];
      nnz++;
    }
  }
  p->row_start[p->nb] = nnz;
  p->n_value = value;
}

hk_status hk_block_pattern_finish(hk_block_pattern *p) {
  if (p->finished) return HK_EINPUT;
  size_t nb = (size_t)p->nb, n = nb + 2 * p->n_pair;
  if (n > INT_MAX / 2) return HK_EINPUT;
  hk_status status = HK_ENOMEM;
  int *a = calloc(2 * n + 1, sizeof *a), *b = calloc(2 * n + 1, sizeof *b);
  size_t *start = malloc((nb + 1) * sizeof *start);
  p->row_start = malloc((nb + 1) * sizeof *p->row_start);
  p->column = malloc((n + 1) * sizeof *p->column);
  p->value_start = malloc((n + 1) * sizeof *p->value_start);
  if (a && b && start && p->row_start && p->column && p->value_start) {
    expand_pairs(p, a);
    bucket_sort(p->nb, n, a, 1, start, b);
    bucket_sort(p->nb, n, b, 0, start, a);
    compress(p, a, n);
    free(p->pair);
    p->pair = NULL;
    p->n_pair = p->pair_capacity = 0;
    p->finished = true;
    status = HK_OK;
  } else {
    free(p->row_start);
    free(p->column);
    free(p->value_start);
    p->row_start = p->column = NULL;
    p->value_start = NULL;
  }
  free(a);
  free(b);
  free(start);
  return status;
}

int hk_block_pattern_block_of_row(const hk_block_pattern *p, int row) {
  if (row < 0 || row >= p->rows) return -1;
  int low = 0, high = p->nb;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (p->offset[middle] <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

int hk_block_pattern_find(const hk_block_pattern *p, int i, int j) {
  if (!p->finished || i < 0 || j < 0 || i >= p->nb || j >= p->nb) return -1;
  int low = p->row_start[i], high = p->row_start[i + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (p->column[middle] == j) return middle;
    if (p->column[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

hk_block_matrix *hk_block_matrix_create(const hk_block_pattern *p) {
  if (!p || !p->finished) return NULL;
  hk_block_matrix *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->pattern = p;
  m->n_value = p->n_value;
  m->value = hk_huge_calloc(p->n_value + 4, sizeof *m->value);
  if (!m->value) {
    free(m);
    return NULL;
  }
  return m;
}

void hk_block_matrix_free(hk_block_matrix *m) {
  if (!m) return;
  free(m->value);
  free(m);
}

double *hk_block_matrix_at(const hk_block_matrix *m, int i, int j, int *row_stride) {
  int e = hk_block_pattern_find(m->pattern, i, j);
  if (e < 0) return NULL;
  if (row_stride) *row_stride = m->pattern->size[j];
  return m->value + m->pattern->value_start[e];
}

void hk_block_matrix_multiply(const hk_block_matrix *m, const double *x, double *y) {
  const hk_block_pattern *p = m->pattern;
  for (int i = 0; i < p->nb; i++) {
    int rows = p->size[i];
    double *sum = y + p->offset[i];
    memset(sum, 0, (size_t)rows * sizeof *sum);
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e], columns = p->size[j];
      const double *a = m->value + p->value_start[e], *xj = x + p->offset[j];
      for (int r = 0; r < rows; r++, a += columns)
        for (int c = 0; c < columns; c++) sum[r] += a[c] * xj[c];
    }
  }
}
