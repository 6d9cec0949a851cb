/// What stands at a place of a file: for hover, definition, references, rename.
#ifndef RLX_ANALYZER_QUESTIONS_H
#define RLX_ANALYZER_QUESTIONS_H

#include "analyzer/ops/op_table.h"
#include "analyzer/state/file.h"
#include "analyzer/struct_info/ir.h"
#include "base/vec.h"

/// What stands at a byte offset.
typedef enum RlxSymbolKind {
  RLX_SYMBOL_NONE,
  RLX_SYMBOL_VAR,
  RLX_SYMBOL_SYMVAR,
  RLX_SYMBOL_FUNCTION,
  RLX_SYMBOL_OP,
  RLX_SYMBOL_MODULE,
  RLX_SYMBOL_NAMESPACE,
  RLX_SYMBOL_LOCAL, ///< a name of a PrimFunc that is no symbolic variable: buffer, loop, block axis
  RLX_SYMBOL_ALIAS, ///< another name for the module in a function: `cls`
  RLX_SYMBOL_BLOCK, ///< the name of a block, a string
  RLX_SYMBOL_OUTER, ///< a name of Python around islands: an import, a constant, a plain def or class
} RlxSymbolKind;
typedef struct RlxSymbol {
  uint8_t kind;
  RlxSpan span; ///< absolute, of the occurrence
  RlxName name;
  const RlxVar *var;
  const RlxSymVar *symvar;
  const RlxOpRow *op;
  const RlxStmt *stmt;     ///< of the occurrence
  const RlxStmt *def_stmt; ///< where it is defined, or NULL
  RlxSpan def_span;        ///< absolute
  const RlxBlock *scope; ///< OUTER, MODULE, a FUNCTION outside of modules: the suite that binds it
  const RlxSInfo *sinfo; ///< of the variable, or of the call when it is an operator's name
} RlxSymbol;
/// What stands at `offset` (absolute); false when that is nothing the analysis knows. Valid until
/// the next edit.
bool rlx_file_symbol_at(RlxFile *file, uint32_t offset, RlxSymbol *out);
typedef Vec(const RlxVar *) RlxVars;
/// All occurrences of what stands at `offset`.
void rlx_file_references(RlxFile *file, uint32_t offset, RlxSpans *out);
/// All occurrences of `symbol` (as rlx_file_symbol_at gave it, no edit since), definition included,
/// in order. A variable that both branches of an `if` bind is one with what stands behind the `if`.
void rlx_file_symbol_references(RlxFile *file, const RlxSymbol *symbol, RlxSpans *out);

/// One occurrence of a symbol.
typedef struct RlxOccurrence {
  RlxSpan span;   ///< absolute
  bool is_write;  ///< binds it, or stores into it
  bool is_text;   ///< a string that says its name (`global_symbol`): to rename, not to go to
  bool is_import; ///< an import without `as` that gives it its name
} RlxOccurrence;
typedef Vec(RlxOccurrence) RlxOccurrences;
/// The same with what each occurrence does, and strings that say its name.
void rlx_file_occurrences(RlxFile *file, const RlxSymbol *symbol, RlxOccurrences *out);

/// Where the symbolic variable `var`, seen from statement `stmt`, is bound: absolute span of its
/// first occurrence in a parameter annotation, its declaration, or the match_cast that defines it.
/// False when it is not known.
bool rlx_file_symvar_definition(RlxFile *file, const RlxStmt *stmt, const RlxSymVar *var,
                                RlxSpan *out);

/// Where the variable or symbolic variable that `name` is for `stmt` is bound, absolute; false: it
/// is none.
bool rlx_file_name_definition(RlxFile *file, const RlxStmt *stmt, RlxName name, RlxSpan *out);

/// The name of the class of the module around `stmt`, absolute; false: none is around.
bool rlx_file_module_around(const RlxStmt *stmt, RlxSpan *out);

#endif
