/// What a deduction rule may ask about the module around its call: functions and global infos.
#ifndef RLX_ANALYZER_MODULE_H
#define RLX_ANALYZER_MODULE_H

#include "analyzer/struct_info/sinfo.h"

typedef struct RlxModuleView {
  struct RlxModule *module; ///< NULL: the function stands outside any module
  RlxStore *store;
} RlxModuleView;

/// The virtual device that `text` names ("cuda", "cuda:1", "vdevice:0"): one of the module's global
/// infos when it lists it. NULL when the text is no device's name or the module, having a list,
/// does not list it.
const RlxVDevice *rlx_module_vdevice(const RlxModuleView *view, const char *text);
/// How many devices the module lists; 0 for NULL.
uint32_t rlx_module_vdevice_count(const RlxModuleView *view);

#endif
