/* hooke: everything. */
#ifndef HOOKE_H
#define HOOKE_H
#include <hooke/base.h>
#include <hooke/math3.h>
#include <hooke/units.h>
#include <hooke/spec.h>
#include <hooke/element.h>
#include <hooke/registry.h>
#include <hooke/numerical.h>
#include <hooke/callback.h>
#include <hooke/joint.h>
#include <hooke/gap.h>
#include <hooke/model_file.h>
#include <hooke/model.h>
#include <hooke/sim.h>
#include <hooke/integrator.h>
#include <hooke/state.h>
#include <hooke/matrices.h>
#include <hooke/run.h>
#include <hooke/results.h>
#include <hooke/linear.h>
#include <hooke/nonlinear.h>
#include <hooke/conform.h>
#endif
