/* Points of the unit cube: see sample.h. */
#include "statistics/sample.h"
#include "base/random.h"
#include <string.h>

static const char *const NAME[HK_SAMPLE_N_METHODS] = {"random", "latin_hypercube", "sobol"};

const char *hk_sample_method_name(hk_sample_method m) { return NAME[m]; }

bool hk_sample_method_find(const char *name, hk_sample_method *m) {
  for (int k = 0; k < HK_SAMPLE_N_METHODS; k++)
    if (strcmp(name, NAME[k]) == 0) {
      *m = (hk_sample_method)k;
      return true;
    }
  return false;
}

/* Returns a number in (0, 1) determined by these three arguments. */
static double hashed(uint64_t seed, uint64_t i, uint64_t dimension) {
  uint64_t s = hk_random_stream(hk_random_stream(seed, dimension), i);
  return ((double)(hk_random_next(&s) >> 12) + 0.5) * 0x1p-52;
}

/* ---- Latin hypercube ---- */

/* Returns entry i of a permutation of 0 .. n-1: a Feistel network on the next even number of bits,
 * repeated until the result is below n. */
static uint64_t permuted(uint64_t key, uint64_t i, uint64_t n) {
  int half = 1;
  while (half < 31 && (uint64_t)1 << (2 * half) < n) half++;
  const uint64_t mask = ((uint64_t)1 << half) - 1;
  do {
    uint64_t left = i >> half, right = i & mask;
    for (uint64_t round = 0; round < 6; round++) {
      uint64_t s = hk_random_stream(key + round, right);
      uint64_t next = left ^ (s & mask);
      left = right;
      right = next;
    }
    i = left << half | right;
  } while (i >= n);
  return i;
}

/* The inverse of `permuted`. */
static uint64_t restored(uint64_t key, uint64_t i, uint64_t n) {
  int half = 1;
  while (half < 31 && (uint64_t)1 << (2 * half) < n) half++;
  const uint64_t mask = ((uint64_t)1 << half) - 1;
  do {
    uint64_t left = i >> half, right = i & mask;
    for (uint64_t round = 6; round-- > 0;) {
      uint64_t s = hk_random_stream(key + round, left);
      uint64_t before = right ^ (s & mask);
      right = left;
      left = before;
    }
    i = left << half | right;
  } while (i >= n);
  return i;
}

/* A Latin hypercube that doubles [Sallaberry, Helton and Hora 2008].  Level 0 has `base` slices with one point each.
 * At level k every slice of level k - 1, which holds one point, is halved, and a new point goes into the empty half;
 * a permutation for each dimension assigns new points to slices. */
typedef struct nest {
  uint64_t seed, dimension, base;
} nest;

static uint64_t level_key(const nest *s, int level) {
  return hk_random_stream(hk_random_stream(s->seed, s->dimension), 1000 + (uint64_t)level);
}

static int level_of(const nest *s, uint64_t i) {
  int level = 0;
  while (i >= s->base << level) level++;
  return level;
}

static uint64_t slice_of(const nest *s, uint64_t i, int level);

/* Returns the point in a slice of a level. */
static uint64_t point_in(const nest *s, uint64_t slice, int level) {
  if (level == 0) return restored(level_key(s, 0), slice, s->base);
  uint64_t older = s->base << (level - 1), old = point_in(s, slice >> 1, level - 1);
  return slice_of(s, old, level) == slice
             ? old
             : older + restored(level_key(s, level), slice >> 1, older);
}

/* Returns the slice of a point at its own level or at a later level. */
static uint64_t slice_of(const nest *s, uint64_t i, int level) {
  int born = level_of(s, i);
  uint64_t slice;
  if (born == 0) {
    slice = permuted(level_key(s, 0), i, s->base);
  } else {
    uint64_t older = s->base << (born - 1);
    uint64_t parent = permuted(level_key(s, born), i - older, older);
    slice = slice_of(s, point_in(s, parent, born - 1), born) ^ 1;
  }
  double within =
      /* the binary digits of this number select the finer slices */
      hashed(s->seed, i, s->dimension);
  for (; born < level; born++) {
    within *= 2;
    slice = 2 * slice + (within >= 1);
    if (within >= 1) within -= 1;
  }
  return slice;
}

static double nested(const hk_sample *s, uint64_t i, uint64_t dimension) {
  const nest n = {s->seed, dimension, (uint64_t)s->base};
  int level = level_of(&n, i);
  return ((double)slice_of(&n, i, level) + hashed(s->seed, i, dimension)) /
         (double)(n.base << level);
}

bool hk_sample_grows(const hk_sample *s) { return s->method != HK_SAMPLE_LATIN || s->base > 0; }

/* ---- Sobol ---- */

/* Primitive polynomials (all coefficients as bits) and initial numbers [JoeKuo2008]; the first
 * dimension needs none. */
static const struct {
  uint16_t polynomial, m[10];
} JOE_KUO[HK_SOBOL_DIMENSIONS - 1] = {
    {3, {1}},
    {7, {1, 3}},
    {11, {1, 3, 1}},
    {13, {1, 1, 1}},
    {19, {1, 1, 3, 3}},
    {25, {1, 3, 5, 13}},
    {37, {1, 1, 5, 5, 17}},
    {41, {1, 1, 5, 5, 5}},
    {47, {1, 1, 7, 11, 19}},
    {55, {1, 1, 5, 1, 1}},
    {59, {1, 1, 1, 3, 11}},
    {61, {1, 3, 5, 5, 31}},
    {67, {1, 3, 3, 9, 7, 49}},
    {91, {1, 1, 1, 15, 21, 21}},
    {97, {1, 3, 1, 13, 27, 49}},
    {103, {1, 1, 1, 15, 7, 5}},
    {109, {1, 3, 1, 15, 13, 25}},
    {115, {1, 1, 5, 5, 19, 61}},
    {131, {1, 3, 7, 11, 23, 15, 103}},
    {137, {1, 3, 7, 13, 13, 15, 69}},
    {143, {1, 1, 3, 13, 7, 35, 63}},
    {145, {1, 3, 5, 9, 1, 25, 53}},
    {157, {1, 3, 1, 13, 9, 35, 107}},
    {167, {1, 3, 1, 5, 27, 61, 31}},
    {171, {1, 1, 5, 11, 19, 41, 61}},
    {185, {1, 3, 5, 3, 3, 13, 69}},
    {191, {1, 1, 7, 13, 1, 19, 1}},
    {193, {1, 3, 7, 5, 13, 19, 59}},
    {203, {1, 1, 3, 9, 25, 29, 41}},
    {211, {1, 3, 5, 13, 23, 1, 55}},
    {213, {1, 3, 7, 3, 13, 59, 17}},
    {229, {1, 3, 1, 3, 5, 53, 69}},
    {239, {1, 1, 5, 5, 23, 33, 13}},
    {241, {1, 1, 7, 7, 1, 61, 123}},
    {247, {1, 1, 7, 9, 13, 61, 49}},
    {253, {1, 3, 3, 5, 3, 55, 33}},
    {285, {1, 3, 1, 15, 31, 13, 49, 245}},
    {299, {1, 3, 5, 15, 31, 59, 63, 97}},
    {301, {1, 3, 1, 11, 11, 11, 77, 249}},
    {333, {1, 3, 1, 11, 27, 43, 71, 9}},
    {351, {1, 1, 7, 15, 21, 11, 81, 45}},
    {355, {1, 3, 7, 3, 25, 31, 65, 79}},
    {357, {1, 3, 1, 1, 19, 11, 3, 205}},
    {361, {1, 1, 5, 9, 19, 21, 29, 157}},
    {369, {1, 3, 7, 11, 1, 33, 89, 185}},
    {391, {1, 3, 3, 3, 15, 9, 79, 71}},
    {397, {1, 3, 7, 11, 15, 39, 119, 27}},
    {425, {1, 1, 3, 1, 11, 31, 97, 225}},
    {451, {1, 1, 1, 3, 23, 43, 57, 177}},
    {463, {1, 3, 7, 7, 17, 17, 37, 71}},
    {487, {1, 3, 1, 5, 27, 63, 123, 213}},
    {501, {1, 1, 3, 5, 11, 43, 53, 133}},
    {529, {1, 3, 5, 5, 29, 17, 47, 173, 479}},
    {539, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
    {545, {1, 1, 1, 5, 17, 39, 23, 5, 343}},
    {557, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
    {563, {1, 1, 1, 11, 11, 17, 63, 105, 183}},
    {601, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
    {607, {1, 1, 5, 15, 19, 45, 41, 7, 383}},
    {617, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
    {623, {1, 1, 1, 3, 23, 15, 111, 223, 83}},
    {631, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
    {637, {1, 1, 3, 13, 25, 47, 39, 87, 257}},
    {647, {1, 1, 1, 11, 21, 53, 125, 249, 293}},
    {661, {1, 1, 7, 11, 11, 7, 57, 79, 323}},
    {675, {1, 1, 5, 5, 17, 13, 81, 3, 131}},
    {677, {1, 1, 7, 13, 23, 7, 65, 251, 475}},
    {687, {1, 3, 5, 1, 9, 43, 3, 149, 11}},
    {695, {1, 1, 3, 13, 31, 13, 13, 255, 487}},
    {701, {1, 3, 3, 1, 5, 63, 89, 91, 127}},
    {719, {1, 1, 3, 3, 1, 19, 123, 127, 237}},
    {721, {1, 1, 5, 7, 23, 31, 37, 243, 289}},
    {731, {1, 1, 5, 11, 17, 53, 117, 183, 491}},
    {757, {1, 1, 1, 5, 1, 13, 13, 209, 345}},
    {761, {1, 1, 3, 15, 1, 57, 115, 7, 33}},
    {787, {1, 3, 1, 11, 7, 43, 81, 207, 175}},
    {789, {1, 3, 1, 1, 15, 27, 63, 255, 49}},
    {799, {1, 3, 5, 3, 27, 61, 105, 171, 305}},
    {803, {1, 1, 5, 3, 1, 3, 57, 249, 149}},
    {817, {1, 1, 3, 5, 5, 57, 15, 13, 159}},
    {827, {1, 1, 1, 11, 7, 11, 105, 141, 225}},
    {847, {1, 3, 3, 5, 27, 59, 121, 101, 271}},
    {859, {1, 3, 5, 9, 11, 49, 51, 59, 115}},
    {865, {1, 1, 7, 1, 23, 45, 125, 71, 419}},
    {875, {1, 1, 3, 5, 23, 5, 105, 109, 75}},
    {877, {1, 1, 7, 15, 7, 11, 67, 121, 453}},
    {883, {1, 3, 7, 3, 9, 13, 31, 27, 449}},
    {895, {1, 3, 1, 15, 19, 39, 39, 89, 15}},
    {901, {1, 1, 1, 1, 1, 33, 73, 145, 379}},
    {911, {1, 3, 1, 15, 15, 43, 29, 13, 483}},
    {949, {1, 1, 7, 3, 19, 27, 85, 131, 431}},
    {953, {1, 3, 3, 3, 5, 35, 23, 195, 349}},
    {967, {1, 3, 3, 7, 9, 27, 39, 59, 297}},
    {971, {1, 1, 3, 9, 11, 17, 13, 241, 157}},
    {973, {1, 3, 7, 15, 25, 57, 33, 189, 213}},
    {981, {1, 1, 7, 1, 9, 55, 73, 83, 217}},
    {985, {1, 3, 3, 13, 19, 27, 23, 113, 249}},
    {995, {1, 3, 5, 3, 23, 43, 3, 253, 479}},
    {1001, {1, 1, 5, 5, 11, 5, 45, 117, 217}},
    {1019, {1, 3, 3, 7, 29, 37, 33, 123, 147}},
    {1033, {1, 3, 1, 15, 5, 5, 37, 227, 223, 459}},
    {1051, {1, 1, 7, 5, 5, 39, 63, 255, 135, 487}},
    {1063, {1, 3, 1, 7, 9, 7, 87, 249, 217, 599}},
    {1069, {1, 1, 3, 13, 9, 47, 7, 225, 363, 247}},
    {1125, {1, 3, 7, 13, 19, 13, 9, 67, 9, 737}},
    {1135, {1, 3, 5, 5, 19, 59, 7, 41, 319, 677}},
    {1153, {1, 1, 5, 3, 31, 63, 15, 43, 207, 789}},
    {1163, {1, 1, 7, 9, 13, 39, 3, 47, 497, 169}},
    {1221, {1, 3, 1, 7, 21, 17, 97, 19, 415, 905}},
    {1239, {1, 3, 7, 1, 3, 31, 71, 111, 165, 127}},
    {1255, {1, 1, 5, 11, 1, 61, 83, 119, 203, 847}},
    {1267, {1, 3, 3, 13, 9, 61, 19, 97, 47, 35}},
    {1279, {1, 1, 7, 7, 15, 29, 63, 95, 417, 469}},
    {1293, {1, 3, 1, 9, 25, 9, 71, 57, 213, 385}},
    {1305, {1, 3, 5, 13, 31, 47, 101, 57, 39, 341}},
    {1315, {1, 1, 3, 3, 31, 57, 125, 173, 365, 551}},
    {1329, {1, 3, 7, 1, 13, 57, 67, 157, 451, 707}},
    {1341, {1, 1, 1, 7, 21, 13, 105, 89, 429, 965}},
    {1347, {1, 1, 5, 9, 17, 51, 45, 119, 157, 141}},
    {1367, {1, 3, 7, 7, 13, 45, 91, 9, 129, 741}},
    {1387, {1, 3, 7, 1, 23, 57, 67, 141, 151, 571}},
    {1413, {1, 1, 3, 11, 17, 47, 93, 107, 375, 157}},
    {1423, {1, 3, 3, 5, 11, 21, 43, 51, 169, 915}},
    {1431, {1, 1, 5, 3, 15, 55, 101, 67, 455, 625}},
    {1441, {1, 3, 5, 9, 1, 23, 29, 47, 345, 595}},
    {1479, {1, 3, 7, 7, 5, 49, 29, 155, 323, 589}},
    {1509, {1, 3, 3, 7, 5, 41, 127, 61, 261, 717}},
    {1527, {1, 3, 7, 7, 17, 23, 117, 67, 129, 1009}},
    {1531, {1, 1, 3, 13, 11, 39, 21, 207, 123, 305}},
    {1555, {1, 1, 3, 9, 29, 3, 95, 47, 231, 73}},
    {1557, {1, 3, 1, 9, 1, 29, 117, 21, 441, 259}},
    {1573, {1, 3, 1, 13, 21, 39, 125, 211, 439, 723}},
    {1591, {1, 1, 7, 3, 17, 63, 115, 89, 49, 773}},
    {1603, {1, 3, 7, 13, 11, 33, 101, 107, 63, 73}},
    {1615, {1, 1, 5, 5, 13, 57, 63, 135, 437, 177}},
    {1627, {1, 1, 3, 7, 27, 63, 93, 47, 417, 483}},
    {1657, {1, 1, 3, 1, 23, 29, 1, 191, 49, 23}},
    {1663, {1, 1, 3, 15, 25, 55, 9, 101, 219, 607}},
    {1673, {1, 3, 1, 7, 7, 19, 51, 251, 393, 307}},
    {1717, {1, 3, 3, 3, 25, 55, 17, 75, 337, 3}},
    {1729, {1, 1, 1, 13, 25, 17, 65, 45, 479, 413}},
    {1747, {1, 1, 7, 7, 27, 49, 99, 161, 213, 727}},
    {1759, {1, 3, 5, 1, 23, 5, 43, 41, 251, 857}},
    {1789, {1, 3, 3, 7, 11, 61, 39, 87, 383, 835}},
    {1815, {1, 1, 3, 15, 13, 7, 29, 7, 505, 923}},
    {1821, {1, 3, 7, 1, 5, 31, 47, 157, 445, 501}},
    {1825, {1, 1, 3, 7, 1, 43, 9, 147, 115, 605}},
    {1849, {1, 3, 3, 13, 5, 1, 119, 211, 455, 1001}},
    {1863, {1, 1, 3, 5, 13, 19, 3, 243, 75, 843}},
    {1869, {1, 3, 7, 7, 1, 19, 91, 249, 357, 589}},
    {1877, {1, 1, 1, 9, 1, 25, 109, 197, 279, 411}},
    {1881, {1, 3, 1, 15, 23, 57, 59, 135, 191, 75}},
    {1891, {1, 1, 5, 15, 29, 21, 39, 253, 383, 349}},
    {1917, {1, 3, 3, 5, 19, 45, 61, 151, 199, 981}},
    {1933, {1, 3, 5, 13, 9, 61, 107, 141, 141, 1}},
    {1939, {1, 3, 1, 11, 27, 25, 85, 105, 309, 979}},
    {1969, {1, 3, 3, 11, 19, 7, 115, 223, 349, 43}},
    {2011, {1, 1, 7, 9, 21, 39, 123, 21, 275, 927}},
    {2035, {1, 1, 7, 13, 15, 41, 47, 243, 303, 437}},
};

static uint32_t reversed(uint32_t x) {
  x = x >> 16 | x << 16;
  x = (x & 0xff00ff00u) >> 8 | (x & 0x00ff00ffu) << 8;
  x = (x & 0xf0f0f0f0u) >> 4 | (x & 0x0f0f0f0fu) << 4;
  x = (x & 0xccccccccu) >> 2 | (x & 0x33333333u) << 2;
  return (x & 0xaaaaaaaau) >> 1 | (x & 0x55555555u) << 1;
}

/* Point i: the sum modulo 2 of the direction numbers of its bits. */
static uint32_t sobol(uint32_t i, int dimension) {
  if (dimension == 0) return reversed(i);
  const uint16_t *m = JOE_KUO[dimension - 1].m;
  uint32_t polynomial = JOE_KUO[dimension - 1].polynomial, v[32], x = 0;
  int degree = 31 - __builtin_clz(polynomial);
  for (int k = 0; k < 32 && i >> k; k++) {
    if (k < degree) {
      v[k] = (uint32_t)m[k] << (31 - k);
    } else { /* m_k = sum 2^j a_j m_(k-j) + m_(k-degree), scaled to the top bit */
      v[k] = v[k - degree] ^ v[k - degree] >> degree;
      for (int j = 1; j < degree; j++)
        if (polynomial >> (degree - j) & 1) v[k] ^= v[k - j];
    }
    if (i >> k & 1) x ^= v[k];
  }
  return x;
}

/* Owen's nested scrambling: a hash of the higher bits determines whether a bit is flipped. To
 * implement this, the order of the bits is reversed and a hash is used in which each bit depends
 * only on lower bits [LaineKarras2011; Burley2020]. */
static uint32_t scrambled(uint32_t x, uint32_t seed) {
  x = reversed(x);
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= (seed >> 16) | 1;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return reversed(x);
}

double hk_sample_at(const hk_sample *s, int64_t i, int dimension) {
  switch (s->method) {
    case HK_SAMPLE_LATIN: {
      if (s->base > 0) return nested(s, (uint64_t)i, (uint64_t)dimension);
      uint64_t slice =
          permuted(hk_random_stream(s->seed, (uint64_t)dimension), (uint64_t)i, (uint64_t)s->n);
      return ((double)slice + hashed(s->seed, (uint64_t)i, (uint64_t)dimension)) / (double)s->n;
    }
    case HK_SAMPLE_SOBOL: {
      uint32_t key = (uint32_t)(hk_random_stream(s->seed, (uint64_t)dimension) >> 32);
      uint32_t x = scrambled(sobol((uint32_t)i, dimension), key);
      return ((double)x + 0.5) * 0x1p-32;
    }
    default:
      return hashed(s->seed, (uint64_t)i, (uint64_t)dimension);
  }
}
