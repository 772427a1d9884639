/* Elimination tree, column counts and supernodes: see supernodes.h. */
#include "fe_solve/supernodes.h"
#include <stdlib.h>
#include <string.h>

typedef struct job {
  int total, n;
  const size_t *first;
  const int *column;
  /* position[node]: its number in the order of elimination; -1: not in the factor */
  int *order, *position;
  int *parent, *count, *mark, *work;
  hk_supernodes *s;
} job;

void hk_supernodes_free(hk_supernodes *s) {
  free(s->order);
  free(s->start);
  free(s->of);
  free(s->first);
  free(s->row);
  *s = (hk_supernodes){0};
}

static void find_positions(job *j) {
  for (int i = 0; i < j->total; i++) j->position[i] = -1;
  for (int i = 0; i < j->n; i++) j->position[j->order[i]] = i;
}

/* Elimination tree [Liu]: parent of each column; -1: a root. */
static void find_tree(job *j) {
  int *ancestor = j->work;
  for (int i = 0; i < j->n; i++) {
    j->parent[i] = ancestor[i] = -1;
    int node = j->order[i];
    for (size_t e = j->first[node]; e < j->first[node + 1]; e++) {
      int k = j->position[j->column[e]];
      if (k < 0 || k >= i) continue;
      while (ancestor[k] >= 0 && ancestor[k] != i) {
        int next = ancestor[k];
        ancestor[k] = i;
        k = next;
      }
      if (ancestor[k] < 0) ancestor[k] = j->parent[k] = i;
    }
  }
}

/* Renumbers the columns so that each subtree is contiguous. */
static bool sort_tree(job *j) {
  int n = j->n, *head = calloc(3 * ((size_t)n + 1), sizeof *head);
  if (!head) return false;
  int *next = head + n + 1, *stack = next + n, used = 0, *sorted = j->work, top = 0;
  for (int i = 0; i <= n; i++) head[i] = -1;
  for (int i = n - 1; i >= 0; i--) {
    int p = j->parent[i] < 0 ? n : j->parent[i];
    next[i] = head[p], head[p] = i;
  }
  for (int root = head[n]; root >= 0; root = next[root]) {
    stack[top++] = root;
    while (top) {
      int p = stack[top - 1], child = head[p];
      if (child >= 0) {
        head[p] = next[child];
        stack[top++] = child;
      } else {
        sorted[used++] = p;
        top--;
      }
    }
  }
  for (int i = 0; i < n; i++) sorted[i] = j->order[sorted[i]];
  memcpy(j->order, sorted, sizeof *sorted * (size_t)n);
  free(head);
  return true;
}

/* Counts the entries of each column on and below the diagonal, from the subtrees of the rows. */
static void count_columns(job *j) {
  for (int i = 0; i < j->n; i++) j->count[i] = 1, j->mark[i] = -1;
  for (int i = 0; i < j->n; i++) {
    int node = j->order[i];
    j->mark[i] = i;
    for (size_t e = j->first[node]; e < j->first[node + 1]; e++)
      for (int k = j->position[j->column[e]]; k >= 0 && k < i && j->mark[k] != i;
           k = j->parent[k]) {
        j->mark[k] = i;
        j->count[k]++;
      }
  }
}

/* A supernode, while supernodes are joined. */
typedef struct group {
  int start, end, below; /* number of columns, and of rows below the last column */
  double zeros;          /* number of stored entries that are zero */
} group;

/* Returns true if a supernode and its parent should be joined: dense kernels then save more time
 * than the additional zeros need. */
static bool worth_joining(const group *child, const group *parent, double *zeros) {
  double a = child->end - child->start, b = parent->end - parent->start, width = a + b;
  double entries = width * (width + 1) / 2 + width * parent->below;
  *zeros = child->zeros + parent->zeros + a * (b + parent->below - child->below);
  double share = *zeros / entries;
  return width <= 8 || (width <= 24 && share < 0.3) || (width <= 64 && share < 0.1) || share < 0.03;
}

/* Joins supernodes of few columns with their parents. The new array start[] is written into
 * j->mark. */
static int find_groups(job *j) {
  group *stack = (group *)malloc(sizeof *stack * ((size_t)j->n + 1));
  if (!stack) return -1;
  int n = 0;
  for (int i = 0; i < j->n;) {
    group g = {.start = i, .end = i + 1};
    while (g.end < j->n && j->parent[g.end - 1] == g.end &&
           j->count[g.end - 1] == j->count[g.end] + 1)
      g.end++;
    g.below = j->count[g.end - 1] - 1;
    i = g.end;
    double zeros;
    while (n && j->parent[stack[n - 1].end - 1] >= g.start &&
           j->parent[stack[n - 1].end - 1] < g.end && worth_joining(&stack[n - 1], &g, &zeros)) {
      g.start = stack[--n].start;
      g.zeros = zeros;
    }
    stack[n++] = g;
  }
  for (int i = 0; i < n; i++) j->mark[i] = stack[i].start;
  free(stack);
  return n;
}

static int compare_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Finds the rows of each supernode: the rows of its columns and of its children. */
static bool find_rows(job *j) {
  hk_supernodes *s = j->s;
  int *child = malloc(sizeof *child * 2 * ((size_t)s->count + 1)), *seen = j->mark;
  size_t room = 0;
  if (!child) return false;
  int *sibling = child + s->count + 1;
  for (int k = 0; k <= s->count; k++) child[k] = -1;
  for (int i = 0; i < j->n; i++) seen[i] = -1;
  s->first[0] = 0;
  for (int k = 0; k < s->count; k++) {
    int end = s->start[k + 1];
    size_t used = s->first[k], most = (size_t)(j->n - end);
    if (used + most > room) {
      size_t need = used + most > 2 * room ? used + most : 2 * room;
      int *grown = realloc(s->row, sizeof *grown * (need + 1));
      if (!grown) {
        free(child);
        return false;
      }
      s->row = grown, room = need;
    }
    for (int i = s->start[k]; i < end; i++) {
      int node = j->order[i];
      for (size_t e = j->first[node]; e < j->first[node + 1]; e++) {
        int r = j->position[j->column[e]];
        if (r >= end && seen[r] != k) seen[r] = k, s->row[used++] = r;
      }
    }
    for (int c = child[k]; c >= 0; c = sibling[c])
      for (size_t e = s->first[c]; e < s->first[c + 1]; e++) {
        int r = s->row[e];
        if (r >= end && seen[r] != k) seen[r] = k, s->row[used++] = r;
      }
    if (used > s->first[k]) {
      qsort(s->row + s->first[k], used - s->first[k], sizeof *s->row, compare_int);
      int up = s->of[s->row[s->first[k]]];
      sibling[k] = child[up], child[up] = k;
    }
    s->first[k + 1] = used;
  }
  free(child);
  int *tight = realloc(s->row, sizeof *tight * (s->first[s->count] + 1));
  if (tight) s->row = tight;
  return true;
}

static bool make(job *j) {
  hk_supernodes *s = j->s;
  find_positions(j);
  find_tree(j);
  if (!sort_tree(j)) return false;
  find_positions(j);
  find_tree(j);
  count_columns(j);
  s->count = find_groups(j);
  if (s->count < 0) return false;
  s->start = malloc(sizeof *s->start * ((size_t)s->count + 1));
  s->first = malloc(sizeof *s->first * ((size_t)s->count + 1));
  if (!s->start || !s->first) return false;
  memcpy(s->start, j->mark, sizeof *s->start * (size_t)s->count);
  s->start[s->count] = j->n;
  for (int k = 0; k < s->count; k++)
    for (int i = s->start[k]; i < s->start[k + 1]; i++) s->of[i] = k;
  return find_rows(j);
}

hk_status hk_supernodes_make(int total, const size_t *first, const int *column, const int *order,
                             int n, hk_supernodes *out, hk_error *err) {
  size_t room = (size_t)n + 1;
  *out = (hk_supernodes){.n = n};
  job j = {.total = total, .n = n, .first = first, .column = column, .s = out};
  j.order = out->order = malloc(sizeof *out->order * room);
  out->of = malloc(sizeof *out->of * room);
  j.position = malloc(sizeof *j.position * ((size_t)total + 1));
  j.parent = malloc(sizeof *j.parent * room);
  j.count = malloc(sizeof *j.count * room);
  j.mark = malloc(sizeof *j.mark * room);
  j.work = malloc(sizeof *j.work * room);
  bool ok = j.order && out->of && j.position && j.parent && j.count && j.mark && j.work;
  if (ok) {
    memcpy(j.order, order, sizeof *order * (size_t)n);
    ok = make(&j);
  }
  free(j.position);
  free(j.parent);
  free(j.count);
  free(j.mark);
  free(j.work);
  if (ok) return HK_OK;
  hk_supernodes_free(out);
  return hk_fail(err, HK_ENOMEM, "out of memory");
}
