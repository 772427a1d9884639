/* The compiled model: one immutable block, shared by every state, work and thread.
 * Built by hk_model_compile (src/model/compile.c) and never written afterwards.
 */
#ifndef HK_MODEL_MODEL_H
#define HK_MODEL_MODEL_H
#include "node/node.h"
#include "spec/channel.h"
#include "spec/coupling.h"
#include "spec/type.h"
#include <hooke/model.h>

/* Message if a function is called without a model. */
#define HK_NO_MODEL "there is no model: compilation failed; see its messages"

/* A free scalar between two markers. */
typedef struct hk_coordinate {
  const char *name; /* "hinge.angle" */
  const hk_relation_type *type;
  double k[HK_RELATION_CONSTANTS];
  int a, b; /* markers */
  /* slot in the state that holds the value at the last accepted step; -1: the coordinate is not
   * an angle that wraps */
  int turn;
  double limit; /* limit above which a quality warning is raised; 0: none */
} hk_coordinate;

typedef struct hk_held {
  const hk_relation_type *type;
  double k[HK_RELATION_CONSTANTS];
} hk_held;

typedef struct hk_model_term {
  int coordinate;
  double factor;
} hk_model_term;

/* The rows that one joint or motion holds at zero: either relations between its two ports, or one
 * weighted sum of coordinates minus a function of time. */
typedef struct hk_constraint {
  const char *name;
  const hk_item *item;
  int row, n_rows;   /* first row and number of rows, in g and lambda */
  int port, n_ports; /* into hk_model.port */
  /* first held relation and number of relations, in hk_model.held; 0 for a sum */
  int held, n_held;
  /* first term and number of terms, in hk_model.term; term i uses ports 2i and 2i+1 */
  int term, n_terms;
  const hk_expr *value;
  double constant; /* subtracted from the sum */
  /* true: the constant of the constraint is the value of the sum after assembly */
  bool start_as_is;
  int width;    /* width of a port in a row: 6, or larger for a node with more coordinates */
  int jacobian; /* into hk_work.G: [n_rows][n_ports][width] */
  /* row of the same joint that constrains a sum of coordinates and contributes to its reaction;
   * 0: none */
  int thread;
} hk_constraint;

/* Energy integrals, the powers from which they are integrated, the energy at the start, and a
 * correction. */
typedef enum hk_ledger {
  HK_LEDGER_DISSIPATED,
  HK_LEDGER_MOTION,
  HK_LEDGER_APPLIED,
  HK_LEDGER_POWER, /* the three powers at the last accepted step, in the order of the integrals */
  HK_LEDGER_START = HK_LEDGER_POWER + 3,
  HK_LEDGER_BEFORE, /* the powers a step earlier, and the length of the last step */
  HK_LEDGER_STEP = HK_LEDGER_BEFORE + 3,
  HK_LEDGER_MENDED, /* correction of the work of loads in the last step: see hk_ledger_mend */
  HK_N_LEDGER
} hk_ledger;
/* An expression and the channels of its variables: variable slot i of the expression is channel[i] of the model. */
typedef struct hk_bound_expr {
  const hk_expr *expr;
  int n;
  const int *slot; /* variable slots, as hk_expr_slots gives them */
} hk_bound_expr;

typedef struct hk_force {
  const char *name;
  const hk_item *item;
  const hk_force_ops *ops;
  int a, b;              /* markers, or -1 */
  bool point_a, point_b; /* the marker belongs to a point mass, which does not support moments */
  int coordinate;        /* or -1 */
  int joint;             /* constraint whose reaction determines the force (friction), or -1 */
  bool field;
  hk_bound_expr expr[HK_FORCE_MAX_EXPR];
  int n_expr;
  bool depends_on_state; /* an expression uses a channel other than t */
  /* first entry and number of entries in hk_model.port: the two ports on which the force acts, then the ports of the
   * channels that it reads */
  int port, n_ports;
  const void *constants; /* constants: see hk_force_ops */
  /* offset and number of its internal variables in the part `memory` of the state */
  int memory, n_memory;
  bool numerical; /* eval provides no derivatives: compile_differences.c */
  double fine;    /* characteristic length of the force; 0: none */
} hk_force;

/* A pair of surfaces: gap and law with their constants. */
typedef struct hk_contact {
  const char *name;
  const hk_item *item, *law_item;
  const hk_gap_ops *gap;
  const hk_law_ops *law;
  int a, b;            /* markers */
  int port;            /* the two ports in hk_model.port */
  int point, n_points; /* index of its first contact point in the model, and number of points */
  int friction;        /* HK_FRICTION_NONE, ... of a compliant law */
  bool one_way;        /* friction acts along the gap's first tangent only */
  bool needs_t;        /* friction depends on the gap's first tangent */
  bool ball;           /* compliant contact of a ball, without offset: see core/contact_ball.c */
  bool curved;         /* the gap provides radii of curvature */
  /* the gap or the law provides no derivatives: compile_differences.c */
  bool gap_numerical, law_numerical;
  double k[HK_GAP_CONSTANTS], l[HK_LAW_CONSTANTS];
  const void *constants; /* constants of the law in addition to l */
  /* offset of its internal variables in the part `memory` of the state: [n_points][law->memory] */
  int memory;
  bool owns;    /* the law of the contact has internal variables or scratch memory */
  double reach; /* the law of the contact acts if the gap is below this value */
  /* compliant law: depth up to which the gap's geometry is meaningful; INFINITY: any */
  double deepest;
  /* compliant law: approach velocity above which a closing contact is an impact */
  double count_above;
} hk_contact;

/* Values of HK_TOUCH_MODE, multiplied by the side of a two-sided point; 0 before the first step.
 * Points of compliant laws are open or slip. */
typedef enum hk_touch_mode {
  HK_MODE_UNKNOWN,
  HK_MODE_OPEN,
  HK_MODE_STICK,
  HK_MODE_SLIP,
  HK_MODE_HIT /* stored in the state only: the point is open, and its impact is in the next step */
} hk_touch_mode;

/* Data of each contact point in the state. */
typedef enum hk_touch_state {
  /* impulse of the last step [N s]; this and the next two only for set-valued laws */
  HK_TOUCH_IMPULSE_N,
  HK_TOUCH_IMPULSE_T,
  HK_TOUCH_IMPULSE_S,
  HK_TOUCH_APPROACH,      /* approach velocity at the last impact */
  HK_TOUCH_IMPACTS,       /* their number */
  HK_TOUCH_CLOSED,        /* duration of contact [s] */
  HK_TOUCH_SLIDING_WORK,  /* integral of mu N |v|: energy dissipated by sliding [J] */
  HK_TOUCH_SLIDING_POWER, /* sliding power at the last accepted step [W] */
  /* hk_touch_mode; the event-driven stepper also stores the direction of sliding */
  HK_TOUCH_MODE,
  HK_TOUCH_SLIP_T,
  HK_TOUCH_SLIP_S,
  HK_TOUCH_GAP,  /* compliant laws, for the error of the next step: gap, its rate, force, stored */
  HK_TOUCH_RATE, /* energy and slopes of the force at the last accepted step */
  HK_TOUCH_FORCE,
  HK_TOUCH_STORED,
  HK_TOUCH_STIFFNESS,
  HK_TOUCH_DAMPING,
  HK_TOUCH_LOAD,   /* lasting load other than the contact force, as an acceleration */
  HK_TOUCH_LAGGED, /* weighted contact force of generalized-alpha */
  HK_N_TOUCH
} hk_touch_state;

/* A composite joint: the markers of its sides, and its constraints, forces and contacts. */
typedef struct hk_member {
  hk_owner kind; /* HK_OF_JOINT, HK_OF_FORCE, HK_OF_CONTACT */
  int index;     /* index in the model's constraints, forces or contacts */
} hk_member;
typedef struct hk_composite {
  const char *name;
  int end[2];            /* markers a and b; b may be -1: a free end */
  int member, n_members; /* into hk_model.member */
  unsigned needs;        /* name of its channels */
} hk_composite;

typedef struct hk_sensor {
  const char *name;
  hk_bound_expr expr;
} hk_sensor;

/* An input, which the program sets, or a state of a differential equation; each has a channel with
 * its name. */
typedef struct hk_signal {
  const char *name, *unit;
  const hk_item *item;
  double start;
  int node, marker; /* states: */
} hk_signal;

/* A table lookup: call number `call` of an expression. */
typedef struct hk_lookup {
  const hk_item *item;
  const hk_expr *expr;
  int call;
  /* true: the motion of the model depends on this lookup; false: only output depends on it */
  bool in_step;
} hk_lookup;

/* An expression of a force, of a state's rate or of a motion that may vary within a step more than its end values show: see
 * control/scan.h. */
typedef struct hk_watched {
  const hk_item *item;
  const hk_expr *
      expr; /* of loads and states: one additive term of the expression, or of a sensor that it reads */
  double factor;       /* change of the whole expression if `expr` changes by 1 */
  const hk_expr *text; /* the expression as a whole, for messages */
  int force;           /* index of the force; of a motion: its constraint, -1: a guide */
  int number;          /* index of the expression within the force */
  /* the expression is the rate of a state: its effect grows in proportion to time, not to time
   * squared */
  bool of_state;
  bool of_motion; /* a prescribed position: its change is itself a displacement */
  /* the expression reads only the time: its kinks and jumps are breakpoints and not switches */
  bool timed;
  /* true: between its kinks the expression is a polynomial that is determined by its values and slopes at the ends of
   * a step */
  bool gentle_in_pieces;
  /* degree, as a polynomial between its kinks, of an expression that reads only the time */
  int degree;
  /* a sensor whose range is not known within steps, because it reads a channel that exists at output only */
  bool at_output;
  /* all variables of the expression in ascending order, including those of its sensors */
  const int *slot;
  int n_slots;
} hk_watched;

/* Values exchanged with an FMU at its sample times. The state holds the number of steps that the FMU has made, and the
 * values of the FMU's inputs at the last sample. */
enum { HK_EXCHANGE_STEPS, HK_EXCHANGE_INPUT };
typedef struct hk_exchange {
  const hk_coupling *coupling;
  const hk_item *item;
  int *channel; /* [n_inputs] */
  int *input;   /* [n_outputs] inputs of the model */
  int at;       /* offset of these values from hk_layout.exchange */
} hk_exchange;

/* An input is value + slope (t - since): the state has these three arrays, each with one number per input. */
enum { HK_INPUT_VALUE, HK_INPUT_SLOPE, HK_INPUT_SINCE, HK_INPUT_PARTS };

/* An event of the model: see control/event.h. */
typedef struct hk_event {
  const hk_item *item;
  int sensor, channel; /* of the condition, 1 or 0 */
  int input;           /* index of the first of its HK_EVENT_NUMBERS inputs */
  int after;
  bool stop;
  bool read; /* true: expressions of the model read the channels of the event */
  /* true: the event may change the motion, because it is read, sets inputs or stops the run */
  bool steers;
  int n_set, *set; /* inputs that it sets */
  double *value;   /* [n_set] */
} hk_event;

typedef struct hk_layout { /* offsets into the state's doubles; see state.h */
  int t, q, v;
  int vd; /* accelerations */
  int lambda;
  /* correction that gives lambda to second order when added to it: [nc], see generalized_alpha.c */
  int lambda_shift;
  int h;      /* length of the last step; 0: no step has been made */
  int turn;   /* angles at the last accepted step, counted without wrapping */
  int touch;  /* [n_points][HK_N_TOUCH] */
  int ledger; /* hk_ledger */
  /* internal variables of forces and laws, [n_memory]: written when a step is accepted */
  int memory;
  int memory_old; /* [n_memory] internal variables at the start of the last step */
  /* [nc] 1: the constraint row is not redundant; written by hk_build_systems */
  int kept;
  /* 1: the Newton matrix couples bodies by geometric stiffness; written by hk_build_systems */
  int full;
  /* [n_lookups] arguments at the last accepted step; written by hk_lookups_accept */
  int lookup;
  /* [HK_INPUT_PARTS][n_inputs]; written by hk_sim_input_set and hk_sim_input_ramp */
  int input;
  int exchange; /* [n_exchanged]; by control/fmu_start.c */
  /* 1: an input was changed since the last step; set by hk_sim_input_set, reset by
   * hk_sim_restart */
  int jump;
  /* size of the next step; written by the controller, see control/controller.h */
  int control;
  int breakpoint; /* hk_breakpoint_ahead; by control/breakpoint.c */
  int scan;       /* hk_scan_memory; written by the scan of steps, see control/scan.h */
  int size;
} hk_layout;

struct hk_model {
  hk_arena arena;
  hk_spec *spec; /* owned by the model; holds names and parameter structs */
  const char *title;
  int nq, nv, nc; /* numbers of positions, velocities and constraint rows */
  hk_layout at;

  hk_node *node;
  int n_nodes;
  hk_marker *marker;
  int n_markers;
  int *active;
  int n_active; /* markers used by elements */
  hk_coordinate *coordinate;
  int n_coordinates;
  int n_turns;
  hk_constraint *constraint;
  int n_constraints;
  hk_held *held;
  int n_held;
  hk_model_term *term;
  int n_terms;
  int *port;
  int n_ports;           /* markers */
  const char **row_name; /* [nc] */
  bool *row_angular;     /* [nc] */
  int *velocity_row;
  int n_velocity_rows; /* nonholonomic rows, without a position constraint: rolling */
  int *row_constraint; /* [nc] */
  int jacobian_size;
  hk_force *force;
  int n_forces;
  hk_contact *contact;
  int n_contacts;
  int *point_contact;
  int n_points;    /* contact points, grouped by contact */
  bool set_valued; /* some contact has a set-valued law */
  /* at least one contact has a compliant law, whose forces are functions of the state */
  bool compliant;
  int n_moving; /* number of internal variables (doubles) that change in every step */
  /* number of internal variables of all elements; largest number of scratch doubles of an element */
  int n_memory, n_scratch;
  hk_composite *composite;
  int n_composites;
  hk_member *member;
  int n_members;
  hk_sensor *sensor;
  int n_sensors;
  hk_signal *input;
  int n_inputs;
  hk_signal *state;
  int n_states;
  int n_own_inputs; /* inputs of the model; the others belong to events */
  hk_event *event;
  int n_events;
  bool event_sets; /* true: at least one event changes the motion */
  hk_exchange *exchange;
  int n_exchanges;
  int n_exchanged; /* doubles of the state that belong to exchanges */
  hk_lookup *lookup;
  int n_lookups;
  const hk_item **bending_item, **bulging_item; /* their owners: */
  /* number of expressions of the motion with kinks or jumps over time */
  const hk_expr **bending;
  int n_bending;
  /* number of functions of time only that may have a narrow peak */
  const hk_expr **bulging;
  int n_bulging;
  /* number of expressions that are monitored within steps */
  hk_watched *watched;
  int n_watched;
  /* [n_sensors] monitored expressions of sensors, for measures; expr NULL: a polynomial of
   * channels */
  hk_watched *sensor_watched;
  bool timed; /* some expression that affects the motion depends explicitly on time */
  hk_channel *channel;
  int n_channels;
  /* number of variable slots of expressions; each has a channel */
  int *variable_channel;
  int n_variables;
  int *step_variable;
  int n_step_variables; /* slots that forces read, in ascending order */
  struct hk_channel_table *channel_names;
  /* view of this model that includes the constraints active only during assembly; NULL: there are
   * none */
  const struct hk_model *start;
  bool friction;       /* some force depends on a joint's reaction */
  bool massless;       /* some node has a singular mass matrix */
  int widest;          /* most coordinates of a node, at least HK_NODE_FEW */
  bool elastic;        /* true: a node stores energy or loses power (hk_node_type.stored) */
  int n_node_own;      /* number of scratch doubles of the nodes: hk_work.node_own */
  bool guided;         /* some node has a prescribed motion */
  bool field_tangents; /* the force of a field on some node depends on its position */
  double *give;        /* [nv] 1 over the diagonal of the mass matrix at the start */
  double length;       /* characteristic length, for scaling angles against lengths */
  const hk_type **numerical;
  int n_numerical;       /* number of types with numerical derivatives */
  const double *q0, *v0; /* initial state of the model file, before assembly */
};

/* Index of a channel by name, or -1. */
int hk_model_channel(const hk_model *m, const char *name);
/* Returns true if the value of a channel other than a sensor follows from the state alone, so that it is known at
 * every time within a step. All other channels exist at output only. */
bool hk_channel_is_of_state(const hk_channel *c);
/* Calls visit(leaf channel, d value/d leaf) for every channel that `channel` depends on. */
typedef void hk_leaf_fn(void *context, int channel, double derivative);
void hk_channel_leaves(const hk_model *m, const double *variable, int channel, double factor,
                       hk_leaf_fn *visit, void *context);
/* Description of a constraint row for messages: "joint 'hinge' (revolute), tilt x". */
void hk_model_row_text(const hk_model *m, int row, char *buf, size_t size);
/* Value of input i at the time t. */
static inline double hk_input_at(const hk_model *m, const double *input, int i, double t) {
  int n = m->n_inputs;
  double slope = input[HK_INPUT_SLOPE * n + i];
  return slope == 0 ? input[i] : input[i] + slope * (t - input[HK_INPUT_SINCE * n + i]);
}
#endif
