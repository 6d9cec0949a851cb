/// The modules of TVM behind R, T and I.
#include "analyzer/words/script_module.h"

const char *rlx_script_module(char root, RlxDialect dialect) {
  const bool is_new = dialect != RLX_DIALECT_CLASSIC && dialect != RLX_DIALECT_TLC;
  switch (root) {
  case 'R': return "relax";
  case 'T': return is_new ? "tirx" : "tir";
  case 'I': return "ir";
  default: return NULL;
  }
}
