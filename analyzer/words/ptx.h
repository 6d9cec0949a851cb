/// The instructions of T.ptx in TVM 0.27: `T.ptx.ld.global_.b32(value, address)`.
///
/// The words behind the instruction's name are its modifiers; each fills a slot, in any order, and
/// the operands follow from them. An instruction has one or several forms.
#ifndef RLX_ANALYZER_PTX_H
#define RLX_ANALYZER_PTX_H

#include <stdbool.h>
#include <stdint.h>

typedef enum RlxPtxOperand {
  RLX_PTX_ANY,    ///< not known
  RLX_PTX_VALUE,  ///< a value that nothing can be written to
  RLX_PTX_OFFSET, ///< T.ptx.addr(…)
} RlxPtxOperand;

enum { RLX_PTX_TEXT_MAX = 256 };

/// Whether some form takes the call: `path` is what stands behind `T.ptx.`, as the script spells it
/// (`global_` for the word `global`, `a__b` for `a::b`; a text in brackets has the words themselves).
/// `operands` NULL: their number is not known, either. If none does, `why` says why not, of the form
/// that got furthest.
bool rlx_ptx_takes(const char *path, const RlxPtxOperand *operands, uint32_t count,
                   char why[RLX_PTX_TEXT_MAX]);

#endif
