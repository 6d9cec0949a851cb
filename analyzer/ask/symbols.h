/// How a name at a place becomes a symbol: for those who walk over names themselves.
#ifndef RLX_ANALYZER_SYMBOLS_H
#define RLX_ANALYZER_SYMBOLS_H

#include "analyzer/ask/questions.h"
#include "analyzer/state/state.h"

static inline bool rlx_symbol_is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c & 0x80);
}

// ---- questions.c

/// The last definition of `name` in the first `end` statements of `block`, suites in them included.
const RlxDef *rlx_symbol_last_def(const RlxBlock *block, uint32_t end, RlxName name);
const RlxVar *rlx_symbol_var_of(const RlxValue *v);       ///< NULL: it is none
const RlxSymVar *rlx_symbol_symvar_of(const RlxValue *v); ///< NULL: it is none
/// What `name` at `span` (relative) of `stmt` stands for. False: nothing that is known.
bool rlx_symbol_of_name(RlxFile *file, const RlxStmt *stmt, RlxName name, RlxSpan span,
                        RlxSymbol *out);
/// The same of the attribute path[depth]; `path` begins with the outermost expression.
bool rlx_symbol_of_attribute(RlxFile *file, const RlxStmt *stmt, const RlxAst *const *path,
                             uint32_t depth, RlxSymbol *out);
/// The module that `name` stands for at `stmt` where no function around binds the name; NULL: none.
RlxModule *rlx_symbol_outer_module(RlxFile *file, const RlxStmt *stmt, RlxName name);
/// The function that `ast` names as `Module["name"]`; its span is what stands between the quotes.
bool rlx_symbol_of_item(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast, RlxSymbol *out);
/// `R.nn.relu` around an attribute: the operator whose whole name it is; NULL: none.
const RlxOpRow *rlx_symbol_op(RlxFile *file, const RlxAst *ast, RlxSpan *span);
/// What `name` in a string of dimensions is for `stmt`: a symbolic variable, or a scalar that is one
/// (`n: T.int64` in 0.27). False: neither. Leaves the place of the occurrence as it was.
bool rlx_symbol_of_dimension(const RlxStmt *stmt, RlxName name, RlxSymbol *out);
/// What `name` stands for in a string at `span` among the dimensions of `def`, a PrimFunc: what it is there without quotes, or what a
/// statement of the body declares, `n = T.int32()`, which is the same variable (0.27).
bool rlx_symbol_of_text(RlxFile *file, const RlxStmt *def, RlxName name, RlxSpan span,
                        RlxSymbol *out);
/// Whether strings of argument `index` (a child of `call`) are dimensions: `R.Tensor(("n",))`.
/// `otherwise`: what holds around the call.
bool rlx_symbol_has_dimensions(const RlxStore *store, const RlxAst *call, uint32_t index,
                               bool otherwise);

// ---- outer_symbols.c

/// The scope of Python that `block` belongs to: the body of the def or class around, or the file.
const RlxBlock *rlx_symbol_scope(const RlxBlock *block);
/// What `name` is for the statement `from` by Python's scopes, islands left out: a module, a
/// function, or a RLX_SYMBOL_OUTER. `is_param`: it is a parameter of the def `from`.
bool rlx_symbol_outer(RlxFile *file, const RlxStmt *from, RlxName name, bool is_param,
                      RlxSymbol *out);
/// The name of the block that the string `ast` of `stmt` gives: `with T.sblock("B"):`; its span
/// leaves the quotes out.
bool rlx_symbol_of_block(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast, RlxSymbol *out);
/// The name that an import binds, or the member that it takes, relative to its statement.
RlxSpan rlx_import_name_span(RlxFile *file, const RlxStmt *stmt, const RlxImport *import);
/// Whether the import gives its name with `as`.
bool rlx_import_has_alias(RlxFile *file, const RlxStmt *stmt, const RlxImport *import);
/// What is between the quotes of a string of one part without escapes, absolute; false: it is not
/// as simple.
bool rlx_symbol_string_inside(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast, RlxSpan *out);

#endif
