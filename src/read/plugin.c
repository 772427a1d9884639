/* Types from a shared object: see hooke/registry.h.
 *
 * Only paths given by the caller are opened, never names from a model file.  The functions that the types call (hk_fail,
 * hk_joint_hold, ...) are those of the program that opens the shared object. */
#include "spec/registry.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void close_library(void *library) { dlclose(library); }

static void version_text(int number, char text[32]) {
  snprintf(text, 32, "%d.%d.%d", number / 10000, number / 100 % 100, number % 100);
}

/* Checks that the plugin was built for this library.  While the major version is 0, every minor
 * version has a different interface. */
static hk_status check_version(const char *path, const hk_plugin *p, hk_error *err) {
  static const unsigned long long size[HK_PLUGIN_N_SIZES] = HK_PLUGIN_SIZES;
  char built[32];
  bool same_major = p->version / 10000 == HK_VERSION_MAJOR,
       same_minor = p->version / 100 == HK_VERSION_NUMBER / 100;
  version_text(p->version, built);
  if (!same_major || (HK_VERSION_MAJOR == 0 && !same_minor) || p->version > HK_VERSION_NUMBER)
    return hk_fail(err, HK_EINPUT,
                   "plugin '%s' was built for hooke %s, but this is hooke %s: build it again with "
                   "the headers of this version",
                   path, built, hk_version());
  if (memcmp(p->size, size, sizeof size) != 0)
    return hk_fail(err, HK_EINPUT,
                   "plugin '%s' was built with other headers of hooke %s than this library: build "
                   "it again",
                   path, built);
  return HK_OK;
}

static hk_status add_types(hk_registry *r, const char *path, const hk_plugin *p, hk_error *err) {
  int before = r->n;
  hk_error why = {0};
  for (int i = 0; i < p->n_types; i++) {
    hk_status status = hk_registry_add(r, p->type[i], &why);
    if (!status) continue;
    r->n = before;
    return hk_fail(err, status, "plugin '%s': %s", path, why.text);
  }
  return HK_OK;
}

hk_status hk_registry_load(hk_registry *r, const char *path, hk_error *err) {
  if (!path || !strchr(path, '/'))
    return hk_fail(err, HK_EINPUT,
                   "a plugin must be given by its path, no folders are searched for '%s'; use "
                   "'./%s' for the current folder",
                   path ? path : "", path ? path : "");
  if (access(path, R_OK) != 0)
    return hk_fail(err, HK_EIO, "cannot open plugin '%s': %s", path, strerror(errno));
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    return hk_fail(err, HK_EIO, "cannot load plugin '%s': %s", path, why ? why : "no reason given");
  }
  const hk_plugin *p = dlsym(library, "hk_plugin_table");
  hk_status status =
      p ? check_version(path, p, err)
        : hk_fail(err, HK_EINPUT, "'%s' is not a plugin of hooke: HK_PLUGIN(...) is missing", path);
  if (!status && !hk_registry_keep(r, library, close_library))
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  else if (!status)
    return add_types(r, path, p, err);
  dlclose(library);
  return status;
}
