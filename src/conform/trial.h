/* A trial: one check of one type.
 *
 * Memory and models made by a check belong to the trial.  A claim that does not hold ends the check at once (longjmp)
 * with a sentence that describes the finding; the trial then releases its memory.  So checks read like the statements
 * they test. */
#ifndef HK_CONFORM_TRIAL_H
#define HK_CONFORM_TRIAL_H
#include "base/arena.h"
#include "spec/registry.h"
#include <hooke/conform.h>
#include <setjmp.h>

typedef struct hk_kept {
  void *what;
  void (*give_back)(void *what);
} hk_kept;

struct hk_model;

/* Variation of a draw of the subject. */
typedef struct hk_rig {
  bool twin;   /* two subjects at the same position */
  bool exact;  /* the frames of the subject are exactly in their nominal position */
  bool alike;  /* the model also contains a load whose name begins like those of the subject's
                * parts */
  bool placed; /* the whole model is rotated and moved, as a part in a model file may be */
  hk_quat turn;
  hk_vec3 origin;
  double turn_a, turn_b; /* rotations of the frames about their z axes */
  double slide_b;        /* displacement of frame `b` along its z axis */
  /* the frames `a` and `b` are exchanged, and so are all parameters that exist in pairs */
  bool swapped;
  bool mirrored;  /* the whole model is mirrored in the plane of y and z */
  bool eccentric; /* the frames of a contact are not at the reference points of their bodies */
} hk_rig;

typedef struct hk_trial {
  const hk_registry *types;
  const hk_type *type;
  const hk_conform_options *option;
  hk_conform_check *check;
  uint64_t random;
  bool numerical; /* the type provides no derivatives, as determined by a model */
  /* maximum random rotation [rad]; smaller than pi, because near 180 degrees some angles are not smooth */
  double turn;
  bool staged;            /* the bodies of the present model are placed as the subject requires */
  hk_stage stage;         /* the required placement */
  hk_rig rig;             /* applies to the next draws */
  bool tied;              /* the subject is a body, on which another body acts */
  int variant;            /* index of the combination of choices: see draw_placement.c */
  uint64_t tried;         /* combinations of choices that this check has tested, one bit for each */
  struct hk_model *drawn; /* a draw that has not been checked yet */
  /* states of the random number generator before and after this draw */
  uint64_t drawn_from, drawn_to;
  bool contacts, pressed; /* some of the models had contacts; some of these were closed */
  /* internal variables of a law at an earlier time, and the time that has passed since then */
  double memory[64], since;
  hk_arena arena;
  hk_kept *kept;
  int n_kept, capacity;
  jmp_buf end;
  void (*on_end)(struct hk_trial *t); /* if not NULL: called instead of the jump; must not return */
  enum { HK_TRIAL_FAILED = 1, HK_TRIAL_NOT_MEANT, HK_TRIAL_NO_MEMORY } how;
} hk_trial;

/* ---- claims ---- */
_Noreturn void hk_trial_fail(hk_trial *t, const char *fmt, ...) HK_PRINTF(2, 3);
_Noreturn void hk_trial_not_meant(hk_trial *t, const char *fmt, ...) HK_PRINTF(2, 3);
/* |got - wanted| <= tolerance (1 + |wanted|) */
void hk_trial_near(hk_trial *t, double got, double wanted, double tolerance, const char *fmt, ...)
    HK_PRINTF(5, 6);
/* Records an error relative to its tolerance (<= 1); the report gives the largest. */
void hk_trial_worst(hk_trial *t, double part);
#define hk_trial_claim(t, what) ((what) ? (void)0 : hk_trial_fail(t, "it does not hold: %s", #what))

/* ---- what it owns ---- */
void *hk_trial_room(hk_trial *t, size_t n,
                    size_t size); /* zeroed memory, released at the end of the case */
void hk_trial_keep(hk_trial *t, void *what, void (*give_back)(void *what));
void hk_trial_forget(hk_trial *t, const void *what); /* transfers the ownership to the caller */
void hk_trial_drop(hk_trial *t, void *what); /* releases an object before the end of the case */
/* Records what compilation found out about the type. */
void hk_trial_note(hk_trial *t, const struct hk_model *m);
/* Ends a case: releases everything that the trial owns. */
void hk_trial_case(hk_trial *t);

/* ---- random numbers that repeat ---- */
/* The sequence of each type depends on its name only, so that adding other types does not change it. */
void hk_random_seed(hk_trial *t, uint64_t seed);
uint64_t hk_random_name(const char *name);
double hk_random(hk_trial *t, double low, double high);
int hk_random_pick(hk_trial *t, int n);
hk_vec3 hk_random_vector(hk_trial *t, double size);
hk_quat hk_random_rotation(hk_trial *t);
#endif
