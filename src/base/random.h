/* Pseudo-random numbers, identical on every machine: SplitMix64 [Steele, Lea, Flood 2014]. */
#ifndef HK_BASE_RANDOM_H
#define HK_BASE_RANDOM_H
#include <stdint.h>

static inline uint64_t hk_random_next(uint64_t *s) {
  uint64_t z = *s += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
/* -1 <= r < 1 */
static inline double hk_random_signed(uint64_t *s) {
  return (double)(hk_random_next(s) >> 11) * 0x1p-52 - 1;
}
/* The state of stream `index` of a seed. */
static inline uint64_t hk_random_stream(uint64_t seed, uint64_t index) {
  uint64_t s = seed;
  s = hk_random_next(&s) ^ index * 0xd1342543de82ef95u;
  return hk_random_next(&s);
}
#endif
