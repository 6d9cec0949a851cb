/// Finds libzip.
#include "jit/runtime/zip.h"

#include <dlfcn.h>
#include <string.h>

bool rlx_zip_load(RlxZip *out, RlxError *err) {
  // What it was called since 1.3, what Debian calls it, and what it is called where programs are built with it.
  static const char *const names[] = {"libzip.so.5", "libzip.so.4", "libzip.so"};
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    return rlx_error_set(err, "libzip, which .npz files take, cannot be loaded: %s",
                         why ? why : "");
  }
  bool ok = true;
#define RLX_ZIP_FIND(name)                                                                         \
  {                                                                                                \
    void *found = dlsym(library, #name);                                                           \
    ok &= found != NULL;                                                                           \
    memcpy(&out->name, &found, sizeof found);                                                      \
  }
  RLX_ZIP_CALLS(RLX_ZIP_FIND)
#undef RLX_ZIP_FIND
  return ok || rlx_error_set(err, "this libzip is too old for .npz files");
}
