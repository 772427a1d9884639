/* Bearings, couplings and loads of a REXS file. */
#include "rexs/gearbox.h"
#include <math.h>
#include <string.h>

/* Programs write stiffnesses above these limits to denote "rigid" [N/m, N m/rad]. */
#define RIGID 1e15
#define RIGID_TILT 1e9
#define RIGID_TORSION 1e12
/* Stiffness that is assumed for bearings without a value: typical of medium-sized rolling bearings [N/m]. */
#define RADIAL 3e8
#define AXIAL 1e8

static bool is_one_of(const char *type, const char *const *list) {
  for (; *list; list++)
    if (strcmp(type, *list) == 0) return true;
  return false;
}

/* ---- bearings and couplings ---- */

static void read_absorption(hk_rexs_gearbox *b, hk_rexs_support *p) {
  hk_rexs_source *s = &b->s;
  const char *text = hk_rexs_text(s, p->c, "axial_force_absorption");
  if (!text) {
    p->absorbs = 3;
    hk_rexs_note(s, p->c, "axial_force_absorption is missing; assumed: both_directions");
  } else if (strcmp(text, "both_directions") == 0) {
    p->absorbs = 3;
  } else if (strcmp(text, "positive") == 0 || strcmp(text, "negative") == 0) {
    const bool positive = (*text == 'p') == (b->shaft[p->inner].way > 0);
    p->absorbs = positive ? 1 : 2;
  } else if (strcmp(text, "no_direction") != 0) {
    hk_rexs_fail(s, p->c, "'%.40s' of axial_force_absorption is not known", text);
  }
}

static void read_bearing(hk_rexs_gearbox *b, hk_rexs_support *p) {
  hk_rexs_source *s = &b->s;
  double operating[2];
  read_absorption(b, p);
  const bool radial = hk_rexs_flag(s, p->c, "radial_force_absorption", true);
  if (hk_rexs_number(s, p->c, "operating_point_stiffness_f_v_d_v", HK_REXS_STIFFNESS,
                     &operating[0]) &&
      hk_rexs_number(s, p->c, "operating_point_stiffness_f_w_d_w", HK_REXS_STIFFNESS,
                     &operating[1]) &&
      operating[0] > 0 && operating[1] > 0) {
    p->radial = 0.5 * (operating[0] + operating[1]);
    hk_rexs_number(s, p->c, "operating_point_stiffness_f_u_d_u", HK_REXS_STIFFNESS, &p->axial);
    hk_rexs_note(
        s, p->c,
        "the mean of its operating point stiffnesses along v and w is its radial stiffness; "
        "the terms that couple directions are ignored");
  } else {
    hk_rexs_number(s, p->c, "radial_stiffness", HK_REXS_STIFFNESS, &p->radial);
    hk_rexs_number(s, p->c, "axial_stiffness", HK_REXS_STIFFNESS, &p->axial);
  }
  hk_rexs_number(s, p->c, "bending_stiffness", HK_REXS_ROTATIONAL_STIFFNESS, &p->tilt);
  if (p->tilt > 0)
    hk_rexs_note(s, p->c,
                 "its bending_stiffness of %.3g N m/rad%s is left out: the shaft tilts freely",
                 p->tilt, p->tilt >= RIGID_TILT ? ", which programs write for 'rigid'," : "");
  if (!radial) {
    p->radial = 0;
  } else if (!(p->radial > 0) || p->radial >= RIGID) {
    hk_rexs_note(s, p->c, "%s radial stiffness; assumed: %.3g N/m",
                 p->radial > 0 ? "it has a writer's 'rigid' as" : "it has no", RADIAL);
    p->radial = RADIAL;
    p->default_radial = true;
  }
  if (!p->absorbs) {
    p->axial = 0;
  } else if (!(p->axial > 0) || p->axial >= RIGID) {
    hk_rexs_note(s, p->c, "%s axial stiffness; assumed: %.3g N/m",
                 p->axial > 0 ? "it has a writer's 'rigid' as" : "it has no", AXIAL);
    p->axial = AXIAL;
    p->default_axial = true;
  }
}

static void read_coupling(hk_rexs_gearbox *b, hk_rexs_support *p) {
  hk_rexs_source *s = &b->s;
  p->coupling = true;
  const bool torsion =
      hk_rexs_number(s, p->c, "rotational_stiffness", HK_REXS_ROTATIONAL_STIFFNESS, &p->torsion);
  hk_rexs_number(s, p->c, "radial_stiffness", HK_REXS_STIFFNESS, &p->radial);
  hk_rexs_number(s, p->c, "axial_stiffness", HK_REXS_STIFFNESS, &p->axial);
  hk_rexs_number(s, p->c, "bending_stiffness", HK_REXS_ROTATIONAL_STIFFNESS, &p->tilt);
  p->rigid = !torsion || p->torsion >= RIGID_TORSION;
  if (p->rigid)
    hk_rexs_note(
        s, p->c,
        torsion
            ? "its rotational_stiffness of %.3g N m/rad is taken as rigid; all directions are fixed"
            : "it has no rotational_stiffness: assumed to be rigid (%.3g)",
        p->torsion);
}

static void read_support(hk_rexs_gearbox *b, hk_rexs_component *c, bool coupling) {
  hk_rexs_source *s = &b->s;
  hk_rexs_relation *at = NULL;
  hk_rexs_component *inner = hk_rexs_related(s, "side", "assembly", c->id, "inner_part", &at),
                    *outer;
  at = NULL;
  outer = hk_rexs_related(s, "side", "assembly", c->id, "outer_part", &at);
  if (!inner || !outer) {
    hk_rexs_fail(s, c, "there is no relation 'side' with the parts that it connects");
    return;
  }
  if (coupling && !hk_rexs_flag(s, c, "is_engaged", true)) {
    hk_rexs_note(s, c, "it is not engaged and is ignored");
    return;
  }
  if (b->n_supports == HK_REXS_MAX_PARTS) {
    hk_rexs_fail(s, c, "the file has more than %d bearings and couplings", HK_REXS_MAX_PARTS);
    return;
  }
  hk_rexs_support *p = &b->support[b->n_supports];
  *p = (hk_rexs_support){.c = c,
                         .inner = hk_rexs_shaft_index(b, inner->id),
                         .outer = hk_rexs_shaft_index(b, outer->id)};
  if (p->inner < 0) {
    hk_rexs_fail(s, c, "its inner part, %s %d, is not a shaft", inner->type, inner->id);
    return;
  }
  if (p->outer < 0 && strcmp(outer->type, "gear_casing") != 0) {
    hk_rexs_fail(s, c, "its outer part, %s %d, is neither a shaft nor the casing", outer->type,
                 outer->id);
    return;
  }
  b->n_supports++;
  hk_rexs_shaft *shaft = &b->shaft[p->inner];
  double u, off, posed = 0;
  const bool has_u = hk_rexs_number(s, c, "u_coordinate_on_shaft_inner_side", HK_REXS_LENGTH, &u);
  p->pose = hk_rexs_pose_of(b, c);
  if (p->pose.given) posed = hk_rexs_along(shaft, p->pose.at, &off);
  if (has_u) {
    p->at = shaft->way > 0 ? u - shaft->first : shaft->length - (u - shaft->first);
    if (p->pose.given && fabs(posed - p->at) > 1e-7)
      hk_rexs_note(s, c,
                   "u_coordinate_on_shaft_inner_side and support_vector are %.4g um apart; "
                   "u_coordinate_on_shaft_inner_side is used",
                   1e6 * fabs(posed - p->at));
  } else if (p->pose.given) {
    p->at = posed;
  } else {
    hk_rexs_fail(s, c, "it has neither a u_coordinate_on_shaft_inner_side nor a support_vector");
    return;
  }
  hk_rexs_add_station(b, shaft, p->at, c);
  if (p->outer >= 0) {
    double place[3];
    hk_rexs_shaft *other = &b->shaft[p->outer];
    for (int i = 0; i < 3; i++) place[i] = shaft->pose.at[i] + p->at * shaft->pose.axes[i][2];
    p->at_outer = hk_rexs_along(other, place, &off);
    if (off > 1e-6)
      hk_rexs_fail(s, c, "the axes of the shafts that it connects are %.6g mm apart", 1e3 * off);
    hk_rexs_add_station(b, other, p->at_outer, c);
  }
  hk_rexs_text(s, c, "u_coordinate_on_shaft_outer_side");
  if (coupling)
    read_coupling(b, p);
  else
    read_bearing(b, p);
}

void hk_rexs_read_supports(hk_rexs_gearbox *b) {
  static const char *const BEARINGS[] = {"concept_bearing", "rolling_bearing_with_catalog_geometry",
                                         "rolling_bearing_with_detailed_geometry",
                                         "sliding_bearing", NULL};
  static const char *const COUPLINGS[] = {"coupling", "switchable_coupling", NULL};
  for (hk_rexs_component *c = b->s.file->component; c && !b->s.status; c = c->next) {
    if (is_one_of(c->type, BEARINGS))
      read_support(b, c, false);
    else if (is_one_of(c->type, COUPLINGS))
      read_support(b, c, true);
  }
}

/* ---- loads and masses ---- */

static bool read_place(hk_rexs_gearbox *b, hk_rexs_component *c, int *shaft, double *at) {
  hk_rexs_source *s = &b->s;
  hk_rexs_relation *r = NULL;
  hk_rexs_component *owner;
  *shaft = -1;
  while (*shaft < 0 && (owner = hk_rexs_related(s, "assembly", "part", c->id, "assembly", &r)))
    *shaft = hk_rexs_shaft_index(b, owner->id);
  if (*shaft < 0) {
    hk_rexs_fail(s, c, "no shaft carries it");
    return false;
  }
  hk_rexs_shaft *on = &b->shaft[*shaft];
  double u = 0;
  if (!hk_rexs_required(s, c, "u_coordinate_on_shaft", HK_REXS_LENGTH, &u)) return false;
  *at = on->way > 0 ? u - on->first : on->length - (u - on->first);
  hk_rexs_add_station(b, on, *at, c);
  return !s->status;
}

static void read_load(hk_rexs_gearbox *b, hk_rexs_component *c) {
  hk_rexs_source *s = &b->s;
  if (b->n_loads == HK_REXS_MAX_PARTS) {
    hk_rexs_fail(s, c, "the file has more than %d loads", HK_REXS_MAX_PARTS);
    return;
  }
  hk_rexs_load *load = &b->load[b->n_loads];
  *load = (hk_rexs_load){.c = c};
  if (!read_place(b, c, &load->shaft, &load->at)) return;
  b->n_loads++;
  const double way = b->shaft[load->shaft].way, turned[3] = {1, way, way};
  static const char *const FORCE[] = {"force_v_direction", "force_w_direction",
                                      "force_u_direction"};
  static const char *const TORQUE[] = {"torque_around_v_axis", "torque_around_w_axis",
                                       "torque_around_u_axis"};
  for (int i = 0; i < 3; i++) {
    hk_rexs_number(s, c, FORCE[i], HK_REXS_FORCE, &load->force[i]);
    const bool given = hk_rexs_number(s, c, TORQUE[i], HK_REXS_TORQUE, &load->torque[i]);
    double power;
    if (i == 2 && !given && hk_rexs_number(s, c, "power", HK_REXS_POWER, &power) && power != 0) {
      const hk_rexs_shaft *on = &b->shaft[load->shaft];
      if (!on->defined || on->speed == 0)
        hk_rexs_fail(s, c, "its power gives no torque, because shaft %d has no speed", on->c->id);
      else
        load->torque[2] = power / (on->way * on->speed);
    }
    load->force[i] *= turned[i];
    load->torque[i] *= turned[i];
  }
  const bool defines = load->torque[2] != 0 || hk_rexs_text(s, c, "torque_around_u_axis") ||
                       hk_rexs_text(s, c, "power");
  load->balances = hk_rexs_flag(s, c, "transmits_torque", false) &&
                   !hk_rexs_flag(s, c, "defines_torque", defines);
}

static void read_mass(hk_rexs_gearbox *b, hk_rexs_component *c) {
  hk_rexs_source *s = &b->s;
  int on;
  double at, mass = 0, inertia = 0;
  if (!read_place(b, c, &on, &at)) return;
  hk_rexs_shaft *shaft = &b->shaft[on];
  hk_rexs_number(s, c, "mass_of_component", HK_REXS_MASS, &mass);
  hk_rexs_number(s, c, "moment_of_inertia_u_axis", HK_REXS_INERTIA, &inertia);
  if (!(mass > 0)) {
    hk_rexs_note(s, c, "it has no mass and is ignored");
  } else if (shaft->n_discs == HK_REXS_MAX_STATIONS) {
    hk_rexs_fail(s, shaft->c, "it has more than %d gears and masses", HK_REXS_MAX_STATIONS);
  } else {
    shaft->disc[shaft->n_discs++] = (hk_rexs_disc){at, mass, inertia};
    hk_rexs_note(s, c,
                 "its moments of inertia about v and w are half of that about u in the model");
  }
}

void hk_rexs_read_loads(hk_rexs_gearbox *b) {
  for (hk_rexs_component *c = b->s.file->component; c && !b->s.status; c = c->next) {
    if (strcmp(c->type, "external_load") == 0) read_load(b, c);
    if (strcmp(c->type, "additional_mass") == 0) read_mass(b, c);
  }
}
