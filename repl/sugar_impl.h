/// Inside of what turns entries into Relax: what its files share.
#ifndef RLX_REPL_SUGAR_IMPL_H
#define RLX_REPL_SUGAR_IMPL_H

#include "analyzer/syntax/document.h"
#include "repl/numbers.h"
#include "repl/sugar.h"

enum { RLX_SUGAR_NDIM_MAX = 64 };

typedef struct RlxSugarAlias {
  char *name, *function;
} RlxSugarAlias;

struct RlxReplSugar {
  RlxFile *file;    ///< for questions about kinds
  RlxDocument *doc; ///< the expression
  RlxBuf asked, plain, source;
  Vec(RlxReplVar) temps;
  Vec(RlxSugarAlias) aliases;
  uint32_t pushed;  ///< variables of the session that are temps
  bool is_prepared; ///< `plain` is what `source` stands for
};

/// What an operand is.
typedef struct RlxSugarType {
  bool is_tensor, is_shape;
  RlxDType dtype;
  int ndim;                         ///< -1: unknown
  bool has_dims;                    ///< all of them are known
  int64_t dims[RLX_SUGAR_NDIM_MAX]; ///< -1: unknown
} RlxSugarType;

/// Of one entry.
typedef struct RlxSugarWriter {
  RlxRepl *repl;
  RlxReplSugar *sugar;
  const char *text; ///< of the entry
  int depth;
  bool failed; ///< a message was printed
} RlxSugarWriter;

/// Appends the Relax that the node stands for.
void rlx_sugar_put(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);
/// Appends the node as it is written, its children as Relax; the first two may be there already (else
/// NULL), so that nothing is written twice. True.
bool rlx_sugar_around(RlxSugarWriter *w, const RlxAst *ast, const RlxBuf *first,
                      const RlxBuf *second, RlxBuf *out);
/// What the node is, whose Relax is `text`.
RlxSugarType rlx_sugar_type(RlxSugarWriter *w, const RlxAst *ast, const char *text);
/// Appends a number or list of numbers as a tensor of `dtype`; false: it is none, or it would be cut off.
bool rlx_sugar_constant(RlxSugarWriter *w, const RlxAst *ast, RlxDType dtype, RlxBuf *out);
/// The value of the session's variable or of what the entry made; borrowed, NULL: there is none.
RlxObject *rlx_sugar_variable(const RlxSugarWriter *w, const char *name);
/// Appends a name for `value`, whose reference it takes: `stem` with a number behind it.
void rlx_sugar_put_temp(RlxSugarWriter *w, const char *stem, RlxObject *value, RlxBuf *out);
/// Prints the error, if it is the entry's first; nothing of the entry is evaluated then.
void rlx_sugar_fail(RlxSugarWriter *w, const RlxError *err);

/// `x[…]` by the rules of numpy, `w["name"]`, `s[0]` of a shape (sugar_index.c). True.
bool rlx_sugar_subscript(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);

#endif
