/* Arrays of FMI 3.0: their elements are variables with value references that follow each other: see instance.h. */
#include "instance.h"
#include <stdlib.h>

int fmu_size_of(const fmu_instance *f, unsigned reference) {
  const fmu_manifest *m = &f->manifest;
  for (int i = 0; i < m->n_arrays; i++)
    if (m->array[i].first == reference) return m->array[i].n;
  return 1;
}

fmu_status fmu_expand(fmu_instance *f, int slot, const unsigned *reference, size_t n,
                      size_t n_values, const unsigned **out) {
  size_t size = 0;
  if (!f || fmu_need(f, reference, n)) return FMU_ERROR;
  for (size_t k = 0; k < n; k++) size += (size_t)fmu_size_of(f, reference[k]);
  if (size != n_values)
    return fmu_refuse(f, "%zu variables have %zu values, not %zu", n, size, n_values);
  *out = reference;
  if (size == n) return FMU_OK;
  fmu_expanded *e = &f->expanded[slot];
  if (e->capacity < size) {
    unsigned *more = realloc(e->reference, size * sizeof *more);
    if (!more) return fmu_refuse(f, "out of memory");
    e->reference = more;
    e->capacity = size;
  }
  size = 0;
  for (size_t k = 0; k < n; k++)
    for (int i = 0; i < fmu_size_of(f, reference[k]); i++)
      e->reference[size++] = reference[k] + (unsigned)i;
  *out = e->reference;
  return FMU_OK;
}
