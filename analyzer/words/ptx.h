/// The instructions of T.ptx in TVM 0.27: `T.ptx.ld.global_.b32(value, address)`.
///
/// The words behind the instruction's name are its modifiers; each fills a slot, in any order, and
/// the operands follow from them. An instruction has one or several forms.
#ifndef RLX_ANALYZER_PTX_H
#define RLX_ANALYZER_PTX_H

#include <stdbool.h>
#include <stdint.h>

typedef enum RlxPtxKind {
  RLX_PTX_ANY,   ///< a value that may be written to, or not known to be none
  RLX_PTX_VALUE, ///< a value that nothing can be written to
  RLX_PTX_BOOL,  ///< a number of Python
  RLX_PTX_INT,
  RLX_PTX_FLOAT,
  RLX_PTX_OFFSET,    ///< T.ptx.addr(…)
  RLX_PTX_PREDICATE, ///< T.ptx.pred(…)
  RLX_PTX_SINK,      ///< T.ptx.SINK
} RlxPtxKind;

typedef struct RlxPtxOperand {
  RlxPtxKind kind;
  bool is_negative; ///< INT
  /// Of ANY, VALUE and of what is in the brackets of OFFSET and PREDICATE: "uint32", "handle", or
  /// what else it is: "a buffer". NULL: not known.
  const char *dtype;
} RlxPtxOperand;

enum { RLX_PTX_TEXT_MAX = 256 };

/// What `T.ptx.addr(…)`, `T.ptx.pred(…)` and `T.ptx.SINK` are; ANY: another path behind `T.`.
RlxPtxKind rlx_ptx_special(const char *path, bool is_call);

/// Whether `T.ptx.<words>` is no instruction, but addr, pred or SINK.
bool rlx_ptx_is_helper(const char *words);

/// Whether some form takes the call: `path` is what stands behind `T.ptx.`, as the script spells it
/// (`global_` for the word `global`, `a__b` for `a::b`; a text in brackets has the words themselves).
/// `operands` NULL: their number is not known, either. If none does, `why` says why not, of the form
/// that got furthest.
bool rlx_ptx_takes(const char *path, const RlxPtxOperand *operands, uint32_t count,
                   char why[RLX_PTX_TEXT_MAX]);

#endif
