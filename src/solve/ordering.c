/* Approximate minimum degree with precedence: see ordering.h. */
#include "solve/ordering.h"

#include <stdlib.h>
#include <string.h>

/* The quotient graph. An uneliminated block i is adjacent to the blocks near[start[i] ..
 * +n_near[i]) directly and to all members of the elements element[start[i] .. +n_element[i])
 * through fill. Eliminating p turns it into an element and absorbs the elements that contained
 * p. Therefore the lists of i never exceed the length of its row of the pattern, and all members
 * of existing elements are uneliminated. */
typedef struct graph {
  const hk_block_pattern *p;
  hk_ordering *o;
  size_t capacity; /* capacity of o->fill */
  const int *start;
  int *near, *element;
  int *n_near, *n_element;
  int *degree;  /* number of rows coupled to a block, without its own rows */
  int *waiting; /* number of adjacent nodes that must be eliminated before this multiplier */
  int *weight;  /* number of rows of an element; -1: absorbed */
  /* for each element: `tag` plus the number of its rows that are not in the newest element */
  int *outside;
  int *mark;
  int tag, mark_tag;
  int *heap, *heap_at; /* blocks ready for elimination; heap_at = -1: not in the heap */
  int heap_n;
} graph;

static bool before(const graph *g, int a, int b) {
  return g->degree[a] != g->degree[b] ? g->degree[a] < g->degree[b] : a < b;
}

static void heap_place(graph *g, int at, int block) {
  g->heap[at] = block;
  g->heap_at[block] = at;
}

static void heap_up(graph *g, int at) {
  int block = g->heap[at];
  while (at > 0 && before(g, block, g->heap[(at - 1) / 2])) {
    heap_place(g, at, g->heap[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  heap_place(g, at, block);
}

static void heap_down(graph *g, int at) {
  int block = g->heap[at];
  for (;;) {
    int child = 2 * at + 1;
    if (child >= g->heap_n) break;
    if (child + 1 < g->heap_n && before(g, g->heap[child + 1], g->heap[child])) child++;
    if (!before(g, g->heap[child], block)) break;
    heap_place(g, at, g->heap[child]);
    at = child;
  }
  heap_place(g, at, block);
}

static void heap_add(graph *g, int block) {
  g->heap[g->heap_n] = block;
  heap_up(g, g->heap_n++);
}

static int heap_pop(graph *g) {
  int top = g->heap[0];
  g->heap_at[top] = -1;
  if (--g->heap_n > 0) {
    g->heap[0] = g->heap[g->heap_n];
    heap_down(g, 0);
  }
  return top;
}

static void graph_start(graph *g) {
  const hk_block_pattern *p = g->p;
  for (int i = 0; i < p->nb; i++) {
    g->heap_at[i] = -1;
    g->n_near[i] = g->n_element[i] = g->degree[i] = g->waiting[i] = 0;
    g->outside[i] = g->mark[i] = 0;
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      int j = p->column[e];
      if (j == i) continue;
      g->near[g->start[i] + g->n_near[i]++] = j;
      g->degree[i] += p->size[j];
      g->waiting[i] += p->is_multiplier[i] && !p->is_multiplier[j];
    }
  }
  for (int i = 0; i < p->nb; i++)
    if (!g->waiting[i]) heap_add(g, i);
}

static hk_status append(graph *g, size_t *n, int i) {
  if (*n == g->capacity) {
    size_t capacity = 2 * g->capacity + 64;
    int *grown = realloc(g->o->fill, capacity * sizeof *grown);
    if (!grown) return HK_ENOMEM;
    g->o->fill = grown;
    g->capacity = capacity;
  }
  g->o->fill[(*n)++] = i;
  g->mark[i] = g->mark_tag;
  return HK_OK;
}

/* Collects the members of element p (the k-th pivot): all blocks that p couples to.  Absorbs the
 * elements that contain p. */
static hk_status gather_element(graph *g, int p, int k) {
  hk_ordering *o = g->o;
  size_t n = o->fill_start[k];
  g->mark[p] = ++g->mark_tag;
  const int *near = g->near + g->start[p], *element = g->element + g->start[p];
  for (int a = 0; a < g->n_near[p]; a++)
    if (append(g, &n, near[a])) return HK_ENOMEM;
  for (int a = 0; a < g->n_element[p]; a++) {
    int e = element[a], ke = o->position[e];
    for (size_t f = o->fill_start[ke]; f < o->fill_start[ke + 1]; f++) {
      int i = o->fill[f];
      if (g->mark[i] != g->mark_tag && append(g, &n, i)) return HK_ENOMEM;
    }
    g->weight[e] = -1;
  }
  o->fill_start[k + 1] = n;
  g->weight[p] = 0;
  for (size_t f = o->fill_start[k]; f < n; f++) g->weight[p] += g->p->size[o->fill[f]];
  return HK_OK;
}

/* Sets outside[e] for every element e that shares blocks with p: outside[e] - tag is the number
 * of rows of e that are not in p. */
static void measure_overlap(graph *g, int k) {
  const hk_ordering *o = g->o;
  g->tag += g->p->rows + 1;
  for (size_t f = o->fill_start[k]; f < o->fill_start[k + 1]; f++) {
    int i = o->fill[f];
    for (int a = 0; a < g->n_element[i]; a++) {
      int e = g->element[g->start[i] + a];
      if (g->weight[e] < 0) continue;
      if (g->outside[e] < g->tag) g->outside[e] = g->tag + g->weight[e];
      g->outside[e] -= g->p->size[i];
    }
  }
}

/* Computes the new lists and the degree of block i, a member of the new element p. */
static void update_member(graph *g, int i, int p, int rows_left) {
  int *element = g->element + g->start[i], *near = g->near + g->start[i];
  int n = 0, beyond = g->weight[p] - g->p->size[i], degree = beyond;
  for (int a = 0; a < g->n_element[i]; a++) {
    int e = element[a];
    if (g->weight[e] < 0) continue;
    int outside = g->outside[e] - g->tag;
    if (outside == 0) continue; /* element e is contained in the new element p, so p absorbs it */
    degree += outside;
    element[n++] = e;
  }
  int n_near = 0;
  for (int a = 0; a < g->n_near[i]; a++) {
    int j = near[a];
    if (g->mark[j] == g->mark_tag) continue; /* j is p itself, or is coupled through p */
    degree += g->p->size[j];
    near[n_near++] = j;
  }
  element[n++] = p;
  g->n_element[i] = n;
  g->n_near[i] = n_near;
  int bound = g->degree[i] + beyond, rest = rows_left - g->p->size[i];
  if (degree > bound) degree = bound;
  g->degree[i] = degree < rest ? degree : rest;
}

static hk_status eliminate(graph *g, int p, int k, int rows_left) {
  hk_ordering *o = g->o;
  if (gather_element(g, p, k)) return HK_ENOMEM;
  if (g->tag > 2000000000 - 2 * g->p->rows) { /* restart the tags before they overflow */
    g->tag = 0;
    memset(g->outside, 0, (size_t)g->p->nb * sizeof *g->outside);
  }
  measure_overlap(g, k);
  for (size_t f = o->fill_start[k]; f < o->fill_start[k + 1]; f++) {
    int i = o->fill[f];
    update_member(g, i, p, rows_left);
    if (g->heap_at[i] >= 0) {
      heap_up(g, g->heap_at[i]);
      heap_down(g, g->heap_at[i]);
    }
  }
  const hk_block_pattern *pat = g->p;
  if (!pat->is_multiplier[p])
    for (int e = pat->row_start[p]; e < pat->row_start[p + 1]; e++) {
      int m = pat->column[e];
      if (pat->is_multiplier[m] && --g->waiting[m] == 0) heap_add(g, m);
    }
  return HK_OK;
}

static hk_status run(graph *g) {
  graph_start(g);
  int rows_left = g->p->rows;
  g->o->fill_start[0] = 0;
  for (int k = 0; k < g->p->nb; k++) {
    /* the heap cannot be empty here: each multiplier that is not ready has an adjacent node that is ready and not yet
     * eliminated */
    int p = heap_pop(g);
    g->o->order[k] = p;
    g->o->position[p] = k;
    rows_left -= g->p->size[p];
    if (eliminate(g, p, k, rows_left)) return HK_ENOMEM;
  }
  return HK_OK;
}

hk_status hk_ordering_create(const hk_block_pattern *p, hk_ordering **out) {
  *out = NULL;
  if (!p->finished) return HK_EINPUT;
  size_t nb = (size_t)p->nb, nnz = (size_t)p->row_start[p->nb];
  hk_ordering *o = calloc(1, sizeof *o);
  int *work = malloc((2 * nnz + 10 * nb + 1) * sizeof *work);
  hk_status status = HK_ENOMEM;
  if (o && work) {
    o->n = p->nb;
    o->order = malloc((nb + 1) * sizeof *o->order);
    o->position = malloc((nb + 1) * sizeof *o->position);
    o->fill_start = malloc((nb + 1) * sizeof *o->fill_start);
    o->fill = malloc((4 * nnz + 1) * sizeof *o->fill);
    graph g = {.p = p, .o = o, .capacity = 4 * nnz + 1, .start = p->row_start};
    int **part[] = {&g.n_near,  &g.n_element, &g.degree, &g.waiting, &g.weight,
                    &g.outside, &g.mark,      &g.heap,   &g.heap_at};
    int *at = work;
    g.near = at, at += nnz;
    g.element = at, at += nnz;
    for (size_t k = 0; k < sizeof part / sizeof *part; k++, at += nb) *part[k] = at;
    if (o->order && o->position && o->fill_start && o->fill) status = run(&g);
  }
  free(work);
  if (status)
    hk_ordering_free(o);
  else
    *out = o;
  return status;
}

void hk_ordering_free(hk_ordering *o) {
  if (!o) return;
  free(o->order);
  free(o->position);
  free(o->fill_start);
  free(o->fill);
  free(o);
}
