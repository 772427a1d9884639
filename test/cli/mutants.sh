# Former defects, mainly wrong points of action, are inserted into the sources one by one: `hooke conform` or a test must find each.
# Every edit must still be possible. One defect in three is compiled and tested, with HOOKE_LONG all of them.
. "$(dirname "$0")/common"
build=$(dirname "$hooke")
[ -e "$build/libhooke.a" ] && [ -e "$build/build.ninja" ] || exit 77
: >out
: >err

libraries=$(sed -n '/^build hooke: /,/^$/s/^ *LINK_LIBRARIES = //p' "$build/build.ninja")
# Objects of sources that were renamed may remain in the build folder.
tool=$(for file in "$source"/tool/*.c; do echo "$build/CMakeFiles/hooke_tool.dir/tool/$(basename "$file").o"; done)

number=0
# compile DEFECT FILE EDIT: $name.o is the file with the edit of sed; 1: not now.  It comes before the library, which then leaves its own
# version of it out.
compile() {
  checks=$((checks + 2))
  name=$(basename "$2" .c)
  sed "$3" "$source/src/$2" >"$name.c"
  ! cmp -s "$name.c" "$source/src/$2" || fail "$1: the edit changes nothing"
  number=$((number + 1))
  [ -n "${HOOKE_LONG:-}" ] || [ $((number % 3)) = 1 ] || return 1
  cc -O1 ${HOOKE_TEST_FLAGS:-} -D_GNU_SOURCE -I"$source/src" -I"$source/include" -c "$name.c" -o "$name.o" 2>err ||
    fail "$1: it does not compile"
  return 0
}

# link_tool DEFECT: links ./mutant, the command with this defect.
link_tool() {
  # shellcheck disable=SC2086
  cc ${HOOKE_TEST_FLAGS:-} $tool "$name.o" "$build/libhooke.a" $libraries -rdynamic -o mutant 2>err ||
    fail "$1: it does not link"
}

# found DEFECT FILE EDIT TYPE CHECK TEXT: the check of the type fails, and says TEXT.
found() {
  compile "$1" "$2" "$3" || return 0
  link_tool "$1"
  code=0
  ./mutant conform "$4" --check "$5" >out 2>err </dev/null || code=$?
  [ "$code" = 1 ] || fail "$1: exit code $code, not 1"
  cat out err | grep -q -e "$6" || fail "$1: it does not say '$6'"
}

# found_by_test DEFECT FILE EDIT TEST: the test, such as unit_test_gear_relative_position, fails.
found_by_test() {
  compile "$1" "$2" "$3" || return 0
  objects=$(find "$build/test/CMakeFiles/$4.dir" -name '*.o')
  with=$(sed -n "/^build test\/$4: /,/^\$/s/^ *LINK_LIBRARIES = //p" "$build/build.ninja")
  # shellcheck disable=SC2086
  (cd "$build" && cc ${HOOKE_TEST_FLAGS:-} $objects "$dir/$name.o" $with -o "$dir/mutant_test") 2>err ||
    fail "$1: it does not link"
  if ./mutant_test >out 2>err </dev/null; then fail "$1: $4 passes"; fi
}

found "slotted bores hold the pins at one end" composite/universal_clearance_spatial.c \
  '/"perpendicular_axes"/,/if (is_held_along/d
   /"level", side/,/^}/s/  hk_part_frame(s, "b", "cross", -1);/  cross_frame(u, "b", n->end, 1);/' \
  universal_clearance_joint 'load path' 'acts differently'
found "redundant rows carry nothing" sim/self_stress.c \
  's/if (!find_self_stresses(s, in, Z)) return HK_OK;/return HK_OK;/' revolute 'load path' 'two such joints at the same position'
found "axes of bent shafts do not turn with a part" spec/placement.c \
  's/HK_WORLD_PLACE))) continue;/HK_WORLD_PLACE)) || strncmp(p->name, "axis_", 5) == 0) continue;/
   s/#include "spec\/item.h"/&\n#include <string.h>/' \
  universal 'load path' 'as a part that is rotated'
found "friction ignores the tangents of a gap" model/compile_contact.c \
  's/k->one_way = k->gap->tangents == 1;/k->one_way = false;/' pin_in_bush_planar 'load path' 'in which the gap has no friction'
found "the cage of a double offset joint stands beside the axes" composite/cv_ball_joint.c \
  '/if (.*) stand_on_axes(j);/d; s/static void stand_on_axes/__attribute__((unused)) static void stand_on_axes/
   /"cage.front", -1, HK_PART/d; /"cage.back", -1, HK_PART/d; /hk_v3(0, 0, -p->cage_offset), &I, "cage.back"/,/;/d' cv_ball_joint 'load path' 'double offset joint that begins at an angle'
found "rigid contacts divide by the length of another step" sim/output_contact.c \
  '/^void hk_output_touching/,/^}/s/last_step(s)/s->stats.step/' sphere_on_plane 'load path' 'force of a point between steps'
found "loads of bodies leave rigid contacts out" sim/output.c '/hk_output_rigid_loads(s);/d' \
  sphere_on_plane 'load path' 'load of a body'
found "a composite joint counts what is named alike" model/compile_composite.c \
  's/c->force.at\[i\].item->made_by == joint/strncmp(c->force.at[i].name, k->name, strlen(k->name)) == 0/
   s/#include "model\/compile.h"/&\n#include <string.h>/' shaft 'load path' 'according to the channels'
found "a bow is not mirrored" composite/shaft.c '/bow_angle = -p->bow_angle/d' shaft 'load path' 'acts differently mirrored'
found "errors of tracks are not mirrored" composite/tripod_joint.c '/^    .mirror = mirror/d; s/static void mirror/__attribute__((unused)) &/' \
  tripod_joint 'load path' 'acts differently mirrored'
found "stiffnesses in the axes of a are said to be those of both" force/bushing.c \
  's/.symmetry = HK_MIRRORS/.symmetry = HK_SWAPS/' bushing 'load path' 'acts differently with a and b exchanged'
found "gears act at a height of a" gear/relative_position.c \
  '/^static void heights/,/^}/s/-(s + 0.5 \* z->v), -(slope + 0.5)/-s, -slope/; /^static void heights/,/^}/s/s - 0.5 \* z->v, slope - 0.5/s - z->v, slope - 1/' \
  gear_pair 'load path' 'beside each other, with 10 mm in common: the moment on b is'
found "the axial force of helical teeth tips one gear" gear/relative_position.c \
  '/^static void set_lean/,/^}/s/  give(&along, second, &out->lean\[0\]);/  along = function(\&along, 0, 0, 0, second);\n&/' \
  gear_pair 'load path' 'wide helical gears with the default number of slices: the moment'
found "gears beside each other touch with all of their faces" gear/relative_position.c \
  's/.width = least + 2 \* flush\[0\] - left\[0\] - right\[0\]/.width = least/; s/.slope = 0.5 \* (left\[1\] - right\[1\])/.slope = 0/; s/.bend = -0.25 \* (left\[2\] + right\[2\])/.bend = 0/' \
  gear_pair 'load path' 'beside each other, with 10 mm in common: the force on b is'
found "relief of a ring grows away from its tip" force/gear_pair_make.c 's/bool ring = i == 1 && q->ring;.*/bool ring = false;/' \
  gear_pair 'load path' 'a ring with tip relief: the force on b is'
found "the stiffness by ISO takes a for the pinion" force/gear_pair_make.c \
  's/int pinion = q->teeth\[1\] < q->teeth\[0\]/int pinion = 0/' \
  gear_pair 'load path' 'acts differently with a and b exchanged'
found "one web alone does not count" gear/compliance_iso.c \
  's/    if (!(p->web\[i\] > 0)) continue;/    if (!(p->web[0] > 0 \&\& p->web[1] > 0)) continue;/' \
  gear_pair 'load path' 'the web of one gear: the force on b is'
found "helical teeth by ISO are as soft as in the transverse section" gear/compliance_iso.c \
  's/cosine = teeth->cos_base;/cosine = 1;/' \
  gear_pair 'load path' 'helical teeth with the stiffness of ISO 6336: the force'
found "teeth stand in the backlash of the drawing" gear/mesh_force.c \
  '/^const char \*hk_gear_set_phase/,/^}/s/  work w;/  work w;\n  hk_gear_relative drawn = *at;\n  double far = g->center_distance \/ hypot(at->u.x, at->u.y);\n  drawn.u.x *= far, drawn.u.y *= far, at = \&drawn;/' \
  gear_pair 'load path' 'axes 0.1 mm further apart than drawn: the force on b is'
found "few slices over wide helical gears" force/gear_pair.c 's/ceil(4 \* g->overlap_ratio)/3/' \
  gear_pair 'load path' 'wide helical gears with the default number of slices: the force'
found "what an undercut takes off is not seen" gear/involute.c 's/  if (g->undercut\[0\]) first = .*//; s/  if (g->undercut\[1\]) last = .*//' \
  gear_pair 'load path' 'an undercut pinion whose flank .*: the force on b is'
found "slices of a tilted film do not know each other" force/film_journal.c 's/  if (p->slices == 1) return o;/  return o;/' \
  film_journal 'load path' 'a concentric journal that tips: the moment on b is'
found "an elastic bush acts at the journal" force/elastic_bush.c 's/hk_add(hk_cross(hk_scale(k.alpha, k.n), F), M)/M/' \
  revolute_clearance_joint 'load path' 'acts differently with b moved along its axis'
found "the width of b does not count" force/gear_pair.c \
  's/  return gear && hk_item_has(item, "face_width_b") ? p->face_width_b : p->face_width;/  return p->face_width;/' \
  gear_pair 'load path' 'the faces are 30 and 30 mm wide'
found "a compliant hinge stiffens with its angle" force/elastic_bush.c \
  's/      hk_axpy(hk_scale(p->tilt_stiffness \* hk_dot(k.n, k.z), nz)/      hk_axpy(hk_scale(p->tilt_stiffness * (2 - hk_dot(hk_column(\&in->A->R, 0), hk_column(\&in->B->R, 0))) * hk_dot(k.n, k.z), nz)/' \
  revolute_clearance_joint 'load path' 'acts differently with b rotated about its axis'
found "teeth touch at the flank of a" gear/flank.c 's/ - 0.5 \* deep;/;/; s/ - 0.5 \* r->overlap\[j\] \/ g->cos_base;/;/' \
  gear_pair 'load path' 'acts differently with a and b exchanged'
found "the inner sphere of a bent double offset joint begins loaded" composite/cv_ball_joint.c \
  's/hk_vec3 back = hk_scale(-c, /hk_vec3 back = hk_scale(-c \/ hk_dot(hk_column(\&B, 2), hk_column(\&middle, 2)), /' \
  cv_ball_joint 'load path' 'begins at an angle of 15 degrees: the force on b is'
found "round-off along almost redundant rows moves parts" setup/assembly.c 's/REFINEMENTS = 2/REFINEMENTS = 0/' \
  cv_ball_joint 'load path' 'acts differently as a part that is rotated and moved'
found "small misfits of parts are loads at the start" setup/sim_create.c \
  's/^static const double ROUND_OFF = .*/static const double ROUND_OFF = 1e-4;/' cv_ball_joint 'load path' 'begins at an angle of 6 degrees: the force on b is'
found_by_test "a slice shares its compliance with one neighbour only" gear/compliance.c \
  's/other <= i + 1 && g->reach > 0;/other <= i + 1 \&\& g->reach > 0 \&\& !n;/' verify_test_load_path_audit
found "a clearance between angles turns one rotor by half" contact/universal_clearance.c 's/hk_scale(-side, b)/hk_scale(-0.5 * side, b)/' \
  universal_clearance 'load path' 'angular momentum of rotor'
found "gravity does not pull at the centre of mass" core/force.c \
  's/^    hk_node_field(n, .* w->f + n->v, .*/&\n    if (n->moves == HK_MOVES_RIGID) w->f[n->v + 3] += 0.1 * n->mass;/' \
  gravity 'load path' 'according to the channels'
found "work to and fro is integrated without an error test" integrator/smooth/adams.c \
  's/hk_multistep_ledger_look(s, &z, ledger_degree(k), x0, x1)/0/' actuator 'load path' 'warns although'
found "a shaft with a free end has no resultants at a" model/channel.c \
  's/if (k->end\[1\] >= 0 || !hk_is_of_side_b(line\[j\].is.name))/if (k->end[1] >= 0)/' \
  shaft 'load path' "there is no channel 'subject.fx_a'"
found "a message lists channels that a rotor lacks" model/channel_name.c \
  '/^int hk_channel_frame_names/,/^}/s/if (!frame_channel(.*/dim = (hk_dim){0};/' rotor 'load path' 'a message offers the channel'
found "the analysis of gears refuses its default speed" analysis/machine.c 's/isnan(s->speed)/!(fabs(s->speed) > 0)/' \
  gear_pair 'load path' 'refuses values of its table'
found_by_test "positions far from the origin are exact" setup/equilibrium_residual_load.c \
  's/^static const double ROUNDED = .*/static const double ROUNDED = 0;/' unit_test_static
# Steps, and what programs and plugins hand over.
found_by_test "peaks on a trend of time are passed over" model/compile_watched.c \
  's/  if (k.timed && !hk_expr_may_bulge(k.expr)) return;/  if (k.timed) return;/' verify_test_along_steps
found_by_test "bumps of motions are passed over" model/compile_watched.c \
  's/  if (!expr || !hk_expr_may_bulge(expr)) return;/  return;/; s/  hk_watched k = look_behind(c, item, expr, found);/  hk_watched k = {0};/' \
  verify_test_along_steps
found_by_test "the last push before bodies part is passed over" control/contact_error.c 's/(g0 < reach ? pushed_in_parting(s, p, in) : 0)/(g0 > INFINITY ? pushed_in_parting(s, p, in) : 0)/' \
  verify_test_contacts_along_steps
found_by_test "warnings of a run that nobody asked for" study/run.c 's/.diag = diag ? diag : &unread/.diag = diag/' unit_test_api_run
found_by_test "messages of a model file that nobody asked for" read/model_file.c 's/diag ? diag : &unread/diag/' unit_test_run
found_by_test "poison allocates" sim/poison.c \
  's/^#include <string.h>/#include <stdlib.h>\n&/; s/= w->kept_rows;/= malloc(((size_t)m->jacobian_size + (size_t)m->nc) * sizeof(double));/; s/^    .*: NAN;$/&/; /w->gt\[i\] = isnan/s/$/\n  free(constant);/' \
  conformance_test_stepper
found_by_test "an item after hk_spec_add has failed" spec/item.c '/^static const hk_param \*lookup/,/^}/s/  if (!item) {/  if (0) {/' unit_test_spec
found_by_test "a body without a node" spec/type_sound.c '/needs a node/d' unit_test_extend
found_by_test "a stepper with unchecked functions" spec/type_sound.c 's/      return wrong_integrator(t->ops);/      (void)wrong_integrator;\n      return NULL;/' \
  unit_test_extend
found_by_test "moreau goes on in Painleve's paradox" integrator/impact/moreau_paradox.c 's/    bool none = g <= 0;/    bool none = g < -1e300;/' \
  unit_test_trust_contact
found_by_test "a ball comes out behind" sim/quality.c 's/if (depth > worst->amount \* c->deepest/if (depth > 1e300/; /^static void keep_depths/,/^}/s/const hk_worst \*worst = .*;/const hk_worst *worst = 0;\n  (void)worst;/' \
  unit_test_trust_contact
found_by_test "friction at rest creeps" sim/quality_check.c '/^static bool check_creep/,/^}/s/  if (!c) return false;/  return false;/' unit_test_trust_contact
finish
