# Defects that once acted in the wrong place, put back into the sources one by one: `hooke conform` must find each.
. "$(dirname "$0")/common"
build=$(dirname "$hooke")
[ -e "$build/libhooke.a" ] && [ -e "$build/build.ninja" ] || exit 77
: >out
: >err

libraries=$(sed -n '/^build hooke: /,/^$/s/^ *LINK_LIBRARIES = //p' "$build/build.ninja")
tool=$(find "$build/CMakeFiles/hooke_tool.dir" -name '*.o')

# found DEFECT FILE EDIT TYPE CHECK TEXT: with the edit of sed the check of the type fails, and says TEXT.  The edited
# file comes before the library, which then leaves its own version of it out.
found() {
  checks=$((checks + 2))
  name=$(basename "$2" .c)
  sed "$3" "$source/src/$2" >"$name.c"
  ! cmp -s "$name.c" "$source/src/$2" || fail "$1: the edit changes nothing"
  cc -O1 ${HOOKE_TEST_FLAGS:-} -D_GNU_SOURCE -I"$source/src" -I"$source/include" -c "$name.c" -o "$name.o" 2>err ||
    fail "$1: it does not compile"
  # shellcheck disable=SC2086
  cc ${HOOKE_TEST_FLAGS:-} $tool "$name.o" "$build/libhooke.a" $libraries -rdynamic -o mutant 2>err ||
    fail "$1: it does not link"
  code=0
  ./mutant conform "$4" --check "$5" >out 2>err </dev/null || code=$?
  [ "$code" = 1 ] || fail "$1: exit code $code, not 1"
  cat out err | grep -q -e "$6" || fail "$1: it does not say '$6'"
}

found "slotted bores hold the pins at one end" assembly/universal_clearance_spatial.c \
  '/"perpendicular_axes"/,/if (is_held_along/d
   /"level", side/,/^}/s/  hk_part_frame(s, "b", "cross", -1);/  cross_frame(u, "b", n->end, 1);/' \
  universal_clearance_joint 'load path' 'acts otherwise'
found "redundant rows carry nothing" sim/self_stress.c \
  's/if (!find_self_stresses(s, in, Z)) return HK_OK;/return HK_OK;/' revolute 'load path' 'of two in one place'
found "axes of bent shafts do not turn with a part" spec/place.c \
  's/HK_WORLD_PLACE))) continue;/HK_WORLD_PLACE)) || strncmp(p->name, "axis_", 5) == 0) continue;/
   s/#include "spec\/item.h"/&\n#include <string.h>/' \
  universal 'load path' 'as a part that is turned'
found "friction ignores the tangents of a gap" model/compile_contact.c \
  's/k->one_way = k->gap->tangents == 1;/k->one_way = false;/' pin_in_bush_planar 'load path' 'lets nothing rub'
found "the cage of a double offset joint stands beside the axes" assembly/cv_ball_joint.c \
  '/if (.*) stand_on_axes(j);/d; s/static void stand_on_axes/__attribute__((unused)) static void stand_on_axes/
   /"cage.front", -1, HK_PART/d; /"cage.back", -1, HK_PART/d' cv_ball_joint 'load path' 'begins with a stored energy'
found "rigid contacts divide by the length of another step" sim/output_contact.c \
  '/^void hk_output_touching/,/^}/s/last_step(s)/s->stats.step/' sphere_on_plane 'load path' 'force of a point between steps'
found "loads of bodies leave rigid contacts out" sim/output.c '/hk_output_rigid_loads(s);/d' \
  sphere_on_plane 'load path' 'load of a body'
found "a composite joint counts what is named alike" model/compile_composite.c \
  's/c->force.at\[i\].item->made_by == joint/strncmp(c->force.at[i].name, k->name, strlen(k->name)) == 0/
   s/#include "model\/compile.h"/&\n#include <string.h>/' shaft 'load path' 'channels say'
found "a bow is not mirrored" assembly/shaft.c '/bow_angle = -p->bow_angle/d' shaft 'load path' 'acts otherwise mirrored'
found "errors of tracks are not mirrored" assembly/tripod_joint.c '/^    .mirror = mirror/d; s/static void mirror/__attribute__((unused)) &/' \
  tripod_joint 'load path' 'acts otherwise mirrored'
found "stiffnesses in the axes of a are said to be those of both" force/bushing.c \
  's/.symmetry = HK_MIRRORS/.symmetry = HK_SWAPS/' bushing 'load path' 'acts otherwise with a and b exchanged'
finish
