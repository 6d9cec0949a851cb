/// Values as text: arrays as numpy prints them, and JSON.
#ifndef RLX_JIT_RUNTIME_FORMAT_H
#define RLX_JIT_RUNTIME_FORMAT_H

#include "base/buf.h"
#include "base/json.h"
#include "jit/runtime/value.h"

/// Appends `x` as numpy's str() prints it (precision 8, summarised above 1000 elements); tuples one
/// field a line.
void rlx_object_print(const RlxObject *x, RlxBuf *out);
/// How arrays are laid out: digits behind the point at most, columns of a line.
enum { RLX_PRINT_PRECISION = 8, RLX_PRINT_WIDTH = 75 };
typedef struct RlxPrintStyle {
  int precision, width;
} RlxPrintStyle;
/// The same with another precision and width.
void rlx_object_print_styled(const RlxObject *x, const RlxPrintStyle *style, RlxBuf *out);
/// Appends its StructInfo: `R.Tensor((2, 3), dtype="float32")`.
void rlx_object_print_sinfo(const RlxObject *x, RlxBuf *out);
/// "float32 tensor of shape (2, 3)": what a message calls it.
void rlx_object_describe(const RlxObject *x, RlxBuf *out);
/// Writes the elements, flat in row-major order; non-finite numbers as strings.
void rlx_tensor_json(const RlxObject *x, RlxJson *json);

/// An argument of `rlx run`: `@file.npy`, `2x3:float32:random(seed)` (or ones, zeros, iota, a
/// number), `[[1, 2], [3, 4]]`, a number, or `true`. Numbers take `wanted` when it is known, else
/// int64, float32 or bool. NULL and `err`.
RlxObject *rlx_object_parse(RlxHeap *heap, const char *text, RlxDType wanted, RlxError *err);

#endif
