/// The Relax IR: what a script means, in TVM's terms and normal form: bindings whose right-hand
/// sides are calls of leaves, nested calls pulled out into fresh variables in evaluation order.
/// Made per statement by lower.c, with a hole wherever the script is broken. Every expression has
/// StructInfo once its statement is analysed. A statement's IR lives in that statement's analysis
/// arena; RlxVar objects live as long as their function's analysis and keep their address when the
/// statement that defines them is analysed again.
#ifndef RLX_ANALYZER_IR_H
#define RLX_ANALYZER_IR_H

#include "analyzer/struct_info/sinfo.h"
#include "analyzer/syntax/ast.h"

typedef struct RlxExpr RlxExpr;
typedef struct RlxVar RlxVar;
typedef struct RlxBody RlxBody;
typedef struct RlxFunction RlxFunction;
typedef struct RlxOpRow RlxOpRow;
typedef struct RlxValue RlxValue;

/// How much a statement or a variable is known: bits. 0: all that TVM knows.
enum {
  RLX_FAILED = 1, ///< something is wrong: what depends on it stays silent
  RLX_OPEN = 2, ///< nothing is wrong, and something in it is known to Python alone (eval/open.c): a
                ///< dimension that is a stand-in, a dtype. Only what no value could mend is told
};
typedef uint8_t RlxTaint;

struct RlxVar {
  RlxName name;
  uint32_t id;           ///< dense within its function
  const RlxSInfo *sinfo; ///< annotation policy applied; never NULL after analysis (Object when
                         ///< nothing is known)
  /// An integer tensor whose numbers are known: a Tuple of its StructInfo and of its elements as a
  /// Shape (ops/numbers.h); else NULL.
  const RlxSInfo *content;
  const RlxSymVar *symbol; ///< how StructInfos mention it (R.Tensor(s)), or NULL until needed
  const RlxStmt *stmt;     ///< statement that binds it; the def for parameters
  const RlxStmt *named_in; ///< statement in which its name stands: `stmt`, but for the result of
                           ///< an `if` the binding that ends its first branch
  RlxSpan span;            ///< of its name, relative to named_in
  uint32_t place;          ///< of its binding among those of `stmt`
  bool is_param;
  bool is_dataflow;    ///< bound in a dataflow block and not an output of it
  bool is_temporary;   ///< made by normalisation: no name in the script
  RlxTaint is_tainted; ///< its binding had an error, or is known in part
  bool in_dataflow;    ///< bound in a dataflow block, output or not
};

/// What Python evaluates an argument to, before it is an expression of Relax. LIST is any list or
/// tuple.
typedef enum RlxValueKind {
  RLX_VALUE_ABSENT, ///< not given and no default
  RLX_VALUE_NONE,
  RLX_VALUE_BOOL,
  RLX_VALUE_INT,
  RLX_VALUE_FLOAT,
  RLX_VALUE_STR,
  RLX_VALUE_PRIM,    ///< symbolic integer or typed literal (T.int64(3), n + 1)
  RLX_VALUE_LIST,    ///< items
  RLX_VALUE_DICT,    ///< items: key, value, …
  RLX_VALUE_EXPR,    ///< a Relax expression
  RLX_VALUE_SINFO,   ///< R.Tensor(…) as a value
  RLX_VALUE_CALLEE,  ///< a function: global, local, extern: an expression, too
  RLX_VALUE_UNKNOWN, ///< only Python can know it: analysis of what depends on it is unknown,
                     ///< silently
  RLX_VALUE_VDEVICE, ///< thing: RlxVDevice (I.vdevice(…), the module's by name)
  RLX_VALUE_NUMBERS, ///< numbers: the elements of an array, in order; of a constant alone
  RLX_VALUE_UINT64,  ///< an integer that uint64 holds and int64 does not; `integer` has its bits
  RLX_VALUE_OTHER,   ///< something an operator cannot take (lambda, module, …); `text` says what
} RlxValueKind;

/// The elements of an array that is not written out in the script, 8 bytes each.
typedef struct RlxNumbers {
  uint8_t kind; ///< RlxValueKind of each: BOOL (of `integers`), INT, FLOAT
  uint32_t count;
  union {
    int64_t *integers;
    double *floats;
  };
} RlxNumbers;

struct RlxValue {
  uint8_t kind;
  bool is_tuple; ///< LIST written as a tuple; EXPR: a shape written as a Python list or tuple
  bool is_range; ///< LIST: a range of Python, which no attribute takes
  bool
      is_bare; ///< SINFO written without parentheses: R.Tensor; ARRAY: one of TVM, not of numpy; PRIM: an
               ///< expression though it is a variable, as TVM keeps T.Cast
  bool is_default; ///< not given in the script: the row's default
  bool
      is_python; ///< EXPR made of a Python list or number of the script; DTYPE, PRIM: numpy's; SINFO: T.Tuple's
  RlxSpan span; ///< of the argument, relative to the statement
  uint32_t count;
  uint32_t
      nested; ///< LIST, DICT: members at all levels, as far as the script made them; 0: `count`
  union {
    bool boolean;
    int64_t integer;
    double number;
    RlxName string;
    const RlxPrim *prim;
    RlxValue *items;
    RlxExpr *expr; ///< EXPR, CALLEE
    const RlxSInfo *sinfo;
    const char *text;
    const RlxNumbers *numbers;
    const void *thing; ///< kinds of the evaluator's own (words/names.h)
  };
};

typedef enum RlxExprKind {
  RLX_EXPR_HOLE,
  RLX_EXPR_VAR,
  RLX_EXPR_GLOBAL, ///< function of the module: name; `callee` when it is a Relax function or
                   ///< PrimFunc of this file
  RLX_EXPR_EXTERN, ///< R.ExternFunc / a packed function by name
  RLX_EXPR_OP,     ///< an operator as a value
  RLX_EXPR_CONSTANT,
  RLX_EXPR_SHAPE,  ///< R.shape([…])
  RLX_EXPR_PRIM,   ///< R.prim_value(…)
  RLX_EXPR_STRING, ///< R.str(…)
  RLX_EXPR_DTYPE,  ///< R.dtype(…)
  RLX_EXPR_TUPLE,
  RLX_EXPR_TUPLE_GET,
  RLX_EXPR_CALL,
  RLX_EXPR_IF,
  RLX_EXPR_FUNCTION, ///< local function
} RlxExprKind;

/// A constant tensor of the script: R.const(1.5, "float32"), R.const([1, 2]), or
/// metadata["relax.expr.Constant"][0].
typedef struct RlxConst {
  /// scalar, nested LISTs of scalars, or NUMBERS; NULL: see `bytes`
  const RlxValue *value;
  const uint8_t *
      bytes; ///< the elements as they are in memory (metadata); NULL: the data is not in the script
} RlxConst;

/// Element `i` of an array as a value of its own.
static inline RlxValue rlx_numbers_at(const RlxNumbers *numbers, uint32_t i, RlxSpan span) {
  RlxValue v = {.kind = numbers->kind, .span = span};
  if (numbers->kind == RLX_VALUE_FLOAT)
    v.number = numbers->floats[i];
  else if (numbers->kind == RLX_VALUE_BOOL)
    v.boolean = numbers->integers[i] != 0;
  else
    v.integer = numbers->integers[i];
  return v;
}

typedef struct RlxCall {
  const RlxOpRow *row; ///< operator, or NULL for the call of a function value
  RlxExpr *callee;     ///< function value (GLOBAL, VAR, EXTERN) when row is NULL
  RlxValue *args; ///< row: one per parameter of the row, in its order; else the arguments, all EXPR
  uint32_t arg_count;
  RlxSpan span;      ///< of the call
  RlxSpan name_span; ///< of the operator's or function's name
  const RlxSInfo *const *sinfo_args;
  uint32_t sinfo_arg_count;
  bool is_027; ///< written in dialect 0.27, where some operators follow other rules
} RlxCall;

struct RlxExpr {
  uint8_t kind;
  RlxSpan span; ///< relative to its statement
  const RlxSInfo *sinfo;
  union {
    RlxVar *var;
    struct {
      RlxName name;          ///< GLOBAL, EXTERN, STRING
      RlxName module;        ///< GLOBAL: the module of `callee`; 0: it is outside of any
      const RlxStmt *callee; ///< GLOBAL: its def in this file, or NULL
    };
    const RlxOpRow *op;
    RlxConst constant; ///< dtype and shape are its StructInfo's
    struct {
      const RlxPrim *const *dims;
      int32_t dim_count;
    };
    const RlxPrim *prim;
    RlxDType dtype;
    struct {
      RlxExpr **fields;
      uint32_t field_count;
    };
    struct {
      RlxExpr *tuple;
      int64_t index;
    };
    RlxCall *call; ///< CALL
    struct {
      RlxExpr *condition;
      RlxBody *branches; ///< IF: two, where it is true and where it is not
    };
    RlxFunction *function;
  };
};

/// It may be an argument in normal form: no call, `if`, function or access of a tuple. A tuple may,
/// and so may a hole.
static inline bool rlx_expr_is_leaf(const RlxExpr *x) {
  return x->kind != RLX_EXPR_CALL && x->kind != RLX_EXPR_TUPLE_GET && x->kind != RLX_EXPR_IF &&
         x->kind != RLX_EXPR_FUNCTION;
}

typedef enum RlxBindingKind { RLX_BINDING_VAR, RLX_BINDING_MATCH_CAST } RlxBindingKind;

typedef struct RlxBinding {
  uint8_t kind;
  bool is_dataflow; ///< stands in a dataflow block
  RlxVar *var;
  RlxExpr *value;            ///< in normal form
  const RlxSInfo *deduced;   ///< of the right-hand side alone
  const RlxSInfo *annotated; ///< the annotation as written, or NULL
  const RlxSInfo *cast;      ///< MATCH_CAST: the pattern
  const RlxStmt *stmt;       ///< statement that made it
  RlxSpan span;              ///< of the part of the statement that made it, relative
} RlxBinding;

/// A sequence of binding blocks with a result (SeqExpr). Assembled on demand; arrays live in the
/// asker's arena.
typedef struct RlxBindingBlock {
  bool is_dataflow;
  RlxBinding **bindings;
  uint32_t count;
} RlxBindingBlock;
struct RlxBody {
  RlxBindingBlock *blocks;
  uint32_t block_count;
  RlxExpr *result; ///< a leaf
  const RlxStmt *result_stmt;
};

struct RlxFunction {
  RlxName name;
  const RlxStmt *stmt; ///< its def
  bool is_private, is_pure;
  RlxVar **params;
  uint32_t param_count;
  const RlxSInfo *ret; ///< annotation if there is one, else the body's erased to the parameters
  const RlxSInfo *ret_annotation; ///< or NULL
  const RlxSInfo *sinfo;          ///< Func
  RlxBody body;
  uint64_t scope; ///< of its symbolic variables
};

#endif
