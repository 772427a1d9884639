/* Model file sections of a parallelogram that starts in its flat position, in which one additional row is
 * redundant; without forces it rotates at a constant 1 rad/s. */
#ifndef HK_TEST_FLAT_PARALLELOGRAM_H
#define HK_TEST_FLAT_PARALLELOGRAM_H
#define FLAT_PARALLELOGRAM                                                  \
  "bodies:\n"                                                               \
  "  left: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0], "  \
  "velocity: [0, 0.5 m/s, 0], angular_velocity: [0, 0, 1 rad/s]}\n"         \
  "  right: {type: rod, length: 1 m, mass: 1 kg, position: [2.5 m, 0, 0], " \
  "velocity: [0, 0.5 m/s, 0], angular_velocity: [0, 0, 1 rad/s]}\n"         \
  "  top: {type: rod, length: 2 m, mass: 1 kg, position: [2 m, 0, 0], "     \
  "velocity: [0, 1 m/s, 0]}\n"                                              \
  "joints:\n"                                                               \
  "  a: {type: revolute, b: left, at: [0, 0, 0], axis: z}\n"                \
  "  b: {type: revolute, b: right, at: [2 m, 0, 0], axis: z}\n"             \
  "  c: {type: revolute, a: left, b: top, at: [1 m, 0, 0], axis: z}\n"      \
  "  d: {type: revolute, a: right, b: top, at: [3 m, 0, 0], axis: z}\n"
#endif
