/// What a deduction rule may ask about the module around its call: its global infos.
#ifndef RLX_ANALYZER_MODULE_VIEW_H
#define RLX_ANALYZER_MODULE_VIEW_H

#include "analyzer/struct_info/sinfo.h"

typedef struct RlxModuleView {
  RlxStore *store;
  const RlxVDevice *const *vdevices; ///< those that its global infos list
  uint32_t vdevice_count;
} RlxModuleView;

/// The virtual device that `text` names ("cuda", "cuda:1", "vdevice:0"): one of the module's global
/// infos when it lists it. NULL when the text is no device's name or the module, having a list,
/// does not list it.
const RlxVDevice *rlx_module_vdevice(const RlxModuleView *view, const char *text);
/// How many devices the module lists; 0 for NULL.
uint32_t rlx_module_vdevice_count(const RlxModuleView *view);

#endif
