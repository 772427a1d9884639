/* Symbolic analysis: from the elimination order to fronts and the list of operations that fill
 * them.
 *
 * Blocks are grouped into fronts along the elimination tree. Merging a child with its parent
 * saves the addition of its Schur complement but makes the panels of the child as long as the
 * front of the parent; the choice is based on an estimate of instructions. */
#include "solve/block_lu.h"
#include "solve/ordering.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MERGED_ROWS = 64 }; /* keeps the search for merges linear in the number of blocks */

/* Scratch of the analysis; index k is the position in the elimination order. */
typedef struct plan_work {
  const hk_block_pattern *p;
  const hk_ordering *o;
  int *parent; /* [n] first later block that block k couples to; -1: k is a root */
  /* [n] first entry of the list of children, while the tree of fronts is built */
  int *first_child;
  int *next_sibling; /* [n] */
  int *first;        /* [n] first pivot of the front whose last pivot is k */
  int *next;         /* [n] next pivot of the same front; -1: k is the last */
  int *pivot_rows;   /* [n] number of pivot rows of the front whose last pivot is k */
  int *boundary;     /* [n] number of rows in the fill of k */
  int *front_of;     /* [n] */
  int *final;        /* [n] by block: position in the final order */
  int *local;        /* [n] by block: row within the current front */
  int *stack;        /* [n] */
  int *blocks;       /* [n] block list of one front */
} plan_work;

/* Estimated instructions for eliminating p rows that couple to r other rows, plus two solves. */
static double step_cost(int p, int r) {
  double v = (r + 3) / 4, w = (p + 3) / 4;
  double factor = p * (v * (p + 1) + p) + r * (v * (p + 2) + p + 3);
  double solve = (r + 3) / 4 * (4 * w + 8) + w * (4 * v + 8);
  return factor + 2 * solve;
}

/* Instructions saved if a front with r boundary rows need not be added to its parent. */
static double join_gain(int r) { return 120 + r * (5 + 2.0 * r / 3 + 8) + 2 * 10.0 * r; }

/* Computes the additional cost of the steps of child front c if its rows have `extra` more columns. */
static double join_cost(const plan_work *w, int c, int extra) {
  if (extra == 0) return 0;
  double cost = 0;
  int r = w->pivot_rows[c] + w->boundary[c];
  for (int k = w->first[c]; k >= 0; k = w->next[k]) {
    int size = w->p->size[w->o->order[k]];
    r -= size;
    cost += step_cost(size, r + extra) - step_cost(size, r);
  }
  return cost;
}

/* Inserts the pivots of child front c before those of front k. */
static void join(plan_work *w, int c, int k) {
  w->next[c] = w->first[k];
  w->first[k] = w->first[c];
  w->pivot_rows[k] += w->pivot_rows[c];
}

/* Merges the child of k with the largest boundary if this saves instructions, then the next
 * child. */
static void join_children(plan_work *w, int k) {
  int previous = -1;
  for (int c = w->first_child[k], following; c >= 0; c = following) {
    following = w->next_sibling[c];
    int extra = w->pivot_rows[k] + w->boundary[k] - w->boundary[c];
    bool pays = w->pivot_rows[k] + w->pivot_rows[c] <= MAX_MERGED_ROWS &&
                join_cost(w, c, extra) < join_gain(w->boundary[c]);
    if (!pays) {
      previous = c;
      continue;
    }
    join(w, c, k);
    /* The children of c become children of k; they are not considered again. */
    int head = w->first_child[c];
    if (head >= 0) {
      int tail = head;
      while (w->next_sibling[tail] >= 0) tail = w->next_sibling[tail];
      w->next_sibling[tail] = following;
    } else {
      head = following;
    }
    if (previous >= 0)
      w->next_sibling[previous] = head;
    else
      w->first_child[k] = head;
    for (int g = w->first_child[c]; g >= 0 && g != following; g = w->next_sibling[g]) previous = g;
    w->first_child[c] = -1;
  }
}

/* Inserts c into the children of k, sorted by descending key. Of equal keys the later one comes first, so that a hub
 * with equal children needs linear time only. */
static void add_child(plan_work *w, int c, int k, const int *key) {
  int *link = &w->first_child[k];
  while (*link >= 0 && key[*link] > key[c]) link = &w->next_sibling[*link];
  w->next_sibling[c] = *link;
  *link = c;
}

static void build_fronts(plan_work *w) {
  const hk_ordering *o = w->o;
  for (int k = 0; k < o->n; k++) {
    w->parent[k] = w->first_child[k] = w->next_sibling[k] = w->next[k] = -1;
    w->first[k] = k;
    w->pivot_rows[k] = w->p->size[o->order[k]];
    w->boundary[k] = 0;
    for (size_t f = o->fill_start[k]; f < o->fill_start[k + 1]; f++) {
      int at = o->position[o->fill[f]];
      w->boundary[k] += w->p->size[o->fill[f]];
      if (w->parent[k] < 0 || at < w->parent[k]) w->parent[k] = at;
    }
  }
  for (int k = 0; k < o->n; k++) {
    join_children(w, k);
    if (w->parent[k] >= 0) add_child(w, k, w->parent[k], w->boundary);
  }
}

/* Sorts the children of every front by the number of blocks below them, largest first, so that
 * small subtrees are finished just before their parent needs them, while still in cache. */
static void sort_children(plan_work *w) {
  int n = w->o->n, *below = w->local;
  for (int k = 0; k < n; k++) below[k] = 1;
  for (int k = 0; k < n; k++)
    if (w->parent[k] >= 0) below[w->parent[k]] += below[k];
  for (int k = 0; k < n; k++) {
    int unsorted = w->first_child[k];
    w->first_child[k] = -1;
    while (unsorted >= 0) {
      int c = unsorted;
      unsorted = w->next_sibling[c];
      add_child(w, c, k, below);
    }
  }
}

/* Numbers the fronts so that children come first and close to their parent. */
static void number_fronts(plan_work *w, hk_front_plan *plan) {
  int n = w->o->n, place = 0;
  for (int k = 0; k < n; k++) w->front_of[k] = -1;
  /* A block with a successor was merged; any other block is the last pivot of a front. */
  for (int root = 0; root < n; root++) {
    if (w->next[root] >= 0 || w->parent[root] >= 0) continue;
    int depth = 0;
    w->stack[depth++] = root;
    while (depth) {
      int k = w->stack[depth - 1], child = w->first_child[k];
      if (child >= 0) {
        w->first_child[k] = w->next_sibling[child];
        w->stack[depth++] = child;
        continue;
      }
      depth--;
      int f = plan->n_front++;
      for (int j = w->first[k]; j >= 0; j = w->next[j]) {
        w->front_of[j] = f;
        w->final[w->o->order[j]] = place++;
      }
      w->local[f] = k; /* last pivot of front f; replaced when the rows are assigned */
    }
  }
}

/* Merge sort by position in the final order. */
static void sort_blocks(int *block, int n, const int *final, int *spare) {
  for (int width = 1; width < n; width *= 2) {
    for (int low = 0; low < n; low += 2 * width) {
      int middle = low + width < n ? low + width : n,
          high = low + 2 * width < n ? low + 2 * width : n;
      int a = low, b = middle;
      for (int t = low; t < high; t++) {
        bool left = a < middle && (b >= high || final[block[a]] <= final[block[b]]);
        spare[t] = left ? block[a++] : block[b++];
      }
    }
    memcpy(block, spare, (size_t)n * sizeof *block);
  }
}

static hk_status lay_out_front(plan_work *w, hk_front_plan *plan, int f, int last, int *n_step,
                               size_t *n_index) {
  const hk_block_pattern *p = w->p;
  const hk_ordering *o = w->o;
  hk_front *front = &plan->front[f];
  front->parent = w->parent[last] >= 0 ? w->front_of[w->parent[last]] : -1;
  front->step_start = *n_step;
  int n = 0;
  for (int k = w->first[last]; k >= 0; k = w->next[k]) {
    int block = o->order[k];
    plan->step[(*n_step)++] = (hk_front_step){.block = block,
                                              .row = p->offset[block],
                                              .offset = n,
                                              .size = (uint8_t)p->size[block],
                                              .is_multiplier = p->is_multiplier[block]};
    n += p->size[block];
  }
  front->step_end = *n_step;
  front->pivots = n;
  front->n = n + w->boundary[last];
  if (*n_index + (size_t)front->n > INT_MAX) return HK_ENOMEM;
  front->index_start = (int)*n_index;
  *n_index += (size_t)front->n;
  int stride = front->n;
  for (int s = front->step_start; s < front->step_end; s++) {
    int end = plan->step[s].offset + plan->step[s].size;
    int reach = end + (front->n - end + 3) / 4 * 4;
    if (reach > stride) stride = reach;
  }
  front->stride = (stride + 3) / 4 * 4;
  front->vector_start = plan->n_vector;
  plan->n_vector += ((size_t)front->n + 8 + 7) / 8 * 8;
  for (int s = front->step_start; s < front->step_end; s++) {
    hk_front_step *st = &plan->step[s];
    st->rest = front->n - st->offset - st->size;
    st->up = plan->n_factor;
    plan->n_factor += hk_step_up(st->size, st->rest);
  }
  if (front->n > plan->max_n) plan->max_n = front->n;
  return (size_t)front->n * (size_t)front->stride > INT_MAX / 2 ? HK_ENOMEM : HK_OK;
}

/* Assigns the offsets of the downward parts of all factors, after the upward parts. Vector loads
 * may read past the end of both. */
static void place_way_down(hk_front_plan *plan, int n_step) {
  enum { PAST = 4 * HK_BLOCK_MAX + 64 };
  plan->n_factor += PAST;
  for (hk_front_step *st = plan->step, *end = st + n_step; st < end; st++) {
    st->down = plan->n_factor;
    plan->n_factor += hk_step_down(st->size, st->rest);
  }
  plan->n_factor += PAST;
}

/* Assigns the rows of front f: index, and w->local of its blocks. */
static void place_rows(plan_work *w, hk_front_plan *plan, int f, int last) {
  const hk_ordering *o = w->o;
  hk_front *front = &plan->front[f];
  int nb = 0;
  for (int s = front->step_start; s < front->step_end; s++) w->blocks[nb++] = plan->step[s].block;
  int first_boundary = nb;
  for (size_t e = o->fill_start[last]; e < o->fill_start[last + 1]; e++)
    w->blocks[nb++] = o->fill[e];
  sort_blocks(w->blocks + first_boundary, nb - first_boundary, w->final, w->stack);
  int row = 0;
  for (int b = 0; b < nb; b++) {
    int block = w->blocks[b];
    w->local[block] = row;
    for (int r = 0; r < w->p->size[block]; r++)
      plan->index[front->index_start + row++] = w->p->offset[block] + r;
  }
}

/* Lists block e = (i, j) of the pattern: at once if its rows are contiguous, otherwise row by row. */
static void place_copy(hk_front_plan *plan, int e, int i, int j, int to, int stride, int *n_copy) {
  const hk_block_pattern *p = plan->pattern;
  size_t from = p->value_start[e];
  int pieces = p->stride[j] == p->size[j] ? 1 : p->size[i], rows = p->size[i] / pieces;
  for (int k = 0; k < pieces; k++, from += (size_t)p->stride[j], to += stride)
    plan->copy[(*n_copy)++] = (hk_front_copy){from, to, 8 * rows + p->size[j]};
}

/* Number of copies that place_copy makes for all blocks. */
static size_t count_copies(const hk_block_pattern *p) {
  size_t n = 0;
  for (int i = 0; i < p->nb; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e];
      n += p->stride[j] == p->size[j] ? 1 : (size_t)p->size[i];
    }
  return n;
}

/* Lists the blocks of A whose first eliminated index is a pivot of front f. */
static void place_copies(plan_work *w, hk_front_plan *plan, int f, int *n_copy) {
  const hk_block_pattern *p = w->p;
  hk_front *front = &plan->front[f];
  front->copy_start = *n_copy;
  for (int s = front->step_start; s < front->step_end; s++) {
    int i = plan->step[s].block, li = w->local[i], covered = 0;
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e];
      if (w->final[j] < w->final[i]) continue;
      int lj = w->local[j];
      covered += p->size[j];
      place_copy(plan, e, i, j, li * front->stride + lj, front->stride, n_copy);
      if (i != j)
        place_copy(plan, hk_block_pattern_find(p, j, i), j, i, lj * front->stride + li,
                   front->stride, n_copy);
    }
    if (s == front->step_start && covered == front->n) front->zero_from = p->size[i];
  }
  front->copy_end = *n_copy;
}

/* Builds the map from the boundary of each child to front f, whose rows are in w->local. */
static void place_runs(plan_work *w, hk_front_plan *plan, int f, int *n_run) {
  hk_front *front = &plan->front[f];
  front->in_start = *n_run;
  for (int c = front->child_start; c < front->child_end; c++) {
    hk_front *child = &plan->front[plan->child[c]];
    child->run_start = *n_run;
    for (int row = child->pivots; row < child->n;) {
      int block = hk_block_pattern_block_of_row(w->p, plan->index[child->index_start + row]);
      int size = w->p->size[block], from = row - child->pivots, to = w->local[block];
      hk_front_run *previous = *n_run > child->run_start ? &plan->run[*n_run - 1] : NULL;
      if (previous && previous->to + previous->width == to)
        previous->width += size;
      else
        plan->run[(*n_run)++] = (hk_front_run){from,
                                               to,
                                               size,
                                               false,
                                               child->vector_start + (size_t)(child->pivots + from),
                                               front->vector_start + (size_t)to};
      row += size;
    }
    child->run_end = *n_run;
    if (*n_run > child->run_start) plan->run[*n_run - 1].last = true;
  }
  front->in_end = *n_run;
}

static void list_children(hk_front_plan *plan, int *count) {
  memset(count, 0, ((size_t)plan->n_front + 1) * sizeof *count);
  for (int f = 0; f < plan->n_front; f++)
    if (plan->front[f].parent >= 0) count[plan->front[f].parent + 1]++;
  for (int f = 0; f < plan->n_front; f++) {
    count[f + 1] += count[f];
    plan->front[f].child_start = plan->front[f].child_end = count[f];
  }
  for (int f = 0; f < plan->n_front; f++)
    if (plan->front[f].parent >= 0) plan->child[plan->front[plan->front[f].parent].child_end++] = f;
}

/* Fronts of equal shape: they leave the same padding columns unused. */
typedef struct front_shape {
  int n, stride, lead;
  int idle; /* the front of this shape that was most recently added to its parent; -1: none */
} front_shape;
enum {
  MAX_SHAPES = 64
}; /* limits the search to linear time; fronts of further shapes have separate storage */

static front_shape *find_shape(front_shape *shape, int *n, const hk_front *front, int lead) {
  for (int k = 0; k < *n; k++)
    if (shape[k].n == front->n && shape[k].stride == front->stride && shape[k].lead == lead)
      return &shape[k];
  if (*n == MAX_SHAPES) return NULL;
  shape[*n] = (front_shape){front->n, front->stride, lead, -1};
  return &shape[(*n)++];
}

/* Padding at the start of a front, so that the panel of the first pivot starts at a multiple of
 * four doubles. */
static int lead_of(const hk_front_plan *plan, const hk_front *front) {
  return (4 - plan->step[front->step_start].size % 4) % 4;
}

/* Assigns storage. The storage of a front is in use until the front has been added to its parent. Then another front
 * of the same shape uses this storage, which is still in the cache. next: [n_front] scratch. */
static void share_storage(hk_front_plan *plan, int *next) {
  front_shape shape[MAX_SHAPES];
  int n_shapes = 0;
  for (int f = 0; f < plan->n_front; f++) {
    hk_front *front = &plan->front[f];
    int lead = lead_of(plan, front);
    front_shape *own = find_shape(shape, &n_shapes, front, lead);
    if (own && own->idle >= 0) {
      front->start = plan->front[own->idle].start;
      own->idle = next[own->idle];
    } else {
      size_t room = (size_t)(front->n + 1) * (size_t)front->stride + 8;
      front->start = plan->n_storage + (size_t)lead;
      plan->n_storage += (room + 7) / 8 * 8;
    }
    for (int c = front->child_start; c < front->child_end; c++) {
      int child = plan->child[c];
      own = find_shape(shape, &n_shapes, &plan->front[child], lead_of(plan, &plan->front[child]));
      if (own) next[child] = own->idle, own->idle = child;
    }
  }
}

static hk_status fill_plan(plan_work *w, hk_front_plan *plan) {
  const hk_block_pattern *p = w->p;
  size_t nb = (size_t)p->nb;
  build_fronts(w);
  sort_children(w);
  number_fronts(w, plan);
  size_t nf = (size_t)plan->n_front;
  int *last = malloc((nf + 1) * sizeof *last);
  plan->front = calloc(nf + 1, sizeof *plan->front);
  plan->step = malloc((nb + 1) * sizeof *plan->step);
  plan->copy = malloc((count_copies(p) + 1) * sizeof *plan->copy);
  plan->child = malloc((nf + 1) * sizeof *plan->child);
  hk_status status = HK_ENOMEM;
  if (!last || !plan->front || !plan->step || !plan->copy || !plan->child) goto done;
  memcpy(last, w->local, nf * sizeof *last);
  int n_step = 0, n_copy = 0, n_run = 0;
  size_t n_index = 0, boundary_blocks = 0;
  for (int f = 0; f < plan->n_front; f++) {
    if (lay_out_front(w, plan, f, last[f], &n_step, &n_index)) goto done;
    boundary_blocks += w->o->fill_start[last[f] + 1] - w->o->fill_start[last[f]];
  }
  plan->index = malloc((n_index + 1) * sizeof *plan->index);
  plan->run = malloc((boundary_blocks + 1) * sizeof *plan->run);
  if (!plan->index || !plan->run || boundary_blocks > INT_MAX) goto done;
  list_children(plan, w->front_of);
  share_storage(plan, w->front_of);
  plan->n_storage += 4 * ((size_t)plan->max_n + 8) + 64; /* vector loads may read past the last
                                                          * front */
  place_way_down(plan, n_step);
  for (int f = 0; f < plan->n_front; f++) {
    place_rows(w, plan, f, last[f]);
    place_copies(w, plan, f, &n_copy);
    place_runs(w, plan, f, &n_run);
  }
  status = HK_OK;
done:
  free(last);
  return status;
}

hk_status hk_front_plan_create(const hk_block_pattern *p, hk_front_plan **out, hk_error *err) {
  *out = NULL;
  if (!p->finished) return hk_fail(err, HK_EINPUT, "the matrix pattern is not finished");
  hk_ordering *o = NULL;
  hk_front_plan *plan = calloc(1, sizeof *plan);
  hk_status status = plan ? hk_block_pattern_split(p, &plan->split) : HK_ENOMEM;
  if (plan && plan->split) p = plan->split;
  if (!status) status = hk_ordering_create(p, &o);
  size_t n = (size_t)p->nb + 1;
  plan_work w = {.p = p, .o = o};
  int **part[] = {&w.parent,   &w.first_child, &w.next_sibling, &w.first, &w.next,  &w.pivot_rows,
                  &w.boundary, &w.front_of,    &w.final,        &w.local, &w.stack, &w.blocks};
  size_t n_part = sizeof part / sizeof *part;
  int *work = malloc(n_part * n * sizeof *work);
  for (size_t k = 0; work && k < n_part; k++) *part[k] = work + k * n;
  if (!status && plan && work) {
    plan->pattern = p;
    status = fill_plan(&w, plan);
  } else {
    status = HK_ENOMEM;
  }
  free(work);
  hk_ordering_free(o);
  if (status) {
    hk_front_plan_free(plan);
    return hk_fail(err, status, "out of memory: analysis of a matrix of %d rows", p->rows);
  }
  *out = plan;
  return HK_OK;
}

void hk_front_plan_free(hk_front_plan *plan) {
  if (!plan) return;
  hk_block_pattern_free(plan->split);
  free(plan->front);
  free(plan->step);
  free(plan->copy);
  free(plan->run);
  free(plan->child);
  free(plan->index);
  free(plan);
}
