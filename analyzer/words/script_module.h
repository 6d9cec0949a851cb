/// The modules of TVM behind the namespaces of scripts.
#ifndef RLX_ANALYZER_SCRIPT_MODULE_H
#define RLX_ANALYZER_SCRIPT_MODULE_H

#include "analyzer/words/dialect.h"

/// What `from tvm.script import … as R` (T, I) imports in a dialect: "relax", "tirx" from 0.25 on and "tir" before, "ir".
/// Constant data; NULL: no namespace has that letter.
const char *rlx_script_module(char root, RlxDialect dialect);

#endif
