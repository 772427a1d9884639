/* Archives of systems of FMUs in memory, for tests: FMUs with a description and no binary, which is enough to convert a system. */
#ifndef TEST_SSP_ARCHIVE_H
#define TEST_SSP_ARCHIVE_H
#include "fmu/zip.h"
#include "import/archive.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* y [N*m] and w [rpm] from u [rad] and plain; a parameter k [N*m/rad]; arrays a (input) and b (output) of three numbers. */
static const char ssp_fmu[] =
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"t\">"
    "<CoSimulation modelIdentifier=\"m\"/><UnitDefinitions>"
    "<Unit name=\"N*m\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\"/></Unit><Unit name=\"rad\"><BaseUnit "
    "rad=\"1\"/></Unit>"
    "<Unit name=\"deg\"><BaseUnit rad=\"1\" factor=\"0.017453292519943295\"/></Unit>"
    "<Unit name=\"degC\"><BaseUnit K=\"1\" offset=\"273.15\"/></Unit><Unit name=\"K\"><BaseUnit "
    "K=\"1\"/></Unit>"
    "<Unit name=\"rpm\"><BaseUnit s=\"-1\" rad=\"1\" "
    "factor=\"0.10471975511965977\"/></Unit></UnitDefinitions>"
    "<DefaultExperiment stepSize=\"0.001\"/><ModelVariables>"
    "<Float64 name=\"u\" valueReference=\"1\" causality=\"input\" unit=\"rad\" start=\"0\"/>"
    "<Float64 name=\"plain\" valueReference=\"2\" causality=\"input\" start=\"0\"/>"
    "<Float64 name=\"warm\" valueReference=\"10\" causality=\"input\" unit=\"K\" start=\"300\"/>"
    "<Float64 name=\"y\" valueReference=\"3\" causality=\"output\" unit=\"N*m\"/>"
    "<Float64 name=\"angle\" valueReference=\"4\" causality=\"output\" unit=\"deg\"/>"
    "<Float64 name=\"shaft.w\" valueReference=\"5\" causality=\"output\" unit=\"rpm\"/>"
    "<Float64 name=\"heat\" valueReference=\"11\" causality=\"output\" unit=\"degC\"/>"
    "<Float64 name=\"bare\" valueReference=\"12\" causality=\"output\"/>"
    "<Float64 name=\"k\" valueReference=\"6\" causality=\"parameter\" variability=\"tunable\" "
    "unit=\"N*m\" start=\"1\"/>"
    "<Float64 name=\"a\" valueReference=\"7\" causality=\"input\" start=\"0 0 0\"><Dimension "
    "start=\"3\"/></Float64>"
    "<Float64 name=\"b\" valueReference=\"8\" causality=\"output\"><Dimension "
    "start=\"3\"/></Float64>"
    "<String name=\"label\" valueReference=\"9\" causality=\"parameter\" "
    "variability=\"fixed\"><Start value=\"\"/></String>"
    "</ModelVariables><ModelStructure/></fmiModelDescription>";

/* The bytes of an archive with pairs of a name and a text; the list ends with NULL.  From malloc. */
static inline char *ssp_zip(const char *const *file, size_t *size) {
  hk_zip zip = {0};
  hk_error err = {0};
  char *bytes = NULL;
  FILE *out = open_memstream(&bytes, size);
  if (!out) abort();
  for (; *file; file += 2)
    if (hk_zip_add(&zip, file[0], file[1], strlen(file[1]), &err)) abort();
  if (hk_zip_write(&zip, out, &err) || fclose(out)) abort();
  hk_zip_free(&zip);
  return bytes;
}

/* An archive with SystemStructure.ssd, the FMU above as m.fmu, and more files. */
static inline char *ssp_archive(const char *ssd, const char *const *more, size_t *size) {
  const char *const description[] = {"modelDescription.xml", ssp_fmu, NULL};
  size_t inner_size = 0;
  char *inner = ssp_zip(description, &inner_size), *bytes = NULL;
  hk_zip zip = {0};
  hk_error err = {0};
  FILE *out = open_memstream(&bytes, size);
  if (!out || hk_zip_add(&zip, "SystemStructure.ssd", ssd, strlen(ssd), &err) ||
      hk_zip_add(&zip, "resources/m.fmu", inner, inner_size, &err))
    abort();
  for (; more && *more; more += 2)
    if (hk_zip_add(&zip, more[0], more[1], strlen(more[1]), &err)) abort();
  if (hk_zip_write(&zip, out, &err) || fclose(out)) abort();
  hk_zip_free(&zip);
  free(inner);
  return bytes;
}
#endif
