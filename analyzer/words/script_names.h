/// Names of the namespace T: which dialects have them, and what they take; and which have a name of R.
#ifndef RLX_ANALYZER_SCRIPT_NAMES_H
#define RLX_ANALYZER_SCRIPT_NAMES_H

#include "analyzer/words/dialect.h"
#include "base/buf.h"
#include "base/nearest.h"

typedef enum RlxScriptHow {
  RLX_SCRIPT_CALL,  ///< a function whose parameters are known
  RLX_SCRIPT_DROPS, ///< the same; a keyword `dtype` is ignored
  RLX_SCRIPT_FIRST, ///< the same; a keyword `dtype` becomes the first argument
  RLX_SCRIPT_OTHER, ///< a namespace, or a function whose parameters are not known
} RlxScriptHow;

typedef struct RlxScriptName {
  const char *name;     ///< "Cast", "axis.spatial"
  const char *params;   ///< as Python writes them, `=` behind one that may be left out
  uint8_t since, until; ///< RlxDialect: the first and the last that has it
  uint8_t how;          ///< RlxScriptHow
} RlxScriptName;

enum { RLX_SCRIPT_PARAMS = 32 };
typedef struct RlxScriptParam {
  char name[32];
  bool may_be_left_out, is_keyword_only;
} RlxScriptParam;

/// The parameters of a row, read.
typedef struct RlxScriptSignature {
  RlxScriptParam at[RLX_SCRIPT_PARAMS];
  int count, positional;
  bool takes_more, takes_any_keyword; ///< *args, **kwargs
} RlxScriptSignature;

typedef struct RlxScriptKinds {
  const char *name;
  const char *kinds;  ///< for each parameter letters, as script_kinds.def says
  const char *result; ///< what it gives
  uint8_t since, until;
  bool same; ///< two expressions have to agree in dtype
} RlxScriptKinds;

/// Whether TVM has an operator `tirx.NAME`, as T.call_intrin finds it: names of devices may be parted from what
/// follows by a dot or an underscore.
bool rlx_script_intrinsic(const char *name, RlxDialect dialect);
/// Whether that operator does more than to give a value, so that no pure function of Relax may call it.
bool rlx_script_is_impure(const char *name, RlxDialect dialect);
/// What `T.name` takes and gives in `dialect`; NULL: not known.
const RlxScriptKinds *rlx_script_kinds(const char *name, RlxDialect dialect);
/// The row of `T.name` in `dialect`, which is one that the rows speak of (0.25, 0.27); NULL: there
/// is none.
const RlxScriptName *rlx_script_name(const char *name, RlxDialect dialect);
/// Whether `R.name` (`add`, `nn.relu`) is something in `dialect`, 0.25 or 0.27; of what is inside of R's modules for the
/// builder and the parser nothing is known.
bool rlx_relax_has_name(const char *name, RlxDialect dialect);
/// How the row is called: "alloc_buffer(shape, dtype=…)".
void rlx_script_name_tell(const RlxScriptName *row, RlxBuf *out);
/// Reads a row's `params`; false when there are too many.
bool rlx_script_signature(const char *params, RlxScriptSignature *out);
/// In the `kinds` of a row, the letters of the parameter that a positional argument (-1: none) or a keyword with these `params`
/// goes to, and their number; NULL: not known.
const char *rlx_script_letters(const char *params, const char *cells, int position,
                               const char *keyword, size_t *size);
/// All rows, sorted by name: one whose parameters changed has several.
const RlxScriptName *rlx_script_names(uint32_t *count);
/// Whether the rows speak of `dialect`.
bool rlx_script_names_cover(RlxDialect dialect);
/// Whether the dialect has names behind `T.name` and a dot, so that its row is a namespace whose names are all known.
bool rlx_script_name_has_members(const char *name, RlxDialect dialect);
/// The name nearest to `name` that `dialect` has, or NULL.
/// `*is_tied`: another one is as near.
const char *rlx_script_name_nearest(const char *name, RlxDialect dialect, bool *is_tied);

/// The names of `dialect`, into the search.
void rlx_script_names_try(RlxNearest *nearest, RlxDialect dialect);

/// Whether the script's namespace T has the name and the package tvm.tirx, which has the classes of
/// the IR (`Cast`) and functions of expressions (`exp`), has not.
bool rlx_script_name_is_alone(const char *name);

/// Whether the function ends in a parameter `span`, which the rows leave out and for which a script
/// can give None.
bool rlx_script_name_takes_span(const char *name);

/// The dtype that an annotation says, `T.int64`; NULL and anything else: false.
bool rlx_script_annotation_dtype(const RlxStore *store, const RlxAst *annotation, RlxDType *out);

#endif
