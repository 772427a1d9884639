/* Invalid model files: location and text of the message. */
#include "model_file_case.h"

/* Line 1 is `format: 1`. */
static const struct {
  const char *body;
  int line, column;
  const char *words;
} CASES[] = {
    /* Keys and names. */
    {"bodies: {cage: {mas: 1 kg}}", 2, 17,
     "unknown key 'mas' in body 'cage'; did you mean 'mass'?"},
    {"bodys: {}", 2, 1, "unknown key 'bodys' in the model file; did you mean 'bodies'?"},
    {"bodies: {b: {type: rodd}}", 2, 20, "unknown type of body 'rodd'; did you mean 'rod'?"},
    {"joints: {j: {a: ground}}", 2, 10, "joint 'j' needs a type"},
    {"bodies: {b: {type: rod}}", 2, 10, "body 'b' needs 'length'"},
    {"bodies: {b: 3}", 2, 13, "body 'b' must be a map"},
    {"bodies: [1]", 2, 9, "'bodies' must be a map"},
    {"bodies:\n  b:\n    mass:1 kg", 4, 5, "write a space after the colon: 'mass: ...'"},
    {"bodies: {b: {mass:1 kg}}", 2, 14, "write a space after the colon"},
    {"bodies: {1b: {mass: 1 kg}}", 2, 10, "'1b' cannot be the name"},
    {"bodies: {t: {mass: 1 kg}}", 2, 10, "'t' has a predefined meaning"},
    {"bodies: {b: {mass: }}", 2, 20, "mass of body 'b' has no value"},
    {"bodies: {ground: {mass: 1 kg}}", 2, 19, "unknown key 'mass' in ground"},
    {"analysis: {duration: 1 s, gravity: 1 m/s^2}", 2, 27,
     "unknown key 'gravity' in the analysis; `hooke types dynamics` lists the keys"},
    {"analysis: {durations: 1 s}", 2, 12, "in the analysis; did you mean 'duration'?"},
    {"defaults: {rodd: {mass: 1 kg}}", 2, 12, "there is no type 'rodd'; did you mean 'rod'?"},
    {"defaults: {rod: {mas: 1 kg}}", 2, 18, "did you mean 'mass'?"},
    /* Quantities. */
    {"bodies: {b: {mass: -1 kg}}", 2, 20, "mass of body 'b' must be >= 0 kg, got -1 kg"},
    {"bodies: {b: {mass: 1}}", 2, 20, "mass of body 'b' needs a unit: kg, g, t"},
    {"bodies: {b: {mass: 1 m}}", 2, 20, "needs another unit (kg, g, t), got m"},
    {"bodies: {b: {mass: 1 kgg}}", 2, 22, "mass of body 'b': "},
    {"bodies: {b: {mass: 1 kg + 1 m}}", 2, 25, "mass of body 'b': "},
    {"bodies: {b: {mass: \"1 kg + 1 m\"}}", 2, 26, "mass of body 'b': "},
    {"bodies: {b: {mass: 1 kg / 0}}", 2, 25, "division by zero"},
    {"bodies: {b: {mass: [1 kg]}}", 2, 20, "mass of body 'b' must be a quantity"},
    {"bodies: {b: {mass: t * 1 kg/s}}", 2, 20, "only parameters are allowed"},
    {"parameters: {mas: 1 kg}\nbodies: {b: {mass: msa}}", 3, 20, "did you mean 'mas'?"},
    {"bodies: {b: {mass: 1 kg, position: [1 m, 2 m]}}", 2, 36, "list of three quantities, got 2"},
    {"bodies: {b: {mass: 1 kg, position: [1 m, 2, 0]}}", 2, 42, "needs a unit: m, mm, um"},
    {"bodies: {b: {mass: 1 kg, angular_velocity: [5 Hz, 0, 0]}}", 2, 45, "Hz means cycles per second"},
    {"bodies: {b: {mass: 1 kg, orientation: {axis: z, angle: 30}}}", 2, 56, "needs a unit: rad"},
    {"bodies: {b: {mass: 1 kg, orientation: {axis: w, angle: 1 rad}}}", 2, 46, "x, y, z, -x"},
    {"bodies: {b: {mass: 1 kg, orientation: {euler: xxz, angles: [0, 0, 0]}}}", 2, 47, "adjacent axes differ"},
    {"bodies: {b: {mass: 1 kg, orientation: {quaternion: [0, 0, 0, 0]}}}", 2, 52, "not zero"},
    {"bodies: {b: {mass: 1 kg, orientation: {z: x, x: -x}}}", 2, 49, "parallel to z"},
    {"bodies: {b: {mass: 1 kg, orientation: {axis: z}}}", 2, 39, "must be one of"},
    {"bodies: {b: {mass: 1 kg, fixed: positon}}", 2, 33, "did you mean 'position'?"},
    {"joints: {j: {type: revolute, b: ground, axis: [0, 0, 0]}}", 2, 47, "has no direction"},
    {"joints: {j: {type: revolute, b: ground, axis: [1 m, 1 s, 0]}}", 2, 47, "mixes units"},
    /* References. */
    {"bodies: {crank: {mass: 1 kg}}\njoints: {j: {type: revolute, a: ground, b: crnk}}", 3, 44,
     "there is no body or marker 'crnk'; did you mean 'crank'?"},
    {"bodies: {b: {mass: 1 kg, markers: {tip: }}}\njoints: {j: {type: fixed, a: ground, b: b.tpi}}",
     3, 41, "did you mean 'b.tip'?"},
    {"joints: {j: {type: fixed, a: ground, b: \"b[1.5]\"}}", 2, 44, "whole number, got 1.5"},
    {"joints: {j: {type: fixed, a: ground, b: \"b[1\"}}", 2, 43, "'[' without ']'"},
    {"bodies: {b: {mass: 1 kg}}\nforces: {f: {type: load, b: b, force: [0, 0, b.q * 1 N]}}", 3, 46,
     "unknown name 'b.q'"},
    {"bodies: {b: {mass: 1 kg}}\nforces: {f: {type: load, b: b, force: [b.x > 0 ? 1 : 0, 0, 0]}}",
     3, 40, "write if(c, a, b)"},
    /* Parameters. */
    {"parameters: {a: b, b: c + 1, c: a*2, d: a}", 2, 17, "in a cycle: a -> b -> c -> a"},
    {"parameters: {a: a + 1}", 2, 17, "in a cycle: a -> a"},
    {"parameters: {a: [1]}", 2, 17, "value of parameter 'a' must be a quantity"},
    {"parameters: {pi: 3}", 2, 14, "'pi' has a predefined meaning"},
    /* Repetition. */
    {"bodies: {b: {repeat: {i: 0..1e9}, mass: 1 kg}}", 2, 26,
     "1000000001 repetitions are too many"},
    {"bodies: {b: {repeat: {i: 0..1e5, j: 0..1e5, k: 1..0}, mass: 1 kg}}", 2, 10,
     "more than 1000000 items"},
    {"bodies: {b: {repeat: {i: 3}, mass: 1 kg}}", 2, 26, "needs a range such as 0..3"},
    {"bodies: {b: {repeat: {i: 0..1.5}, mass: 1 kg}}", 2, 29, "whole number"},
    {"bodies: {b: {repeat: 3, mass: 1 kg}}", 2, 22, "'repeat' must be a map"},
    {"bodies: {b: {name: c, mass: 1 kg}}", 2, 14, "'name' is only allowed with 'repeat'"},
    {"bodies: {b: {repeat: {i: 0..1}, name: c, mass: 1 kg}}", 2, 10, "two bodies named 'c'"},
};

static void where_and_what(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    reading r = read_text(CASES[i].body);
    assert_null(r.spec);
    assert_true(r.diag.n >= 1);
    const hk_diag_message *m = &r.diag.message[0];
    if (!strstr(m->text, CASES[i].words) || m->place.line != CASES[i].line ||
        m->place.column != CASES[i].column || r.diag.n_errors != 1) {
      for (int k = 0; k < r.diag.n; k++)
        print_message("%d:%d: %s\n", r.diag.message[k].place.line, r.diag.message[k].place.column,
                      r.diag.message[k].text);
      fail_msg("%s\nshould give %d:%d: %s", CASES[i].body, CASES[i].line, CASES[i].column,
               CASES[i].words);
    }
    done(&r);
  }
}

static void format_is_needed(void **state) {
  (void)state;
  static const char *const bad[] = {"title: x\n", "format: 2\n", "format: [1]\n", "just text\n",
                                    "- 1\n"};
  for (int i = 0; i < 5; i++) {
    hk_diag d;
    hk_diag_init(&d);
    assert_null(hk_model_text_read("m.yaml", bad[i], strlen(bad[i]), NULL, 0, &d));
    assert_int_equal(d.n_errors, 1);
    hk_diag_free(&d);
  }
}

/* Independent mistakes are reported together; an invalid item causes no further messages about other items. */
static void all_in_one_go(void **state) {
  (void)state;
  reading r = read_text(
      "parameters: {L: 1 mm + 1 s, n: 3}\n"
      "bodies:\n"
      "  a: {type: rodd}\n"
      "  b: {type: rod, length: L, mass: 1 kg}\n"
      "  c: {repeat: {i: 1..100}, type: rod, length: 1 m, mass: 1}\n"
      "joints:\n"
      "  j: {type: revolute, a: a, b: b}\n"
      "  k: {type: revolute, a: a.tip, b: c}\n"
      "forces:\n"
      "  f: {type: load, b: b, force: [a.x * 1 N/m, 0, 0]}\n");
  assert_null(r.spec);
  assert_int_equal(r.diag.n_errors, 4); /* L, rodd, mass of c once, b of k */
  done(&r);
}

static void at_most_twenty(void **state) {
  (void)state;
  char body[8000];
  int n = sprintf(body, "bodies:\n");
  for (int i = 0; i < 100; i++) n += sprintf(body + n, "  b%d: {mass: 1}\n", i);
  reading r = read_text(body);
  assert_null(r.spec);
  assert_int_equal(r.diag.n, HK_MAX_ERRORS);
  done(&r);
}

static void wrong_overrides(void **state) {
  (void)state;
  static const struct {
    const char *path, *value, *words;
  } cases[] = {
      {"parameters.LL", "1 m", "there is no parameter 'LL' in parameters"},
      {"parameters.lenght", "1 m", "did you mean 'length'?"},
      {"qin.at", "1", "the model has no item 'qin'; did you mean 'pin'?"},
      {"pin.axs", "x", "unknown key 'axs' in joint 'pin'; did you mean 'axis'?"},
      {"bodies.c.mass", "1 kg", "there is no entry 'c' in bodies"},
      {"bodies.c", "~", "there is no entry 'c' in bodies"},
      {"bodies.c", "5 kg", "there is no entry 'c' in bodies"},
      {"bodies.c", "{mess: 1 kg}", "unknown key 'mess' in body 'c'; did you mean 'mass'?"},
      {"parameters.L", "{type: rod}", "there is no parameter 'L' in parameters"},
      {"b.mass", "1", "mass of body 'b' needs a unit"},
      {"b.mass.x", "1", "'mass' is a value"},
      {"b.position", "[1 m, 2 m]", "list of three quantities, got 2"},
      {"b.position", "[1 m, 2 m", "not closed"},
      {"same.mass", "1 kg", "there are bodies and joints named 'same'"},
      {"", "1", "--set section.name.key=value"},
      {"a..b", "1", "--set section.name.key=value"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hk_override set = {cases[i].path, cases[i].value};
    reading r = read_set(
        "parameters: {length: 1 m}\n"
        "bodies: {b: {mass: 1 kg}, same: {mass: 1 kg}}\n"
        "joints: {pin: {type: revolute, a: ground, b: b}, same: {type: fixed, a: "
        "b, b: same}}\n",
        &set, 1);
    assert_null(r.spec);
    const hk_diag_message *m = &r.diag.message[0];
    if (!strstr(m->text, cases[i].words) || r.diag.n_errors != 1)
      fail_msg("--set %s=%s gives: %s", cases[i].path, cases[i].value, m->text);
    assert_int_equal(strncmp(m->place.file, "--set ", 6), 0);
    done(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_and_what),  cmocka_unit_test(format_is_needed),
      cmocka_unit_test(all_in_one_go),   cmocka_unit_test(at_most_twenty),
      cmocka_unit_test(wrong_overrides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
