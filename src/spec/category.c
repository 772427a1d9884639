/* The categories of types: their names, the sections of the model file, and the parameters that every
 * type of a category has. */
#include "spec/renamed.h"
#include <hooke/element.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *section, *default_type;
} CATEGORIES[HK_N_CATEGORIES] = {
    [HK_BODY] = {"body", "bodies", "rigid_body"},
    [HK_JOINT] = {"joint", "joints", NULL},
    [HK_FORCE] = {"force", "forces", NULL},
    [HK_LAW] = {"law", "laws", NULL},
    [HK_CONTACT] = {"contact", "contacts", NULL},
    [HK_MOTION] = {"motion", "motions", "motion"},
    [HK_TABLE] = {"table", "tables", "table"},
    [HK_INPUT] = {"input", "inputs", "input"},
    [HK_STATE] = {"state", "states", "state"},
    [HK_SENSOR] = {"sensor", "sensors", "expression"},
    [HK_SHAPE] = {"shape", "shapes", NULL},
    [HK_FMU] = {"fmu", "fmus", "fmu"},
    [HK_EVENT] = {"event", "events", "event"},
    [HK_MEASURE] = {"measure", "measures", "channel"},
    [HK_ANALYSIS] = {"analysis", "analysis", "dynamics"},
    [HK_STEPPER] = {"stepper", "steppers", NULL},
};

static bool valid(hk_category category) { return (unsigned)category < HK_N_CATEGORIES; }

static const char *const FIXED[] = {"none", "position", "orientation", "all", NULL};

static const hk_param BODY[] = {
    HK_VEC3(hk_body_common, position, "m", HK_WORLD_PLACE,
            "position of the body's origin in the world"),
    HK_ROTATION(hk_body_common, orientation, HK_WORLD_AXES,
                "orientation of the body's axes in the world"),
    HK_VEC3(hk_body_common, velocity, "m/s", HK_WORLD_AXES,
            "initial velocity of the body's origin"),
    HK_VEC3(hk_body_common, angular_velocity, "rad/s", HK_WORLD_AXES,
            "initial angular velocity, in world axes"),
    HK_ENUM(hk_body_common, fixed, FIXED, 0, "coordinates held during assembly"),
};

static const hk_param JOINT[] = {
    HK_FRAME(hk_joint_common, a, 0, "first frame: a body or one of its markers"),
    HK_FRAME(hk_joint_common, b, 0,
             "second frame; required unless the joint relates coordinates of other joints"),
    HK_VEC3(hk_joint_common, at, "m", HK_WORLD_PLACE,
            "position of the joint in world axes, in the initial position; without at and axis the "
            "joint frames are the frames a and b"),
    HK_DIRECTION(hk_joint_common, axis, HK_WORLD_AXES, "z axis of the joint frame in the world"),
    HK_DIRECTION(hk_joint_common, x_axis, HK_WORLD_AXES,
                 "x axis of the joint frame in world axes, made perpendicular to the axis; chosen "
                 "automatically if omitted"),
};

static const hk_param CONTACT[] = {
    HK_FRAME(hk_contact_common, a, HK_REQUIRED, "frame of the first body"),
    HK_FRAME(hk_contact_common, b, HK_REQUIRED, "frame of the second body"),
    HK_LAW_NAME(hk_contact_common, law, HK_REQUIRED, "contact law: one of `laws`"),
};

static const hk_param SHAPE[] = {
    HK_FRAME(hk_shape_common, body, HK_REQUIRED,
             "body that has the shape, or ground; omitted if the shape is defined within the body"),
    HK_VEC3(hk_shape_common, offset, "m", 0, "position of the shape's origin, in the body's axes"),
    HK_ROTATION(hk_shape_common, rotation, 0, "orientation of the shape's axes in the body's axes"),
    HK_PARAM_AS(
        "color", HK_PARAM_STRING, hk_shape_common, color, NULL, 0,
        "\"#rrggbb\", or steel, brass, dark, white, grey, red, blue, green, orange, sky, purple, "
        "yellow; default: colour of the body"),
};
const hk_param *hk_category_params(hk_category category, int *n) {
  if (category == HK_BODY) return *n = sizeof BODY / sizeof *BODY, BODY;
  if (category == HK_JOINT) return *n = sizeof JOINT / sizeof *JOINT, JOINT;
  if (category == HK_CONTACT) return *n = sizeof CONTACT / sizeof *CONTACT, CONTACT;
  if (category == HK_SHAPE) return *n = sizeof SHAPE / sizeof *SHAPE, SHAPE;
  *n = 0;
  return NULL;
}

const char *hk_category_name(hk_category category) {
  return valid(category) ? CATEGORIES[category].name : NULL;
}

const char *hk_category_section(hk_category category) {
  return valid(category) ? CATEGORIES[category].section : NULL;
}

const char *hk_category_default_type(hk_category category) {
  return valid(category) ? CATEGORIES[category].default_type : NULL;
}

const hk_param *hk_type_param(const hk_type *type, int i) {
  if (!type) return NULL;
  int n;
  const hk_param *common = hk_category_params(type->category, &n);
  if (i < 0) return NULL;
  if (i < n) return &common[i];
  return i - n < type->n_params ? &type->params[i - n] : NULL;
}

int hk_type_param_count(const hk_type *type) {
  if (!type) return 0;
  int n;
  hk_category_params(type->category, &n);
  return n + type->n_params;
}

static int exact_index(const hk_type *type, const char *name) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(type, i)); i++)
    if (strcmp(p->name, name) == 0) return i;
  return -1;
}

/* "gear_a.teeth" is teeth_a. */
static int index_in_group(const hk_type *type, const char *name) {
  const char *dot = strchr(name, '.');
  char full[128];
  for (const hk_group *g = dot ? type->groups : NULL; g && g->name; g++) {
    const size_t n = strlen(g->name);
    if (n != (size_t)(dot - name) || strncmp(g->name, name, n) != 0) continue;
    if (snprintf(full, sizeof full, "%s%s", dot + 1, g->suffix) < (int)sizeof full)
      return hk_type_param_find(type, full);
  }
  return -1;
}

const hk_group *hk_type_group(const hk_type *type, const hk_param *p) {
  if (!type) return NULL;
  const size_t n = strlen(p->name);
  for (const hk_group *g = type->groups; g && g->name; g++) {
    const size_t k = strlen(g->suffix);
    if (n > k && strcmp(p->name + n - k, g->suffix) == 0) return g;
  }
  return NULL;
}

int hk_type_param_find(const hk_type *type, const char *name) {
  if (!type) return -1;
  int i = exact_index(type, name);
  if (i < 0) i = index_in_group(type, name);
  if (i >= 0) return i;
  const char *current = hk_renamed_key(type, name).new_name;
  return current ? exact_index(type, current) : -1;
}
