/// Inside of what turns entries into Relax: what its files share.
#ifndef RLX_REPL_SUGAR_IMPL_H
#define RLX_REPL_SUGAR_IMPL_H

#include "analyzer/ops/op_table.h"
#include "analyzer/syntax/document.h"
#include "repl/numbers.h"
#include "repl/sugar.h"
#include "repl/tables.h"

enum { RLX_SUGAR_NDIM_MAX = 64 };

typedef struct RlxSugarAlias {
  char *name, *function;
} RlxSugarAlias;

struct RlxReplSugar {
  RlxFile *file;    ///< for questions about kinds
  RlxDocument *doc; ///< the expression
  RlxBuf asked, plain, source;
  Vec(RlxSugarAlias) aliases;
  RlxStrMap alias_places; ///< of them, by their names
  uint32_t pushed;        ///< variables of the session that are temps
  int lists,
      rounds; ///< lists made in loops that are being written, one inside of the other; of all their loops
  bool is_prepared;           ///< `plain` is what `source` stands for
  bool told_divide, told_mod; ///< what `/` and `%` of integers give was said
};

/// What an operand is.
typedef struct RlxSugarType {
  bool is_tensor, is_shape, is_prim;
  RlxDType dtype;
  int ndim;                         ///< -1: unknown
  bool has_dims;                    ///< all of them are known
  int64_t dims[RLX_SUGAR_NDIM_MAX]; ///< -1: unknown
} RlxSugarType;

/// A call of a function of the session that may be a number.
typedef struct RlxSugarCall {
  const RlxAst *node;
  bool is_number;
  RlxReplNumber number;
} RlxSugarCall;

/// Of one entry.
typedef struct RlxSugarWriter {
  RlxRepl *repl;
  RlxReplSugar *sugar;
  const char *text;    ///< of the entry
  const RlxBuf *scope; ///< statements before the expression in its block, or NULL
  int depth;
  const RlxAst *node;      ///< that is being written
  bool failed;             ///< a message was printed
  Vec(RlxSugarCall) calls; ///< of the user's functions, which were evaluated
} RlxSugarWriter;

/// The session's; made when first asked for.
RlxReplSugar *rlx_repl_sugar(RlxRepl *repl);
/// Forgets the values that an entry made.
void rlx_sugar_drop_temps(RlxRepl *repl);
/// Appends the Relax that the node stands for.
void rlx_sugar_put(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);
/// Appends the node as it is written, its children as Relax; the first two may be there already (else
/// NULL), so that nothing is written twice. True.
bool rlx_sugar_around(RlxSugarWriter *w, const RlxAst *ast, const RlxBuf *first,
                      const RlxBuf *second, RlxBuf *out);
/// What the node is, whose Relax is `text`.
RlxSugarType rlx_sugar_type(RlxSugarWriter *w, const RlxAst *ast, const char *text);
/// What the expression is whose Relax is `text`.
RlxSugarType rlx_sugar_type_of(RlxSugarWriter *w, const char *text);
/// Appends a number or list of numbers as a tensor of `dtype`; false: it is none, or it would be cut off.
bool rlx_sugar_constant(RlxSugarWriter *w, const RlxAst *ast, RlxDType dtype, RlxBuf *out);
/// The value of the session's variable or of what the entry made; borrowed, NULL: there is none.
RlxObject *rlx_sugar_variable(const RlxSugarWriter *w, const char *name);
/// Appends a name for `value`, whose reference it takes: `stem` with a number behind it. `typed`: the node that stands
/// for it in the entry, or NULL.
void rlx_sugar_put_temp(RlxSugarWriter *w, const char *stem, RlxObject *value, const RlxAst *typed,
                        RlxBuf *out);
/// Prints the error, if it is the entry's first; nothing of the entry is evaluated then.
void rlx_sugar_fail(RlxSugarWriter *w, const RlxError *err);
/// The same with a message.
void rlx_sugar_refuse(RlxSugarWriter *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Whether the session has a definition of that name.
bool rlx_sugar_is_defined(const RlxSugarWriter *w, const char *name);
/// The function that `name` is another name of; NULL: it is none.
const char *rlx_sugar_alias(const RlxSugarWriter *w, const char *name);
/// Functions of the session that the name reaches, analysed; the caller frees `out`.
void rlx_sugar_functions(RlxSugarWriter *w, const char *name, RlxFunctionViews *out);
/// Whether the node is a number that is known without an evaluation; a float.
bool rlx_sugar_is_number(const RlxSugarWriter *w, const RlxAst *a);
bool rlx_sugar_is_float(const RlxSugarWriter *w, const RlxAst *a);
/// The same of what is a number only once it is evaluated, whose Relax is `text`: what gives an R.Prim; false: it is
/// none.
bool rlx_sugar_number_of(RlxSugarWriter *w, const RlxAst *ast, const char *text,
                         RlxReplNumber *out);
/// RlxRepl.number_of_call of the entry that `data`, its writer, writes: each call is evaluated once (sugar_truth.c).
bool rlx_sugar_number_of_call(void *data, const RlxAst *call, RlxReplNumber *out);
/// Appends such a number.
void rlx_sugar_put_number(const RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);
/// Appends bytes [from, to) of the entry.
void rlx_sugar_copy(const RlxSugarWriter *w, uint32_t from, uint32_t to, RlxBuf *out);
/// Appends the node as it is typed, but numbers of the session as what they are: a constant knows no variables.
void rlx_sugar_copy_with_numbers(const RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);

/// Appends the statement, which begins the writer's text, with its expressions as Relax (sugar_block.c). False after a
/// message.
bool rlx_sugar_statement(RlxSugarWriter *w, const RlxStmt *stmt, RlxBuf *out);

// ---- arguments of the user's functions

/// The user's function that a call names, with its `declared` parameters; without them: it is none (sugar_call.c).
RlxFunctionView rlx_sugar_callee(RlxSugarWriter *w, const RlxAst *callee);
/// Appends an argument as its parameter wants it (sugar_call.c).
void rlx_sugar_argument(RlxSugarWriter *w, const RlxAst *arg, const RlxSInfo *want, RlxBuf *out);
/// Appends the call with the arguments in the order of the parameters (sugar_named.c).
void rlx_sugar_named(RlxSugarWriter *w, const RlxFunctionView *view, const RlxAst *call,
                     RlxBuf *out);
/// Appends what the call's function is called: with its module, where it is named without (sugar_call.c).
void rlx_sugar_put_callee(RlxSugarWriter *w, const RlxAst *callee, const RlxFunctionView *f,
                          RlxBuf *out);

/// Appends what the function `name` of the prompt, which makes a value, gives for the arguments of the call (sugar_call.c).
void rlx_sugar_data(RlxSugarWriter *w, const char *name, const RlxAst *call, RlxBuf *out);

// These append the Relax of the node, true, or append nothing: false, it is no such thing.

/// A call of a module of Python's, numpy, whose array is known from its text alone: a constant, as in a script (sugar_methods.c).
bool rlx_sugar_array(RlxSugarWriter *w, const RlxAst *call, RlxBuf *out);
/// A call of numpy's function `name`, which is several of Relax's; `self` is its first argument when that stands before the
/// dot, else NULL. True as well after a message (sugar_formula.c).
bool rlx_sugar_formula(RlxSugarWriter *w, const char *name, const RlxAst *self, const RlxAst *call,
                       RlxBuf *out);
/// Appends what the parameters of the row take where they do not take anything: "`v` a matrix, `k` a number".
void rlx_sugar_formula_kinds(const RlxReplFormulaRow *row, RlxBuf *out);
/// Appends how the formula is called, as `full`: "np.diff(a)" (sugar_formula.c).
void rlx_sugar_formula_signature(const RlxReplFormulaRow *row, const char *full, RlxBuf *out);
/// Appends how the formulas of that name are called, as `full`: "np.diff(a) or …" (sugar_formula.c).
void rlx_sugar_formula_signatures(const char *name, const char *full, RlxBuf *out);
/// Names of libraries whose functions are those of formulas.def and of Relax.
#define RLX_SUGAR_LIBRARIES "np numpy torch jnp"
/// Functions of theirs that make arrays of a shape, which Relax makes, too.
#define RLX_SUGAR_MAKERS "zeros ones empty full eye identity arange"
/// What the name of a source of random numbers is another name of.
#define RLX_SUGAR_RANDOM "np.random"
/// Whether the name is that of a library; of such a source. Not where the session has a variable or definition of that name.
bool rlx_sugar_is_library(const RlxSugarWriter *w, const char *name);
bool rlx_sugar_is_source(const RlxSugarWriter *w, const char *name);
/// Whether the call makes such a source, `np.random.default_rng(0)`: then the session's own begins anew with its seed
/// (sugar_random.c).
bool rlx_sugar_random_source(RlxRepl *repl, const RlxAst *call);
/// A call (sugar_call.c).
bool rlx_sugar_call(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);
/// The tensor `key` of the variable `base`, whose fields have names; true as well after a message: there is none of
/// that name. `typed` is what stands for it in the entry, or NULL (sugar_named.c).
bool rlx_sugar_field(RlxSugarWriter *w, const char *base, const char *key, const RlxAst *typed,
                     RlxBuf *out);
/// `random(f)` (sugar_named.c).
bool rlx_sugar_random(RlxSugarWriter *w, const RlxAst *call, RlxBuf *out);
/// `x.sum(axis=0)`; a call of what tensors do not have fails (sugar_methods.c).
bool rlx_sugar_method(RlxSugarWriter *w, const RlxAst *call, RlxBuf *out);
/// `x.shape` (sugar_methods.c).
bool rlx_sugar_attribute(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);
/// `sum(x)`: Python's function `name` on a tensor (sugar_methods.c).
bool rlx_sugar_builtin(RlxSugarWriter *w, const char *name, const RlxAst *call, RlxBuf *out);
/// `not`, `and`, `or`, `a if c else b`, `a < b < c`, `a in x` (sugar_truth.c).
bool rlx_sugar_truth(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);

/// Appends the call of the operator with `self`, Relax of that dtype, as its first operand and the arguments of
/// `call` behind it; NULL: these are all.
void rlx_sugar_method_call(RlxSugarWriter *w, const RlxOpRow *row, const char *self, RlxDType dtype,
                           const RlxAst *call, RlxBuf *out);
/// The value of the Relax `text`, a reference for the caller, as the rest of the entry depends on it; NULL after a
/// message: the entry failed (sugar_truth.c).
RlxObject *rlx_sugar_evaluate(RlxSugarWriter *w, const char *text);
/// Appends what the text, an expression of the prompt, stands for, in brackets where it is an infix expression (sugar_formula.c).
void rlx_sugar_put_text(RlxSugarWriter *w, const char *text, RlxBuf *out);
/// `[x[i] for i in range(3)]` as a tuple; false: nothing was written (sugar_list.c).
bool rlx_sugar_comprehension(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);
/// Puts a name for the value of the Relax `text` in its place, `stem` with a number behind it, and says what it is.
RlxSugarType rlx_sugar_evaluated(RlxSugarWriter *w, const char *stem, RlxBuf *text);
/// The dtype in which a tensor of `dtype` is computed with the number or list of numbers `x`: its own, or that of `x` where
/// it can't hold what `x` has: a float beside integers is float32, an integer beside bools int64.
RlxDType rlx_sugar_beside(const RlxSugarWriter *w, RlxDType dtype, const RlxAst *x);
/// Puts the Relax `text` in brackets of a cast.
void rlx_sugar_cast(RlxBuf *text, RlxDType dtype);
/// The operator that stands for Python's between operands of which `t` is one; NULL: there is none.
const char *rlx_sugar_operator(uint8_t op, const RlxSugarType *t);
/// Appends a shape as a tuple of Python: `(2, 3)`, `(4,)`.
void rlx_sugar_put_shape(const int64_t *dims, int ndim, RlxBuf *out);
/// Elements of a tensor whose extents are all known; else -1.
int64_t rlx_sugar_count(const RlxSugarType *t);
/// Appends what x becomes by `x[i] = v` (sugar_assign.c).
void rlx_sugar_assignment(RlxSugarWriter *w, const RlxStmt *statement, RlxBuf *out);

/// `x[…]` by the rules of numpy, `w["name"]`, `s[0]` of a shape (sugar_index.c). True.
bool rlx_sugar_subscript(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out);
/// The same of what has the Relax `base` and the type `t`, whatever stands before the brackets of `ast`. False:
/// nothing was written, as an extent is not known that is needed.
bool rlx_sugar_subscript_of(RlxSugarWriter *w, const RlxAst *ast, const RlxSugarType *t,
                            const char *base, RlxBuf *out);

#endif
