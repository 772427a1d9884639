/* Readers of matrices and input files: every format gives the same part; incorrect files are
 * refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "reduce/assemble.h"
#include "reduce/matrices.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hk_part_material STEEL = {.young = 2.1e11, .poisson = 0.3, .density = 7850};
static const hk_part_units SI = {1, 1, 1};

typedef struct buffer {
  char *text;
  size_t n;
  FILE *file;
} buffer;

static FILE *begin(buffer *b) { return b->file = open_memstream(&b->text, &b->n); }
static hk_part_text text_of(buffer *b, const char *name) {
  fclose(b->file);
  return (hk_part_text){name, b->text, b->n};
}
static hk_part_text plain(const char *name, const char *text) {
  return (hk_part_text){name, text, strlen(text)};
}

static void make_bar(hk_part_mesh *m, hk_nodal_matrix *A) {
  hk_error err = {0};
  assert_int_equal(hk_gmsh_read(HOOKE_SOURCE_DIR "/test/flexible/bar.msh", 1, m, &err), HK_OK);
  assert_int_equal(hk_part_assemble(m, &STEEL, A, &err), HK_OK);
}

static void compare(const hk_nodal_matrix *A, const hk_nodal_matrix *B, double limit) {
  double most = 0, heaviest = 0;
  assert_int_equal(A->n, B->n);
  for (size_t e = 0; e < A->first[A->n]; e++) {
    heaviest = fmax(heaviest, fabs(A->m[e]));
    for (int k = 0; k < 9; k++) most = fmax(most, fabs(A->K[9 * e + (size_t)k]));
  }
  for (int i = 0; i < A->n; i++)
    for (size_t e = A->first[i]; e < A->first[i + 1]; e++) {
      size_t other = hk_nodal_entry(B, i, A->column[e]);
      assert_true(other != (size_t)-1);
      assert_true(fabs(A->m[e] - B->m[other]) < limit * heaviest);
      for (size_t k = 0; k < 9; k++)
        assert_true(fabs(A->K[9 * e + k] - B->K[9 * other + k]) < limit * most);
    }
}

/* Writes the matrices of the bar in the format of CalculiX and its nodes as an input file, and
 * reads both. */
static void test_calculix(void **state) {
  (void)state;
  hk_part_mesh m = {0}, back = {0};
  hk_nodal_matrix A, B;
  hk_error err = {0};
  buffer sti, mas, dof, inp;
  make_bar(&m, &A);
  begin(&sti), begin(&mas), begin(&dof), begin(&inp);
  fprintf(inp.file, "** a comment\n*Node, nset=Nall\n");
  for (int i = 0; i < A.n; i++) {
    fprintf(inp.file, "%ld, %.16e, %.16e, %.16e\n", m.label[i], m.x[i][0], m.x[i][1], m.x[i][2]);
    for (int d = 1; d < 4; d++) fprintf(dof.file, "%ld.%d\n", m.label[i], d);
    for (size_t e = A.first[i]; e < A.first[i + 1]; e++)
      for (int k = 0; k < 9; k++) {
        int row = 3 * i + k / 3 + 1, column = 3 * A.column[e] + k % 3 + 1;
        if (row > column) continue;
        fprintf(sti.file, "%d %d %.16e\n", row, column, A.K[9 * e + (size_t)k]);
        fprintf(mas.file, "%d %d %.16e\n", row, column, k % 4 ? 0 : A.m[e]);
      }
  }
  fprintf(inp.file,
          "99999, 1, 2, 3\n*NSET, NSET=one, GENERATE\n1, 5, 2\n*NSET, NSET=two\none, "
          "7,\n9, two\n*MATERIAL, NAME=S\n*ELASTIC\n2.1e11, .3\n");
  hk_part_text t[4] = {text_of(&sti, "a.sti"), text_of(&mas, "a.mas"), text_of(&dof, "a.dof"),
                       text_of(&inp, "a.inp")};
  assert_int_equal(hk_calculix_parse(t[0], t[1], t[2], t[3], SI, &back, &B, &err), HK_OK);
  compare(&A, &B, 1e-14);
  assert_int_equal(back.n_nodes, m.n_nodes); /* the node without unknowns is omitted */
  assert_int_equal(hk_part_mesh_set(&back, "ONE")->n, 3);
  assert_int_equal(hk_part_mesh_set(&back, "TWO")->n, 5);
  assert_int_equal(back.label[hk_part_mesh_set(&back, "TWO")->node[4]], 9);
  hk_nodal_matrix_free(&B);
  hk_part_mesh_free(&back);
  /* mm, t, s: the same part */
  assert_int_equal(
      hk_calculix_parse(t[0], t[1], t[2], t[3], (hk_part_units){1e-3, 1e3, 1e3}, &back, &B, &err),
      HK_OK);
  for (size_t e = 0; e < A.first[A.n]; e++) A.m[e] *= 1e3;
  for (size_t e = 0; e < 9 * A.first[A.n]; e++) A.K[e] *= 1e3;
  compare(&A, &B, 1e-14);
  assert_true(fabs(back.x[5][0] - 1e-3 * m.x[5][0]) < 1e-18);
  hk_nodal_matrix_free(&B);
  hk_part_mesh_free(&back);
  /* A support: one unknown less. */
  dof.text[strlen("1.")] = '2', dof.text[strlen("1.1\n1.")] = '3',
  dof.text[strlen("1.1\n1.2\n")] = '2';
  assert_int_equal(hk_calculix_parse(t[0], t[1], t[2], t[3], SI, &back, &B, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "direction"));
  hk_nodal_matrix_free(&A);
  hk_part_mesh_free(&m);
  free(sti.text);
  free(mas.text);
  free(dof.text);
  free(inp.text);
}

/* The same mesh as an input file. */
static void test_input_file(void **state) {
  (void)state;
  hk_part_mesh m = {0}, back = {0};
  hk_nodal_matrix A, B;
  hk_error err = {0};
  buffer inp;
  make_bar(&m, &A);
  begin(&inp);
  fprintf(inp.file, "*HEADING\nbar\n*NODE\n");
  for (int i = 0; i < m.n_nodes; i++)
    fprintf(inp.file, "%ld, %.16e, %.16e, %.16e\n", m.label[i], m.x[i][0], m.x[i][1], m.x[i][2]);
  fprintf(inp.file, "*ELEMENT, TYPE=C3D10, ELSET=E\n");
  for (int e = 0; e < m.n_elements; e++) {
    fprintf(inp.file, "%ld", m.element_label[e]);
    for (size_t k = m.first[e]; k < m.first[e + 1]; k++)
      fprintf(inp.file, k == m.first[e] + 6 ? ",\n %ld" : ", %ld", m.label[m.node[k]]);
    fprintf(inp.file, "\n");
  }
  hk_part_text t = text_of(&inp, "a.inp");
  assert_int_equal(hk_inp_parse(t.name, t.bytes, t.size, 1, false, &back, &err), HK_OK);
  assert_int_equal(hk_part_assemble(&back, &STEEL, &B, &err), HK_OK);
  compare(&A, &B, 1e-14);
  free(inp.text);
  hk_nodal_matrix_free(&A);
  hk_nodal_matrix_free(&B);
  hk_part_mesh_free(&m);
  hk_part_mesh_free(&back);
}

static void test_input_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } c[] = {
      {"hello\n", "a.inp:1: this is no input file"},
      {"*NODE\n1, 0, zero, 0\n", "a.inp:2: a coordinate of node 1 is no number"},
      {"*NODE\n1,0,0,0\n*ELEMENT, TYPE=S8\n1,1,1,1\n", "elements of type S8 are not supported"},
      {"*NODE\n1,0,0,0\n*ELEMENT, TYPE=C3D4\n1,1,2,3\n", "element 1 needs 4 nodes"},
      {"*NODE\n1,0,0,0\n*ELEMENT, TYPE=C3D4\n1,1,2,3,4,5\n", "has more than 4 nodes"},
      {"*NODE\n1,0,0,0\n*RIGID BODY, NSET=A\n",
       "a.inp:3: *RIGID BODY: rigid bodies replace unknowns"},
      {"*NODE\n1,0,0,0\n*INCLUDE, INPUT=b\n", "included files are not read"},
      {"*NODE\n1,0,0,0\n*NSET, NSET=A\nB\n", "set 'B' is not defined before this line"},
      {"*NODE\n1,0,0,0\n*NSET, NSET=A, GENERATE\n5,1\n", "a range of nodes needs first, last"},
      {"*NODE\n1,0,0,0\n1,0,0,1\n", "has no solid elements"},
      {"*STEP\n", "'a.inp' has no nodes"},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    hk_part_mesh m = {0};
    hk_error err = {0};
    assert_int_equal(hk_inp_parse("a.inp", c[i].text, strlen(c[i].text), 1, false, &m, &err),
                     HK_EINPUT);
    if (!strstr(err.text, c[i].message)) fail_msg("'%s' instead of '%s'", err.text, c[i].message);
    hk_part_mesh_free(&m);
  }
}

#define HEAD "%%MatrixMarket matrix coordinate real symmetric\n"
#define GENERAL "%%MatrixMarket matrix coordinate real general\n"

static void test_market_refused(void **state) {
  (void)state;
  static const char *const nodes = "node,x,y,z\n1,0,0,0\n2,1,0,0\n", *const mass = HEAD
                                                                     "2 2 2\n1 1 1\n2 2 1\n";
  static const struct {
    const char *K, *M, *nodes, *message;
  } c[] = {
      {HEAD "6 6 1\n1 1 1\n", NULL, NULL, NULL},
      {"1 2 3\n", NULL, NULL, "k.mtx:1: this is no Matrix Market file"},
      {"%%MatrixMarket matrix array real general\n", NULL, NULL, "must be 'coordinate real'"},
      {"%%MatrixMarket matrix coordinate real hermitian\n", NULL, NULL,
       "must be 'symmetric' or 'general'"},
      {HEAD "9 9 1\n1 1 1\n", NULL, NULL,
       "has 9 rows and 9 columns, but the table has 2 nodes, which have 6 unknowns"},
      {HEAD "6 6 2\n1 1 1\n", NULL, NULL, "entry 2 of 2 is missing"},
      {HEAD "6 6 1\n7 1 1\n", NULL, NULL, "entry 1 is in row 7"},
      {HEAD "6 6 1\n1 1 nan\n", NULL, NULL, "entry 1 of 1 is missing or no number"},
      {HEAD "6 6 1\n1 1 1\n2 2 2\n", NULL, NULL, "more entries than the 1"},
      {GENERAL "6 6 2\n1 2 3\n2 1 2\n", NULL, NULL,
       "'k.mtx' is not symmetric: the entries of nodes 1 and 1 are 3 and 2"},
      {HEAD "6 6 1\n1 1 1\n", HEAD "6 6 2\n1 1 1\n2 2 2\n", NULL,
       "has rotary inertia or a mass that differs with direction"},
      {HEAD "6 6 1\n1 1 1\n", NULL, "1,0,0\n",
       "n.csv:1: a line needs the number of a node and x, y, z"},
      {HEAD "6 6 1\n1 1 1\n", NULL, "2,0,0,0\n1,0,0,0\n",
       "node 1 follows node 2; the numbers must ascend"},
      {HEAD "6 6 1\n1 1 1\n", NULL, "node,x,y,z\n", "'n.csv' has no nodes"},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    hk_part_mesh m = {0};
    hk_nodal_matrix A = {0};
    hk_error err = {0};
    hk_status status =
        hk_matrix_market_parse(plain("k.mtx", c[i].K), plain("m.mtx", c[i].M ? c[i].M : mass),
                               plain("n.csv", c[i].nodes ? c[i].nodes : nodes), SI, &m, &A, &err);
    assert_int_equal(status, c[i].message ? HK_EINPUT : HK_OK);
    if (c[i].message && !strstr(err.text, c[i].message))
      fail_msg("'%s' instead of '%s'", err.text, c[i].message);
    hk_nodal_matrix_free(&A);
    hk_part_mesh_free(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calculix),
      cmocka_unit_test(test_input_file),
      cmocka_unit_test(test_input_refused),
      cmocka_unit_test(test_market_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
