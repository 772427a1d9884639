/* Initial plots of a report: first those that suit the joints of the model, then those that apply
 * to every run. */
#include "report/page.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CURVES = 12, MOST_PLOTS = 16, NAME = 600, ORBIT_ROWS = 30000 };

typedef struct chooser {
  hk_json *j;
  const hk_plot_source *s;
  const char *angle; /* channel of the horizontal axis, or NULL */
  int orders;        /* maximum number of curves shown; 0: the page decides */
  const char
      *rhythm;      /* channel whose last two periods are shown first; NULL: everything is shown */
  const char *part; /* kind of part to which each curve belongs, such as "ball"; NULL: none */
  /* angle in degrees after which the next equal part has the same position; 0: none */
  double pitch;
  int n;
} chooser;

/* Writes a name or a title; longer texts are truncated. */
__attribute__((format(printf, 2, 3))) static void print(char out[NAME], const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(out, NAME, fmt, args);
  va_end(args);
}

static bool has(const chooser *c, const char *name) { return c->s->find(c->s->context, name) >= 0; }

static void want(const chooser *c, const char *name) {
  int i = c->s->find(c->s->context, name);
  if (i >= 0) c->s->wanted[i] = true;
}

/* Adds a plot of those channels that exist; returns false if none exists. */
static bool plot(chooser *c, const char *title, const char *kind, const char *x,
                 const char (*y)[NAME], int n) {
  int found = 0;
  for (int i = 0; i < n; i++) found += has(c, y[i]);
  if (!found || c->n >= MOST_PLOTS || (x && !has(c, x))) return false;
  hk_json_open(c->j, NULL, '{');
  hk_json_text(c->j, "title", title);
  hk_json_text(c->j, "kind", kind);
  if (x) hk_json_text(c->j, "x", x), want(c, x);
  if (c->angle) hk_json_text(c->j, "per", c->angle), want(c, c->angle);
  if (c->orders) hk_json_int(c->j, "orders", c->orders);
  if (c->rhythm) hk_json_text(c->j, "rhythm", c->rhythm), want(c, c->rhythm);
  if (c->part) hk_json_text(c->j, "part", c->part);
  if (c->pitch > 0) hk_json_real(c->j, "pitch", c->pitch);
  hk_json_open(c->j, "y", '[');
  for (int i = 0; i < n; i++)
    if (has(c, y[i])) hk_json_text(c->j, NULL, y[i]), want(c, y[i]);
  hk_json_close(c->j, ']');
  hk_json_close(c->j, '}');
  c->n++;
  return true;
}

/* ---- joints made of contacts ---- */

/* Plots of a constant velocity joint of any kind: its effect on the two shafts. */
static void shaft_loads(chooser *c, const char *owner) {
  char y[2][NAME], title[NAME];
  for (int i = 0; i < 2; i++) print(y[i], "%.500s.secondary_torque_%c", owner, "ab"[i]);
  print(title, "%.500s: secondary torques", owner);
  plot(c, title, "time", NULL, (const char(*)[NAME])y, 2);
  for (int i = 0; i < 2; i++) print(y[i], "%.500s.axial_force_%c", owner, "ab"[i]);
  print(title, "%.500s: axial forces", owner);
  plot(c, title, "time", NULL, (const char(*)[NAME])y, 2);
  print(title,
        c->angle ? "%.500s: orders of the axial force" : "%.500s: spectrum of the axial force",
        owner);
  plot(c, title, c->angle ? "orders" : "spectrum", NULL, (const char(*)[NAME])(y + 1), 1);
}

/* Plots of a ball-type CV joint. The names of the contacts between balls and tracks, such as "cvj.inner[0]", give the
 * name "cvj" of the joint and the numbers of its balls. */
static void ball_joint(chooser *c, const char *owner, const char *race) {
  char y[MOST_CURVES][NAME], title[NAME];
  int n = 0;
  for (; n < MOST_CURVES; n++) {
    print(y[n], "%s.%s[%d].loaded.normal_force", owner, race, n);
    if (!has(c, y[n])) break;
  }
  print(title, "%s: force on the tracks, one by one", owner);
  c->part = "ball", c->pitch = n ? 360.0 / n : 0;
  plot(c, title, c->angle ? "xy" : "time", c->angle, (const char(*)[NAME])y, n);
  c->part = NULL;
  print(y[0], "%s.cage_angle", owner);
  print(y[1], "%s.articulation_angle", owner);
  print(title, has(c, y[0]) ? "%s: angle of the cage and of the joint" : "%s: angle of the joint",
        owner);
  plot(c, title, "time", NULL, (const char(*)[NAME])y, 2);
  print(y[0], "%s.plunge", owner);
  print(title, c->angle ? "%s: axial orders" : "%s: axial spectrum", owner);
  plot(c, title, c->angle ? "orders" : "spectrum", NULL, (const char(*)[NAME])y, 1);
  c->pitch = 0;
}

static void universal_joint(chooser *c, const char *owner) {
  char y[4][NAME], x[NAME], title[NAME];
  print(y[0], "%s.delta_a", owner), print(y[1], "%s.delta_b", owner);
  print(title, "%s: yokes ahead of the cross", owner);
  plot(c, title, "time", NULL, (const char(*)[NAME])y, 2);
  for (int side = 0; side < 2; side++) {
    print(x, "%s.delta_%c", owner, "ab"[side]);
    print(y[0], "%s.delta_%c_rate", owner, "ab"[side]);
    print(title, "%s: phase portrait, yoke %c", owner, "ab"[side]);
    int i = c->s->find(c->s->context, x);
    if (i >= 0) plot(c, title, "xy", x, (const char(*)[NAME])y, 1);
  }
  print(y[0], "%s.impulse_a", owner), print(y[1], "%s.impulse_b", owner);
  print(y[2], "%s.impacts_a", owner), print(y[3], "%s.impacts_b", owner);
  print(title, "%s: impulses and impacts", owner);
  plot(c, title, "time", NULL, (const char(*)[NAME])y, 4);
}

/* Requests the channels of the poses from which an orbit is drawn; every row is used unless there
 * are too many. */
static void want_pose(const chooser *c, const hk_scene_place *p) {
  static const char *const column[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  char name[NAME];
  if (p->body < 0 || c->s->n_rows > ORBIT_ROWS) return;
  for (int i = 0; i < 7; i++) {
    print(name, "%.500s.%s", c->s->scene->body[p->body].name, column[i]);
    want(c, name);
  }
}

/* forces: also plots the force of the dry contact, which is zero most of the time if there is a
 * film. */
static void clearance(chooser *c, int i, bool forces) {
  const hk_scene_contact *k = &c->s->scene->contact[i];
  char y[HK_CONTACT_MAX_POINTS][NAME], title[NAME];
  if ((k->play == HK_PLAY_PIN || k->play == HK_PLAY_POINT) && c->n < MOST_PLOTS) {
    hk_json_open(c->j, NULL, '{');
    print(title, "%s: orbit inside its clearance", k->name);
    hk_json_text(c->j, "title", title);
    hk_json_text(c->j, "kind", "orbit");
    hk_json_int(c->j, "contact", i);
    want_pose(c, &k->a), want_pose(c, &k->b);
    hk_json_open(c->j, "y", '[');
    hk_json_close(c->j, ']');
    hk_json_close(c->j, '}');
    c->n++;
  }
  if (!forces) return;
  for (int p = 0; p < k->n_points; p++)
    print(y[p], "%s.normal_force", c->s->scene->point[k->point + p].name);
  print(title, "%s: pressing force", k->name);
  plot(c, title, "time", NULL, (const char(*)[NAME])y, k->n_points);
}

/* Finds "wrist" from "wrist.contact", for a joint with clearance that has the position of its
 * journal as channels; false for other joints. */
static bool clearance_joint(const chooser *c, const char *name, char *owner) {
  const char *dot = strrchr(name, '.');
  char channel[NAME];
  if (!dot || strcmp(dot, ".contact") != 0) return false;
  print(owner, "%.*s", (int)(dot - name), name);
  print(channel, "%.500s.offset", owner);
  return has(c, channel);
}

/* Returns false if the joint has no film. */
static bool film(chooser *c, const char *owner) {
  static const char *const what[] = {"eccentricity", "min_film_thickness", "pressure", "force"};
  char y[4][NAME], title[NAME];
  for (int i = 0; i < 4; i++) print(y[i], "%.500s.film.%s", owner, what[i]);
  print(title, "%.500s: film", owner);
  return plot(c, title, "time", NULL, (const char(*)[NAME])y, 4);
}

/* Plots of a gear pair "mesh", recognised by its channel "mesh.transmission_error". */
static void gear_pair(chooser *c, const char *owner) {
  char y[MOST_CURVES][NAME], title[NAME], error[NAME];
  print(error, "%.500s.transmission_error", owner);
  print(y[0], "%s", error);
  c->rhythm = error;
  print(title, "%.500s: transmission error", owner);
  plot(c, title, "time", NULL, (const char(*)[NAME])y, 1);
  c->rhythm = NULL;
  print(title,
        c->angle ? "%.500s: orders of the transmission error"
                 : "%.500s: spectrum of the transmission error",
        owner);
  c->orders = 200; /* a multiple of the number of teeth */
  plot(c, title, c->angle ? "orders" : "spectrum", NULL, (const char(*)[NAME])y, 1);
  c->orders = 0;
  print(y[0], "%.500s.load", owner);
  for (int i = 1; i < MOST_CURVES; i++) print(y[i], "%.500s.pair[%d].load", owner, i - 1);
  print(title, "%.500s: load, of all teeth and pair by pair", owner);
  c->rhythm = error;
  plot(c, title, "time", NULL, (const char(*)[NAME])y, MOST_CURVES);
  for (int i = 0; i < MOST_CURVES; i++) print(y[i], "%.500s.pair[%d].share", owner, i);
  print(title, "%.500s: load sharing of the pairs of teeth", owner);
  plot(c, title, "time", NULL, (const char(*)[NAME])y, MOST_CURVES);
  print(y[0], "%.500s.film", owner), print(y[1], "%.500s.pressure", owner);
  print(title, "%.500s: least film and greatest pressure", owner);
  plot(c, title, "time", NULL, (const char(*)[NAME])y, 2);
  c->rhythm = NULL;
}

/* Writes a plot about a bearing; the page marks its frequencies in spectra. */
static void bearing_plot(chooser *c, const char *owner, const char *per, const char *title,
                         const char *kind, const char *const *what, int n) {
  static const char *const more[] = {"speed", "cage_speed", "element_speed"};
  char name[NAME];
  if (c->n >= MOST_PLOTS) return;
  hk_json_open(c->j, NULL, '{');
  print(name, "%.500s: %s", owner, title);
  hk_json_text(c->j, "title", name);
  hk_json_text(c->j, "kind", kind);
  hk_json_text(c->j, "bearing", owner);
  if (per && strcmp(kind, "orders") == 0) hk_json_text(c->j, "per", per), want(c, per);
  hk_json_open(c->j, "y", '[');
  for (int i = 0; i < n; i++) {
    print(name, "%.500s.%s", owner, what[i]);
    const char *dot =
        strrchr(owner, '.'); /* the force of a joint's part is a channel of the joint */
    if (!has(c, name) && dot) print(name, "%.*s.%s_b", (int)(dot - owner), owner, what[i]);
    if (has(c, name)) hk_json_text(c->j, NULL, name), want(c, name);
  }
  hk_json_close(c->j, ']');
  hk_json_close(c->j, '}');
  for (int i = 0; i < 3; i++) {
    print(name, "%.500s.%s", owner, more[i]);
    want(c, name);
  }
  c->n++;
}

/* Plots of a rolling bearing "front", recognised by its channel "front.element[0].azimuth". */
static void rolling_bearing(chooser *c, const char *owner) {
  enum { MOST_ELEMENTS = 64, LENGTH = 32 };
  static const char *const across[] = {"fx", "fy"};
  char text[MOST_ELEMENTS][LENGTH], name[NAME];
  const char *load[MOST_ELEMENTS];
  int n = 0;
  for (; n < MOST_ELEMENTS; n++) {
    snprintf(text[n], LENGTH, "element[%d].load_inner", n);
    print(name, "%.500s.%s", owner, text[n]);
    if (!has(c, name)) break;
    load[n] = text[n];
    print(name, "%.500s.element[%d].azimuth", owner, n);
    want(c, name);
  }
  /* Finds the angle in which revolutions are counted: the angle of the joint to which the bearing belongs, or of the
   * rotating coordinate. */
  const char *dot = strrchr(owner, '.'), *per = c->angle;
  print(name, "%.*s.angle", dot ? (int)(dot - owner) : 0, owner);
  if (dot && has(c, name)) per = name;
  bearing_plot(c, owner, NULL, "loads of the elements", "polar", load, n);
  bearing_plot(c, owner, per, per ? "orders of the force" : "spectrum of the force",
               per ? "orders" : "spectrum", across, 2);
  bearing_plot(c, owner, NULL, "envelope spectrum of the force", "envelope", across, 2);
}

/* Plots of the first two elements of a kind, which is recognised by one of its channels. */
static void by_channel(chooser *c, const char *ending,
                       void (*plots)(chooser *c, const char *owner)) {
  int found = 0;
  for (int i = 1; i < c->s->n_channels && found < 2; i++) {
    const char *name = c->s->channel[i].name;
    const size_t n = strlen(name), tail = strlen(ending);
    char owner[NAME];
    if (n <= tail || n >= NAME || strcmp(name + n - tail, ending) != 0) continue;
    print(owner, "%.*s", (int)(n - tail), name);
    plots(c, owner), found++;
  }
}

/* Splits "cvj.inner[0]" into "cvj" and "inner"; false for other names. */
static bool split(const char *name, char *owner, char *part) {
  const char *bracket = strrchr(name, '['), *dot = strrchr(name, '.');
  if (!bracket || !dot || dot > bracket || strcmp(bracket, "[0]") != 0) return false;
  print(owner, "%.*s", (int)(dot - name), name);
  print(part, "%.*s", (int)(bracket - dot - 1), dot + 1);
  return true;
}

static void contacts(chooser *c) {
  const hk_scene *s = c->s->scene;
  char owner[NAME], race[NAME], channel[NAME];
  int single = 0;
  for (int i = 0; i < s->n_contacts; i++) {
    const hk_scene_contact *k = &s->contact[i];
    if (strcmp(k->type, "ball_in_groove") == 0 && split(k->name, owner, race) &&
        strcmp(race, "outer") != 0)
      ball_joint(c, owner, race);
    else if (clearance_joint(c, k->name, owner) && single < 3)
      clearance(c, i, !film(c, owner)), single++;
    else if (!strchr(k->name, '.') && k->play != HK_PLAY_NONE && single < 3)
      clearance(c, i, true), single++;
    else if (!strchr(k->name, '.') && single < 3 && strcmp(k->type, "ball_in_groove") != 0)
      clearance(c, i, true), single++;
  }
  for (int i = 0; i < s->n_bodies; i++) { /* a cross belongs to a universal joint with clearance */
    const char *name = s->body[i].name, *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".cross") != 0) continue;
    print(owner, "%.*s", (int)(dot - name), name);
    print(channel, "%s.delta_a", owner);
    if (has(c, channel)) universal_joint(c, owner);
  }
}

/* ---- plots for every model ---- */

/* Adds a plot of channels whose description is `doc` and whose unit is one of two, up to a number
 * that remains readable. */
static void by_doc(chooser *c, const char *title, const char *doc, const char *unit) {
  char y[MOST_CURVES][NAME];
  int n = 0;
  for (int i = 1; i < c->s->n_channels && n < 6; i++) {
    const hk_channel_info *k = &c->s->channel[i];
    if (strcmp(k->doc ? k->doc : "", doc) != 0 || strlen(k->name) >= NAME) continue;
    if (unit && strcmp(k->unit ? k->unit : "", unit) != 0) continue;
    bool sensor = strcmp(doc, "sensor") == 0;
    if ((sensor && strchr(k->name, '[')) || strstr(k->name, "cross.")) continue;
    print(y[n++], "%s", k->name);
  }
  plot(c, title, "time", NULL, (const char(*)[NAME])y, n);
}

static void phase_plane(chooser *c) {
  char y[1][NAME], title[NAME];
  for (int i = 1; i < c->s->n_channels; i++) {
    const hk_channel_info *k = &c->s->channel[i];
    if (strcmp(k->doc ? k->doc : "", "coordinate") != 0 || strlen(k->name) > NAME - 10) continue;
    print(y[0], "%s_rate", k->name);
    print(title, "phase plane of %.500s", k->name);
    plot(c, title, "xy", k->name, (const char(*)[NAME])y, 1);
    return;
  }
}

static void positions(chooser *c) {
  const hk_scene *s = c->s->scene;
  char y[3][NAME], title[NAME];
  for (int i = 0; s && i < s->n_bodies && i < 3; i++) {
    for (int k = 0; k < 3; k++) print(y[k], "%.500s.%c", s->body[i].name, "xyz"[k]);
    print(title, "position of %.500s", s->body[i].name);
    plot(c, title, "time", NULL, (const char(*)[NAME])y, 3);
  }
}

/* Finds the rotating coordinate: that of a rotor, otherwise that of the first hinge. */
static const char *find_angle(const hk_plot_source *s) {
  for (int i = 0; s->scene && i < s->scene->n_bodies; i++) {
    char name[NAME];
    if (s->scene->body[i].kind != HK_POSE_TURN || strchr(s->scene->body[i].name, '.')) continue;
    print(name, "%.500s.angle", s->scene->body[i].name);
    int k = s->find(s->context, name);
    if (k >= 0) return s->channel[k].name;
  }
  for (int i = 1; i < s->n_channels; i++) {
    const hk_channel_info *k = &s->channel[i];
    size_t n = strlen(k->name);
    bool angle = n > 6 && strcmp(k->name + n - 6, ".angle") == 0;
    if (angle && strcmp(k->doc ? k->doc : "", "coordinate") == 0 && n < NAME) return k->name;
  }
  return NULL;
}

void hk_page_plots(hk_json *j, const char *key, const hk_plot_source *s) {
  static const char energies[][NAME] = {"energy.kinetic", "energy.potential", "energy.dissipated",
                                        "energy.motion_work", "energy.applied_work"};
  static const char balance[][NAME] = {"energy.balance_error"}, step[][NAME] = {"solver.step"};
  chooser c = {.j = j, .s = s, .angle = find_angle(s)};
  hk_json_open(j, key, '[');
  if (s->scene) contacts(&c);
  by_channel(&c, ".secondary_torque_a", shaft_loads);
  by_channel(&c, ".transmission_error", gear_pair);
  by_channel(&c, ".element[0].azimuth", rolling_bearing);
  by_doc(&c, "sensors", "sensor", NULL);
  by_doc(&c, "angles of joints and rotors", "coordinate", "rad");
  by_doc(&c, "displacements of joints", "coordinate", "m");
  if (c.n < 4) phase_plane(&c);
  if (c.n < 3) positions(&c);
  plot(&c, "energy", "time", NULL, energies, 5);
  plot(&c, "energy that is not accounted for", "time", NULL, balance, 1);
  plot(&c, "length of the steps", "time", NULL, step, 1);
  if (c.n == 0 && s->n_channels > 1) {
    char y[8][NAME];
    int n = 0;
    for (int i = 1; i < s->n_channels && n < 8; i++) print(y[n++], "%.590s", s->channel[i].name);
    plot(&c, "channels", "time", NULL, (const char(*)[NAME])y, n);
  }
  hk_json_close(j, ']');
}
