/* Meshes of gmsh and their matrices: formats 2.2 and 4.1, groups, masses, and errors of
 * incorrect files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "reduce/assemble.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const hk_part_material STEEL = {.young = 2.1e11, .poisson = 0.3, .density = 7850};

static double total_mass(const hk_nodal_matrix *A) {
  double sum = 0;
  for (size_t e = 0; e < A->first[A->n]; e++) sum += A->m[e];
  return sum;
}

static hk_status parse(const char *text, hk_part_mesh *m, hk_error *err) {
  return hk_gmsh_parse("a.msh", text, strlen(text), 1, m, err);
}

static void test_files(void **state) {
  (void)state;
  static const struct {
    const char *file, *group;
    double unit, volume;
    int kind, elements, in_group;
  } c[] = {
      {"hexahedron_22.msh", "end", 1e-3, 6e-9, HK_SOLID_HEXAHEDRON_20, 1, 8},
      {"wedges_41.msh", "part", 1, 2, HK_SOLID_WEDGE_15, 8, 54},
      {"bar.msh", "A", 1, 2.4e-5, HK_SOLID_TETRAHEDRON_10, 68, 13},
      {"bracket.msh", "hole", 1, 0.3154839023078339 / 2700, HK_SOLID_TETRAHEDRON_10, 513, 70},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    char path[512];
    hk_part_mesh m = {0};
    hk_nodal_matrix A;
    hk_error err = {0};
    snprintf(path, sizeof path, "%s/test/flexible/%s", HOOKE_SOURCE_DIR, c[i].file);
    assert_int_equal(hk_gmsh_read(path, c[i].unit, &m, &err), HK_OK);
    assert_int_equal(m.n_elements, c[i].elements);
    for (int e = 0; e < m.n_elements; e++) assert_int_equal(m.kind[e], c[i].kind);
    const hk_part_set *s = hk_part_mesh_set(&m, c[i].group);
    assert_non_null(s);
    assert_int_equal(s->n, c[i].in_group);
    assert_int_equal(hk_part_assemble(&m, &STEEL, &A, &err), HK_OK);
    assert_true(fabs(total_mass(&A) - 7850 * c[i].volume) < 1e-12 * total_mass(&A));
    assert_int_equal(hk_part_check_connected(&A, (const double(*)[3])m.x, NULL, &err), HK_OK);
    hk_nodal_matrix_free(&A);
    hk_part_mesh_free(&m);
  }
}

#define TETRAHEDRON                                                                    \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n7 0 0 " \
  "1\n$EndNodes\n$Elements\n1\n"

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } c[] = {
      {"solid\n", "a.msh:1: this is no gmsh file"},
      {"$MeshFormat\n2.2 1 8\n", "the file is binary"},
      {"$MeshFormat\n4 0 8\n$EndMeshFormat\n",
       "format 4 is not supported; write format 2.2 or 4.1"},
      {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "has no section $Nodes"},
      {TETRAHEDRON "1 4 0 1 2 3 7\n$EndElements", NULL},
      {TETRAHEDRON "1 4 0 1 2 3 7\n", "the file ends before $EndElements"},
      {TETRAHEDRON "1 4 0 1 2 3\n$EndElements\n", "an integer is missing"},
      {TETRAHEDRON "1 4 0 1 2 3 8\n$EndElements\n",
       "element 1 refers to node 8, which does not exist"},
      {TETRAHEDRON "1 4 0 1 2 3 3\n$EndElements\n", "element 1 refers to node 3 twice"},
      {TETRAHEDRON "1 7 0 1 2 3 7 1\n$EndElements\n", "element 1 is a pyramid"},
      {TETRAHEDRON "1 99 0 1 2 3 7 1\n$EndElements\n", "type 99 are not supported"},
      {TETRAHEDRON "1 2 0 1 2 3\n$EndElements\n", "has no solid elements"},
      {TETRAHEDRON "1 4 0 1 2 3 7\n2 4 0 1 2 3 7\n$EndElements\n", "$EndElements expected"},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    hk_part_mesh m = {0};
    hk_error err = {0};
    hk_status status = parse(c[i].text, &m, &err);
    if (c[i].message) {
      assert_int_equal(status, HK_EINPUT);
      assert_non_null(strstr(err.text, c[i].message));
    } else {
      assert_int_equal(status, HK_OK);
      assert_int_equal(m.n_nodes, 4);
      assert_int_equal(hk_part_mesh_node(&m, 7), 3);
      assert_int_equal(hk_part_mesh_node(&m, 4), -1);
    }
    hk_part_mesh_free(&m);
  }
}

static void refuse_assembly(const char *text, hk_part_material material, const char *message) {
  hk_part_mesh m = {0};
  hk_nodal_matrix A = {0};
  hk_error err = {0};
  assert_int_equal(parse(text, &m, &err), HK_OK);
  hk_status status = hk_part_assemble(&m, &material, &A, &err);
  if (!status) status = hk_part_check_connected(&A, (const double(*)[3])m.x, NULL, &err);
  assert_int_equal(status, HK_EINPUT);
  assert_non_null(strstr(err.text, message));
  hk_nodal_matrix_free(&A);
  hk_part_mesh_free(&m);
}

static void test_assembly_refused(void **state) {
  (void)state;
  hk_part_material soft = STEEL, rubber = STEEL;
  soft.young = 0, rubber.poisson = 0.5;
  refuse_assembly(TETRAHEDRON "5 4 0 2 1 3 7\n$EndElements\n", STEEL,
                  "element 5 (tetrahedron of 4 nodes)");
  refuse_assembly(TETRAHEDRON "5 4 0 2 1 3 7\n$EndElements\n", STEEL, "its volume is -0.1667 m^3");
  refuse_assembly(TETRAHEDRON "5 4 0 1 2 3 7\n$EndElements\n", soft, "Young's modulus > 0");
  refuse_assembly(TETRAHEDRON "5 4 0 1 2 3 7\n$EndElements\n", rubber,
                  "Poisson's ratio between -1 and 0.5");
  refuse_assembly(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 "
      "1\n"
      "11 5 0 0\n12 6 0 0\n13 5 1 0\n14 5 0 1\n$EndNodes\n$Elements\n3\n1 4 0 1 2 3 4\n2 4 0 2 3 4 "
      "5\n"
      "3 4 0 11 12 13 14\n$EndElements\n",
      STEEL, "2 pieces that are not connected; one has 4 nodes, at (5, 0, 0) m");
}

/* gmsh writes an element once per physical group, and numbers the groups of each dimension from 1. */
static void test_groups(void **state) {
  (void)state;
  hk_part_mesh m = {0};
  hk_error err = {0};
  assert_int_equal(
      parse("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n7 0 0 1\n"
            "$EndNodes\n$Elements\n3\n1 4 1 1 1 2 3 7\n2 2 1 1 1 2 3\n3 4 1 2 2 3 1 "
            "7\n$EndElements\n",
            &m, &err),
      HK_OK);
  assert_int_equal(m.n_elements, 1);
  assert_int_equal(hk_part_mesh_set(&m, "1")->n, 3);
  assert_int_equal(hk_part_mesh_set(&m, "1 (dimension 3)")->n, 4);
  assert_int_equal(hk_part_mesh_set(&m, "2")->n, 4);
  hk_part_mesh_free(&m);
  static const char TWICE[] =
      "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT,TYPE=C3D4\n1,1,2,3,4\n9,2,3,1,4\n";
  assert_int_equal(hk_inp_parse("a.inp", TWICE, sizeof TWICE - 1, 1, false, &m, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "elements 1 and 9 have the same nodes"));
  hk_part_mesh_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_assembly_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
