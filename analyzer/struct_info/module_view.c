/// The virtual devices of a module, by name.
#include "analyzer/struct_info/module_view.h"

#include <stdlib.h>
#include <string.h>

/// The kind of a target: "llvm" out of "llvm -mcpu=x" or out of {"kind": "llvm", …}.
static bool kind_matches(const char *target, const char *kind, size_t size) {
  const char *at = target;
  if (*at == '{') {
    at = strstr(at, "\"kind\"");
    if (!at) return false;
    at = strchr(at + 6, '"');
    if (!at) return false;
    at++;
  }
  return strncmp(at, kind, size) == 0 && (at[size] == 0 || at[size] == ' ' || at[size] == '"');
}

uint32_t rlx_module_vdevice_count(const RlxModuleView *view) {
  return view ? view->vdevice_count : 0;
}

const RlxVDevice *rlx_module_vdevice(const RlxModuleView *view, const char *text) {
  if (!view) return NULL;
  const char *colon = strchr(text, ':');
  size_t size = colon ? (size_t)(colon - text) : strlen(text);
  long index = 0;
  if (colon)
    index = strtol(colon + 1, NULL,
                   10); // what stands behind a second colon, the memory scope, is the device's own
  if (size == 7 && memcmp(text, "vdevice", 7) == 0)
    return index >= 0 && (unsigned long)index < view->vdevice_count ? view->vdevices[index] : NULL;
  long seen = 0;
  for (uint32_t i = 0; i < view->vdevice_count; i++) {
    const RlxVDevice *device = view->vdevices[i];
    if (!kind_matches(rlx_store_text(view->store, device->target), text, size)) continue;
    if (seen++ == index) return device;
  }
  return NULL;
}

bool rlx_module_mesh(const RlxModuleView *view, const char *text, int *ndim) {
  const size_t size = strcspn(text, "[");
  long index = text[size] ? strtol(text + size + 1, NULL, 10) : -1;
  *ndim = -1;
  for (uint32_t i = 0; view && i < view->mesh_count; i++) {
    const char *list = rlx_store_text(view->store, view->meshes[i].list);
    if (strlen(list) != size || memcmp(list, text, size) != 0 || index--) continue;
    *ndim = view->meshes[i].ndim;
    return true;
  }
  return view && view->has_open_lists;
}
