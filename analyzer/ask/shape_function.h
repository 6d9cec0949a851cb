/// Shape functions (S1 W2): of a Relax function whose result's shape depends on the shapes of its
/// arguments alone, a function of its own from these shapes to that shape.
#ifndef RLX_ANALYZER_SHAPE_FUNCTION_H
#define RLX_ANALYZER_SHAPE_FUNCTION_H
#include "analyzer/state/file.h"
#include "analyzer/syntax/ast.h"
#include "base/buf.h"

/// Appends `@R.function def <name>_shape(x: R.Shape(["n", 4])) -> …` for the function that `def`
/// defines, at the left margin, in the spelling that all dialects read. Parameters without a shape
/// are left out. False, nothing appended, when the result's shape is not known from the parameters.
bool rlx_file_shape_function(RlxFile *file, const RlxStmt *def, RlxBuf *out);
/// The same in one line, for people: "x: (n, 4), w: (4, m) -> (n, m)".
bool rlx_file_shape_summary(RlxFile *file, const RlxStmt *def, RlxBuf *out);

#endif
