/// The operator table: one row for each operator (ops/<family>.def). Name resolution, argument
/// binding, deduction, purity, legalization, hover, completion, `rlx explain` and the documentation
/// all read this row.
///
/// A row: RLX_OP(id, script, registry, purity, (params…), deduce, lower, "doc")
///   id        C identifier, unique: nn_conv2d
///   script    spelling(s) after `R.`, blank separated: "nn.conv2d"
///   registry  TVM's registry name: "relax.nn.conv2d"
///   purity    PURE, IMPURE, or BY_ARGUMENT (call_packed-like: the rule says)
///   params    one of these for each parameter:
///               RLX_ARG(name, KIND, "meaning")                  required
///               RLX_OPT(name, KIND, "default", "meaning")       the default as Python text
///               RLX_NULLABLE(name, KIND, "default", "meaning")  as RLX_OPT; None means the default
///               RLX_IMM(name, KIND, "default", "meaning")       as RLX_OPT; T.IntImm("int32", 8) is as good as 8,
///                                                               R.dtype("int8") as "int8", R.str("a") as "a"
///               RLX_IMM_ARG(name, KIND, "meaning")              as RLX_ARG, so
///               RLX_VARIADIC(name, KIND, "meaning")             all arguments that are left
///               RLX_KEYWORD(name, KIND, "default", "meaning")   keyword only
///               RLX_KEYWORD_IMM(name, KIND, "default", "meaning")  both
///               RLX_KEYWORD_ARG(name, KIND, "meaning")          keyword only and required
///               RLX_TUPLE_ARG(name, FORM, "meaning")            a required TUPLE, see RlxTupleForm
///               RLX_SCALAR_ARG(name, KIND, "meaning")           required; a number, too, from 0.26 on
///               RLX_OPT_025, RLX_OPT_027                        as RLX_OPT; of that dialect alone
///               RLX_LOOSE_ARG(name, KIND, "meaning")            required; any kind passes, as in TVM
///               RLX_ENUM(name, "default", "A|B|C", "meaning")   a string out of a set
///               RLX_NULLABLE_ENUM(name, "default", "A|B|C", "meaning")  or None
///   deduce    rule: rlx_deduce_<deduce> in ops/<family>.c; many rows may share one
///   lower     recipe: rlx_legalize_<lower> in jit/legalize; `none`: cannot be run
///   doc       Markdown, first line a summary, then the rule in words
#ifndef RLX_ANALYZER_OP_TABLE_H
#define RLX_ANALYZER_OP_TABLE_H

#include "analyzer/struct_info/ir.h"

typedef enum RlxParamKind {
  RLX_PARAM_TENSOR, ///< tensor expression
  RLX_PARAM_EXPR,   ///< any Relax expression
  RLX_PARAM_SHAPE,  ///< shape: expression of Shape kind, or a list/tuple of integers, wrapped
  RLX_PARAM_TUPLE,  ///< tuple of expressions: a tuple/list of them, or a tuple-valued variable
  RLX_PARAM_CALLEE, ///< function: PrimFunc, Relax function, extern, or a name as string
  RLX_PARAM_SINFO,  ///< StructInfo, or list of them
  RLX_PARAM_PRIM,   ///< integer, possibly symbolic: int, n + 1, R.prim_value(…)
  RLX_PARAM_INT,    ///< Python int attribute
  RLX_PARAM_FLOAT,  ///< Python number attribute
  RLX_PARAM_BOOL,
  RLX_PARAM_STR,
  RLX_PARAM_DTYPE, ///< dtype name
  RLX_PARAM_INTS,  ///< list of ints; a single int where the API takes one
  RLX_PARAM_ANY,   ///< other attribute (dict, index_map lambda, …): not interpreted
} RlxParamKind;

/// What a TUPLE parameter takes besides a tuple written in place.
typedef enum RlxTupleForm {
  RLX_TUPLE_ANY,      ///< a variable of tuple kind, too
  RLX_TUPLE_INLINE,   ///< nothing: a variable is an error whose fix writes its fields, (t[0], t[1])
  RLX_TUPLE_EXPANDED, ///< a variable, whose fields normal form writes: what runs the call takes
                      ///< tuples apart
} RlxTupleForm;

typedef struct RlxOpParam {
  const char *name;
  RlxParamKind kind;
  bool is_required, is_variadic, is_keyword_only;
  const char *default_text; ///< Python literal; NULL when required
  const char *allowed;      ///< "A|B" or NULL
  const char *meaning;
  RlxTupleForm tuple_form;
  bool is_nullable;          ///< takes None, too, though the default is another
  bool takes_imm;            ///< a constant of the IR is as good as Python's value
  bool until_025, since_027; ///< a dialect that has no such parameter: after 0.25, before 0.26
  bool takes_scalar;         ///< from 0.26 on a Python number is a scalar of its own dtype here
  bool is_loose;             ///< a value of any kind passes: TVM does not look
} RlxOpParam;

typedef enum RlxOpPurity { RLX_OP_PURE, RLX_OP_IMPURE, RLX_OP_BY_ARGUMENT } RlxOpPurity;

typedef struct RlxDeduce RlxDeduce;
typedef const RlxSInfo *(*RlxDeduceFn)(RlxDeduce *d, const RlxCall *call);

/// An operator's place in the table, from 1: good for one build of the program; 0: none.
///
/// A file names an operator as RLX_OP_ID(add), the id of its row. The number is filled in when the
/// program is linked, so that a new row compiles only the table again; a row that does not exist is
/// an "undefined reference" of the linker. Where a constant is needed (`case`, static tables), op_ids.h
/// has RLX_OPID_add.
typedef uint16_t RlxOpId;
#define RLX_OP_ID(id)                                                                              \
  (__extension__({                                                                                 \
    extern const RlxOpId rlx_op_id_##id;                                                           \
    rlx_op_id_##id;                                                                                \
  }))

struct RlxOpRow {
  RlxOpId id;
  const char *script;   ///< spellings after "R.", blank separated; the first is the canonical one
  const char *registry; ///< "relax.add"
  RlxOpPurity purity;
  const RlxOpParam *params;
  int param_count;
  RlxDeduceFn deduce;
  const char *lower; ///< name of the legalization recipe
  const char *doc;
};

const RlxOpRow *rlx_op_row(RlxOpId id); ///< NULL for NONE
/// By spelling after "R." ("nn.conv2d"); NULL when there is none. Binary search over a sorted
/// table.
const RlxOpRow *rlx_op_find(const char *script, size_t size);
/// The spelling for "did you mean", or NULL: the same name in another namespace, what another library's name stands for (other_words.def), else
/// the nearest one. `*is_tied` (may be NULL): another one, of another operator, is as near, or it is a guess.
const char *rlx_op_nearest(const char *script, size_t size, bool *is_tied);
/// All rows, in the table's order.
const RlxOpRow *rlx_op_rows(int *out_count);
/// "R.nn.relu": the operator as scripts spell it; of one that they can't name its registry's name. In `arena`, or static.
const char *rlx_op_spelling(RlxArena *arena, const RlxOpRow *row);
/// Index of the parameter `name`, or -1.
int rlx_op_param(const RlxOpRow *row, const char *name);
/// The row's parameter for what another library calls `name` (other_words.def); NULL when there is none.
const char *rlx_op_param_elsewhere(const RlxOpRow *row, const char *name);
/// The same of a name that it has in other dialects than the row's: out_ty, ty_args, type_args.
int rlx_op_later_param(const RlxOpRow *row, const char *name);
/// What the parameter of this name is called in the function's dialect, for messages.
const char *rlx_op_param_word(const char *name, bool is_027);

#endif
