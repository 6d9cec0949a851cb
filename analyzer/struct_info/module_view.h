/// What a deduction rule may ask about the module around its call: its global infos.
#ifndef RLX_ANALYZER_MODULE_VIEW_H
#define RLX_ANALYZER_MODULE_VIEW_H

#include "analyzer/struct_info/sinfo.h"

/// A member of a list of the global infos, as a placement of tensors names it: "mesh[0]".
typedef struct RlxMesh {
  RlxName list;
  int32_t ndim; ///< axes; -1: not known, or no mesh at all
} RlxMesh;

typedef struct RlxModuleView {
  RlxStore *store;
  const RlxVDevice *const *vdevices; ///< those that its global infos list
  uint32_t vdevice_count;
  const RlxMesh *meshes; ///< what its lists hold, in their order
  uint32_t mesh_count;
  bool has_open_lists; ///< Python alone knows what else they hold
} RlxModuleView;

/// The virtual device that `text` names ("cuda", "cuda:1", "vdevice:0"): one of the module's global
/// infos when it lists it. NULL when the text is no device's name or the module, having a list,
/// does not list it.
const RlxVDevice *rlx_module_vdevice(const RlxModuleView *view, const char *text);
/// How many axes the mesh "mesh[0]" has: -1: that is not known; false: the module has no such mesh, or `view` is NULL.
bool rlx_module_mesh(const RlxModuleView *view, const char *text, int *ndim);
/// How many devices the module lists; 0 for NULL.
uint32_t rlx_module_vdevice_count(const RlxModuleView *view);

#endif
