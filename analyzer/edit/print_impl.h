/// What the files of the printer share.
#ifndef RLX_ANALYZER_PRINT_IMPL_H
#define RLX_ANALYZER_PRINT_IMPL_H

#include "analyzer/edit/print.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/tir/print_names.h"
#include "base/map.h"

typedef struct RlxScriptPrinter {
  RlxFile *file;
  RlxStore *store;
  const char *source;
  RlxPrintOptions options;
  RlxBuf *out;
  int indent;
  const RlxStmt *stmt; ///< whose spans are relative to; may be NULL
  bool in_module;
  bool is_alone;      ///< the file holds one module or one function: TVM does not keep its name
  const char *module; ///< name it is printed under
  bool uses_siblings; ///< something was printed as `cls.name`
  uint32_t symbols_at_sibling; ///< symbolic variables met before that
  bool in_signature;
  bool uses_t;                       ///< something of the namespace `T` was printed
  const RlxBuf *searched;            ///< in which local functions looked for that, up to
  size_t searched_bytes;             ///< here; NULL: in none
  bool in_argument;                  ///< StructInfo is an argument of a call
  bool in_declaration;               ///< a symbolic variable of a body gets its name
  size_t long_bytes;                 ///< of long StructInfos that were printed
  RlxPrintNames names;               ///< of variables, symbolic ones as the analyzer has them
  Vec(const RlxSymVar *) symbols;    ///< symbolic variables in scope, as the analyzer has them
  Vec(const RlxPrim *) symbol_names; ///< and as they are printed
  RlxMap symbol_at, printed_at;      ///< their numbers in these lists, and some that are gone
  uint32_t param_symbols;            ///< 0.27: the first of this function are its scalar parameters
  uint32_t outer_symbols;            ///< those before this index belong to the function around
  RlxTirNames type_vars;             ///< 0.27: declared before the module
  Vec(uint32_t) lost; ///< where the statements start that an error left without a meaning, in order
} RlxScriptPrinter;

enum {
  RLX_PRINT_SYMBOLS_MAX = 256,     ///< symbolic variables looked at in one StructInfo
  RLX_PRINT_LONG_NODES = 32,       ///< a StructInfo with more of them is long
  RLX_PRINT_LONG_BYTES = 16 << 20, ///< of a file's long ones; those behind them are R.Object
};

// ---- print_parts.c
/// Text of a variable; defines it when it is not in scope.
const char *rlx_print_var(RlxScriptPrinter *p, const RlxVar *var);
/// A name that is not taken yet, now taken by `key`.
const char *rlx_print_define(RlxScriptPrinter *p, const void *key, const char *hint);
/// Forgets the names met from number `mark` on, but not those of the symbolic variables in scope.
void rlx_print_leave_names(RlxScriptPrinter *p, uint32_t mark);
/// Notes under which variable's name a symbolic variable is printed from now on.
void rlx_print_add_symbol(RlxScriptPrinter *p, const RlxSymVar *var, const RlxSymVar *printed);
/// Whether a symbolic variable has its name in this scope.
bool rlx_print_knows_symbol(const RlxScriptPrinter *p, const RlxSymVar *var);
/// Gives names to the symbolic variables that have none yet.
void rlx_print_meet_symbols(RlxScriptPrinter *p, const RlxSymVar *const *vars, int count);
/// Appends `n = T.int64()` for the variables met with numbers `from` up to `to`; those of a
/// signature are TypeVars in 0.27.
void rlx_print_declare_symbols(RlxScriptPrinter *p, uint32_t from, uint32_t to, bool of_signature,
                               RlxBuf *out);
/// The dialect's preferred spelling.
const char *rlx_print_word(RlxScriptPrinter *p, RlxSpellingId id);
/// A StructInfo in the words of the dialect.
void rlx_print_sinfo(RlxScriptPrinter *p, const RlxSInfo *sinfo);
/// A symbolic expression with the names that its variables are printed under.
void rlx_print_prim(RlxScriptPrinter *p, const RlxPrim *prim);
/// The script's own text of `span` of the current statement; `...` when there is none.
void rlx_print_source(RlxScriptPrinter *p, RlxSpan span);
/// Appends a string literal in double quotes.
void rlx_print_string(RlxBuf *out, const char *text);

// ---- print_words.c
/// Literal data of the current statement.
void rlx_print_words(RlxScriptPrinter *p, const RlxAst *ast);
typedef bool RlxLeftOut(const RlxScriptPrinter *p, const RlxAst *key, const RlxAst *value,
                        const char *name);
/// The entries of a dictionary by key, as TVM's map prints them, without the braces and without
/// those that `is_left_out` (NULL: none) says yes to; `name` is handed to it.
void rlx_print_entries(RlxScriptPrinter *p, const RlxAst *dict, RlxLeftOut *is_left_out,
                       const char *name);

// ---- print_values.c
/// A float as Python writes it; `float("inf")` and its like where no literal is one.
void rlx_print_number(RlxBuf *out, double number);
/// `T.float32(1.0)`, `T.float32("inf")`.
void rlx_print_typed_number(RlxScriptPrinter *p, double number, RlxDType dtype);
/// Whether a symbolic expression is a number.
bool rlx_print_is_number(const RlxPrim *prim);
/// A symbolic expression; a number with its dtype where a plain one would have another.
void rlx_print_prim_literal(RlxScriptPrinter *p, const RlxPrim *prim);
/// What stands before and behind a scalar as an operand. From 0.26 on it is an expression of Relax as it stands.
void rlx_print_open_scalar(RlxScriptPrinter *p);
void rlx_print_close_scalar(RlxScriptPrinter *p);
/// An attribute's value.
void rlx_print_value(RlxScriptPrinter *p, const RlxValue *v);
/// A value at the place of an operand: wrapped into the expression it becomes.
void rlx_print_operand(RlxScriptPrinter *p, const RlxValue *v, RlxParamKind kind);
/// A constant with its data, `R.const(…)`.
void rlx_print_constant_value(RlxScriptPrinter *p, const RlxExpr *x);

// ---- print_expr.c
/// The StructInfo of the empty tuple.
bool rlx_print_is_unit(const RlxSInfo *sinfo);
/// An expression at a place where it is an operand.
void rlx_print_expr(RlxScriptPrinter *p, const RlxExpr *x);
/// As the right-hand side of an assignment: tuples without parentheses.
void rlx_print_right_side(RlxScriptPrinter *p, const RlxExpr *x);

#endif
