/// TensorIR: PrimFuncs as the JIT compiles them, from hand-written `@T.prim_func`s
/// (analyzer/script/script.c) and from operator legalization (jit/legalize). Plain trees in an arena,
/// mutable while a schedule rewrites them. Every expression has a dtype. Loops bind one variable
/// each; blocks keep iter vars, regions, init as in TVM.
#ifndef RLX_ANALYZER_TIR_TIR_H
#define RLX_ANALYZER_TIR_TIR_H

#include "analyzer/symbolic/dtype.h"
#include "analyzer/symbolic/prim.h"
#include "analyzer/syntax/span.h"
#include "analyzer/words/dialect.h"
#include "base/arena.h"
#include "base/vec.h"

typedef enum RlxTirReach { ///< what a variable may be, as far as was seen
  RLX_REACH_UNSEEN,
  RLX_REACH_RANGE,  ///< from `low` to `high`
  RLX_REACH_LENGTH, ///< the same if no length is larger than RLX_TIR_LENGTH (wraps.h)
  RLX_REACH_SIZE,   ///< as much as a size of memory may be
  RLX_REACH_ANY,    ///< any number of its type
} RlxTirReach;

typedef struct RlxTirVar { ///< identity is the pointer; the name is a hint
  RlxName name;
  RlxDType dtype;
  uint32_t id;             ///< dense within its PrimFunc, for tables of passes
  const RlxSymVar *symbol; ///< when it is a symbolic dimension shared with Relax, else NULL
  bool is_dimension;       ///< the length of a parameter's buffer, so not negative; rlx_tir_analyze
  bool is_length; ///< in the bounds of a loop or buffer; as what follows, by rlx_tir_note_reach
  uint8_t reach;  ///< RlxTirReach
  int64_t low, high;
} RlxTirVar;

typedef enum RlxTirExprKind {
  RLX_TIR_HOLE,   ///< broken or unsupported; `name` may say what
  RLX_TIR_INT,    ///< integer, dtype (bool too)
  RLX_TIR_FLOAT,  ///< number
  RLX_TIR_STRING, ///< text
  RLX_TIR_VAR,
  RLX_TIR_ADD,
  RLX_TIR_SUB,
  RLX_TIR_MUL,
  RLX_TIR_DIV, ///< float division; on integers C truncation (truncdiv)
  RLX_TIR_FLOORDIV,
  RLX_TIR_FLOORMOD,
  RLX_TIR_TRUNCDIV,
  RLX_TIR_TRUNCMOD,
  RLX_TIR_MIN,
  RLX_TIR_MAX,
  RLX_TIR_SHL,
  RLX_TIR_SHR,
  RLX_TIR_BITAND,
  RLX_TIR_BITOR,
  RLX_TIR_BITXOR,
  RLX_TIR_BITNOT,
  RLX_TIR_EQ,
  RLX_TIR_NE,
  RLX_TIR_LT,
  RLX_TIR_LE,
  RLX_TIR_GT,
  RLX_TIR_GE,
  RLX_TIR_AND,
  RLX_TIR_OR,
  RLX_TIR_NOT,
  RLX_TIR_SELECT,       ///< both sides may be evaluated: condition, then, else
  RLX_TIR_IF_THEN_ELSE, ///< only the chosen side is: guards out-of-bounds loads
  RLX_TIR_CAST,         ///< args[0] to dtype, C conversion; float→int truncates
  RLX_TIR_REINTERPRET,
  RLX_TIR_LOAD,      ///< buffer[args…]
  RLX_TIR_CALL,      ///< intrinsic or extern `name`(args…): "exp", "sqrt", "tir.call_extern", … see
                     ///< intrinsics.def
  RLX_TIR_LET,       ///< var = args[0] in args[1]
  RLX_TIR_RAMP,      ///< base, stride; lanes in dtype
  RLX_TIR_BROADCAST, ///< value; lanes in dtype
  RLX_TIR_RANGE, ///< region part: begin args[0], end args[1] (exclusive), step args[2] or absent
  RLX_TIR_ADDRESS_OF, ///< of a LOAD
} RlxTirExprKind;

/// The cases of a switch that are operators of two operands and nothing more: numbers to a number, and to a bool.
#define RLX_TIR_ARITHMETIC_CASES                                                                   \
  case RLX_TIR_ADD:                                                                                \
  case RLX_TIR_SUB:                                                                                \
  case RLX_TIR_MUL:                                                                                \
  case RLX_TIR_DIV:                                                                                \
  case RLX_TIR_FLOORDIV:                                                                           \
  case RLX_TIR_FLOORMOD:                                                                           \
  case RLX_TIR_TRUNCDIV:                                                                           \
  case RLX_TIR_TRUNCMOD:                                                                           \
  case RLX_TIR_MIN:                                                                                \
  case RLX_TIR_MAX:                                                                                \
  case RLX_TIR_SHL:                                                                                \
  case RLX_TIR_SHR:                                                                                \
  case RLX_TIR_BITAND:                                                                             \
  case RLX_TIR_BITOR:                                                                              \
  case RLX_TIR_BITXOR
#define RLX_TIR_COMPARE_CASES                                                                      \
  case RLX_TIR_EQ:                                                                                 \
  case RLX_TIR_NE:                                                                                 \
  case RLX_TIR_LT:                                                                                 \
  case RLX_TIR_LE:                                                                                 \
  case RLX_TIR_GT:                                                                                 \
  case RLX_TIR_GE

typedef struct RlxTirBuffer RlxTirBuffer;
typedef struct RlxTirExpr RlxTirExpr;
struct RlxTirExpr {
  uint8_t kind;
  bool
      is_checked; ///< LOAD, set by passes: its indices are checked at run time, among statements that are trusted, too
  RlxDType dtype;
  uint16_t arg_count;
  bool is_likely;  ///< written as T.likely(…), a hint to the compiler that changes no value
  bool says_dtype; ///< CALL: its dtype is written as `dtype="…"`
  RlxSpan span;    ///< relative to the statement of the script; {0, 0} when made by a pass
  RlxTirExpr **args;
  union {
    int64_t integer;
    double number;
    struct {
      const char *text;
      uint32_t text_size;
    };
    RlxTirVar *var; ///< VAR, LET
    struct {
      RlxTirBuffer *buffer; ///< LOAD
      RlxName
          reader; ///< LOAD: the operator whose argument this is, as the legalizer names it; or 0
      RlxName argument; ///< LOAD: the argument's name
    };
    RlxName name; ///< CALL, HOLE
  };
};

typedef struct RlxTirAnnotation RlxTirAnnotation;

struct RlxTirBuffer {
  RlxName name;
  RlxDType dtype;
  int32_t ndim;
  RlxTirExpr **shape;
  RlxTirExpr **strides;    ///< NULL: compact row-major
  RlxTirExpr *elem_offset; ///< or NULL
  RlxName scope;           ///< "global", "local", "shared"…; 0 = global
  int32_t align;           ///< bytes that its memory is aligned to; 0: not stated
  int32_t offset_factor;   ///< elem_offset is a multiple of it; 0: not stated. A factor without
                           ///< elem_offset stands for an offset that nobody names
  int32_t separator_count; ///< axis separators
  int64_t *separators;
  RlxTirVar *data; ///< its pointer variable (handle), or NULL
  /// match_buffer inside a block, decl_buffer(data=…) of another buffer, or NULL
  RlxTirBuffer *view_of;
  RlxTirExpr **view_origin; ///< indices of the region in view_of
  uint32_t id;
  bool owns_offset; ///< elem_offset is a variable that `.elem_offset` alone names
  bool is_cleared;  ///< set by passes only: fresh memory of it is zeros
  /// set by passes only: the parallel loop each of whose threads has memory of its own for it, or NULL
  const RlxTirVar *own_of;
  bool
      is_checked; ///< set by passes only: a view that may leave the buffer it is of; checked at run time, among statements that are trusted, too
  bool is_scalar; ///< written as a variable that changes: `x: T.int32`
  bool
      is_rolled; ///< set by rolling_buffer: used in a circle, in which each reader finds its element, of
                 ///< one value
  bool
      is_of_body; ///< written as T.alloc_buffer, which from 0.24 on is a statement of a block's body
  bool is_placed; ///< the same, where it is to be printed so: in a script that is of 0.25 or later
  int annotation_count; ///< of the statement that allocates it
  RlxTirAnnotation *annotations;
  RlxSpan span;
};

typedef enum RlxTirForKind {
  RLX_FOR_SERIAL,
  RLX_FOR_PARALLEL,
  RLX_FOR_VECTORIZED,
  RLX_FOR_UNROLLED,
  RLX_FOR_THREAD_BINDING
} RlxTirForKind;
typedef enum RlxTirIterType {
  RLX_ITER_DATA_PAR,
  RLX_ITER_REDUCE,
  RLX_ITER_ORDERED,
  RLX_ITER_OPAQUE
} RlxTirIterType;

typedef struct RlxTirIterVar {
  RlxTirVar *var;
  RlxTirExpr *extent;  ///< domain [min, min + extent)
  RlxTirExpr *min;     ///< NULL: 0
  RlxTirExpr *binding; ///< value in terms of the loops around
  uint8_t type;        ///< RlxTirIterType
} RlxTirIterVar;

typedef struct RlxTirRegion {
  RlxTirBuffer *buffer;
  RlxTirExpr **begin, **extent; ///< ndim each
} RlxTirRegion;

struct RlxTirAnnotation {
  RlxName key;
  RlxTirExpr *value; ///< NULL: not one expression
  const char *words; ///< literal data as TVM prints it, where value is NULL; NULL: not understood
};

typedef enum RlxTirStmtKind {
  RLX_TIR_SEQ,      ///< body[0..count)
  RLX_TIR_FOR,      ///< var in [min, min + extent): body[0]
  RLX_TIR_WHILE,    ///< cond: body[0]
  RLX_TIR_IF,       ///< cond: body[0] else body[1] (may be absent: count 1)
  RLX_TIR_BLOCK,    ///< block: body[0], init or NULL
  RLX_TIR_STORE,    ///< buffer[indices] = value
  RLX_TIR_LET_STMT, ///< var = value: body[0] (rest of the suite)
  RLX_TIR_ALLOC,    ///< allocates `buffer` around body[0]
  RLX_TIR_EVALUATE, ///< value
  RLX_TIR_ASSERT, ///< cond, message in value; with `buffer` (by passes): 0 <= min < extent, which is that
  ///< of the buffer's dimension `dim`; value: a LOAD that names whose argument it is, or NULL
  RLX_TIR_ATTR, ///< attribute `name` = value around body[0]; launch_thread: var
  RLX_TIR_BREAK,
  RLX_TIR_CONTINUE,
  RLX_TIR_RETURN, ///< value or NULL
  RLX_TIR_NOP,
} RlxTirStmtKind;

typedef struct RlxTirBlock {
  RlxName name;
  int iter_count;
  RlxTirIterVar *iters;
  RlxTirExpr *predicate;       ///< T.where; NULL: true
  int read_count, write_count; ///< -1: not declared
  RlxTirRegion *reads, *writes;
  RlxSpan reads_span, writes_span; ///< of the arguments of T.reads, T.writes in the script
  int alloc_count;
  RlxTirBuffer **allocs;
  int match_count;
  RlxTirBuffer **matches; ///< match_buffer inside the block: buffers with view_of
  int annotation_count;
  RlxTirAnnotation *annotations;
} RlxTirBlock;

typedef struct RlxTirStmt RlxTirStmt;
struct RlxTirStmt {
  uint8_t kind;
  uint8_t for_kind;
  bool is_launch;  ///< FOR: written as T.launch_thread
  bool is_scalar;  ///< LET_STMT: `x: T.int32 = …`, from 0.25 on a variable that may change
  bool is_memory;  ///< LET_STMT: what TVM allocates memory of one element for from 0.25 on: `x = …`
  bool is_trusted; ///< set by passes only: accesses below are proved in bounds, nothing is checked
                   ///< at run time
  bool is_checked; ///< STORE: as of a LOAD
  uint8_t dim;     ///< ASSERT of a bound: the dimension
  RlxSpan span; ///< of the script statement, absolute in the PrimFunc's text; {0, 0} when made by a
                ///< pass
  uint32_t count;
  RlxTirStmt **body;
  RlxTirVar *var;           ///< FOR, LET_STMT, ATTR
  RlxTirExpr *min, *extent; ///< FOR
  RlxTirExpr *cond;         ///< WHILE, IF, ASSERT
  RlxTirExpr *value;        ///< STORE, LET_STMT, EVALUATE, ATTR, RETURN
  RlxTirBuffer *buffer;     ///< STORE, ALLOC
  RlxTirExpr **indices;     ///< STORE
  RlxTirBlock *block;       ///< BLOCK
  RlxTirStmt *init;         ///< BLOCK: T.init
  RlxName name;         ///< ATTR, FOR thread binding ("threadIdx.x"); STORE, ASSERT of a bound: the
                        ///< operator whose result the buffer is, or 0
  int annotation_count; ///< FOR
  RlxTirAnnotation *annotations;
};

typedef struct RlxTirParam {
  RlxTirVar *var;       ///< scalar value, or the handle
  RlxTirBuffer *buffer; ///< buffer that is bound to it, or NULL for a scalar
} RlxTirParam;

typedef struct RlxPrimFunc {
  RlxName name;
  RlxArena *arena; ///< owns everything below
  int param_count;
  RlxTirParam *params;
  RlxTirStmt *body; ///< the root block's contents, or HOLE-free statement tree; NULL when nothing
                    ///< was recognised
  int root_alloc_count;
  RlxTirBuffer **root_allocs; ///< buffers allocated at the root
  int attr_count;
  RlxTirAnnotation *attrs;
  uint32_t var_count, buffer_count; ///< ids handed out
  RlxDType ret;                     ///< stated type of what it returns; unknown: none
  bool has_holes;                   ///< something was not understood: analysis only, never run
  const char *why;                  ///< what was not, the first time, in `arena`; NULL: not said
  bool is_private;
  bool lacks_s_tir; ///< 0.25 on: read without s_tir=True
  bool
      is_of_operators; ///< a T.init runs also where its reduction has no instance: a sum of nothing is 0
} RlxPrimFunc;

// ---- construction (build.c). All allocate in `f->arena`; constants fold.
RlxPrimFunc *rlx_primfunc_new(RlxName name); ///< owns a fresh arena; free with rlx_primfunc_free
void rlx_primfunc_free(RlxPrimFunc *f);      ///< NULL is fine
/// A fresh variable; two of the same name are two variables.
RlxTirVar *rlx_tir_var(RlxPrimFunc *f, RlxName name, RlxDType dtype);
/// A compact row-major buffer with a data pointer of its own; `shape` is copied. Nothing allocates
/// it yet.
RlxTirBuffer *rlx_tir_buffer(RlxPrimFunc *f, RlxName name, RlxDType dtype, RlxTirExpr *const *shape,
                             int ndim);
/// A constant of an integer or bool dtype.
RlxTirExpr *rlx_tir_int(RlxPrimFunc *f, int64_t value, RlxDType dtype);
/// A constant of a float dtype.
RlxTirExpr *rlx_tir_float(RlxPrimFunc *f, double value, RlxDType dtype);
/// A string, `text` copied.
RlxTirExpr *rlx_tir_string(RlxPrimFunc *f, const char *text);
RlxTirExpr *rlx_tir_var_expr(RlxPrimFunc *f, RlxTirVar *var);
/// Binary with TVM's promotion already done by the caller: both have the result's operand type;
/// comparisons give bool.
RlxTirExpr *rlx_tir_binary(RlxPrimFunc *f, RlxTirExprKind kind, RlxTirExpr *a, RlxTirExpr *b);
/// Both conditions; NULL is one that always holds, and so is the result.
RlxTirExpr *rlx_tir_and(RlxPrimFunc *f, RlxTirExpr *a, RlxTirExpr *b);
/// `0 < extent`: a loop of `extent` has an iteration.
RlxTirExpr *rlx_tir_is_positive(RlxPrimFunc *f, RlxTirExpr *extent);
/// `a` or `b`; both may be evaluated. The two have one dtype.
RlxTirExpr *rlx_tir_select(RlxPrimFunc *f, RlxTirExpr *cond, RlxTirExpr *a, RlxTirExpr *b);
/// `a` or `b`; only one is evaluated, so that the condition may guard a load.
RlxTirExpr *rlx_tir_if_then_else(RlxPrimFunc *f, RlxTirExpr *cond, RlxTirExpr *a, RlxTirExpr *b);
/// `a` as a value of `dtype`.
RlxTirExpr *rlx_tir_cast(RlxPrimFunc *f, RlxDType dtype, RlxTirExpr *a);
/// A call of T.`name`; `args` are copied.
RlxTirExpr *rlx_tir_call(RlxPrimFunc *f, RlxName name, RlxDType dtype, RlxTirExpr *const *args,
                         int count);
/// buffer[indices]; `indices`, as many as the buffer has dimensions, are copied.
RlxTirExpr *rlx_tir_load(RlxPrimFunc *f, RlxTirBuffer *buffer, RlxTirExpr *const *indices);
/// buffer[indices] = value, which has the buffer's dtype.
RlxTirStmt *rlx_tir_store(RlxPrimFunc *f, RlxTirBuffer *buffer, RlxTirExpr *const *indices,
                          RlxTirExpr *value);
/// for var in range(extent).
RlxTirStmt *rlx_tir_for(RlxPrimFunc *f, RlxTirVar *var, RlxTirExpr *extent, RlxTirForKind kind,
                        RlxTirStmt *body);
/// Statements one after another, copied; one alone is given as it is.
RlxTirStmt *rlx_tir_seq(RlxPrimFunc *f, RlxTirStmt *const *stmts, int count);
RlxTirExpr *rlx_tir_unary(RlxPrimFunc *f, RlxTirExprKind kind, RlxTirExpr *a); ///< NOT, BITNOT
/// `a`, marked as likely.
RlxTirExpr *rlx_tir_likely(RlxPrimFunc *f, const RlxTirExpr *a);
/// `body` with `var` bound to `value`, as an expression.
RlxTirExpr *rlx_tir_let(RlxPrimFunc *f, RlxTirVar *var, RlxTirExpr *value, RlxTirExpr *body);
/// A vector: base, base + stride, and so on.
RlxTirExpr *rlx_tir_ramp(RlxPrimFunc *f, RlxTirExpr *base, int64_t stride, int lanes);
/// A vector of `lanes` equal values.
RlxTirExpr *rlx_tir_broadcast(RlxPrimFunc *f, RlxTirExpr *value, int lanes);
/// A zeroed statement with room for `body_count` bodies, for the kinds that have no constructor
/// here.
RlxTirStmt *rlx_tir_stmt(RlxPrimFunc *f, RlxTirStmtKind kind, int body_count);
/// else: may be NULL
RlxTirStmt *rlx_tir_if(RlxPrimFunc *f, RlxTirExpr *cond, RlxTirStmt *then_body,
                       RlxTirStmt *else_body);
/// `body` with memory of its own for `buffer`.
RlxTirStmt *rlx_tir_alloc(RlxPrimFunc *f, RlxTirBuffer *buffer, RlxTirStmt *body);
/// `body` with `var` bound to `value`, as a statement.
RlxTirStmt *rlx_tir_let_stmt(RlxPrimFunc *f, RlxTirVar *var, RlxTirExpr *value, RlxTirStmt *body);
/// A block with these iter vars (copied) and no declared regions; `init` may be NULL.
RlxTirStmt *rlx_tir_block(RlxPrimFunc *f, RlxName name, const RlxTirIterVar *iters, int iter_count,
                          RlxTirStmt *init, RlxTirStmt *body);
/// Appends a parameter: a scalar `var` (buffer NULL), or a buffer with its handle (`var` NULL: a
/// fresh one).
RlxTirParam *rlx_primfunc_add_param(RlxPrimFunc *f, RlxTirVar *var, RlxTirBuffer *buffer);
/// Appends a buffer parameter with a fresh handle.
RlxTirParam *rlx_primfunc_add_buffer(RlxPrimFunc *f, RlxTirBuffer *buffer);
/// The buffer whose pointer `var` is, among parameters and root allocations; NULL: none.
RlxTirBuffer *rlx_primfunc_buffer_of(const RlxPrimFunc *f, const RlxTirVar *var);
/// A symbolic dimension as an expression over the variables that `lookup` gives for its symbols
/// (NULL from it: hole).
RlxTirExpr *rlx_tir_from_prim(RlxPrimFunc *f, const RlxPrim *p,
                              RlxTirVar *(*lookup)(const RlxSymVar *, void *), void *data);
/// An integer expression as a symbolic integer, when it is one (no loads, calls with side effects);
/// else NULL.
const RlxPrim *rlx_tir_to_prim(RlxStore *store, const RlxTirExpr *e, uint64_t scope);

// ---- complete.c
/// Gives the blocks of `f` that declare no reads or no writes those that their bodies have, as far
/// as they can be told.
void rlx_primfunc_complete(RlxStore *store, RlxPrimFunc *f);

// ---- print.c: TVMScript of a PrimFunc, as TVM prints it (0.25: T.sblock, s_tir=True; classic:
// T.block).
void rlx_primfunc_print(const RlxStore *store, const RlxPrimFunc *f, RlxDialect dialect, int indent,
                        RlxBuf *out);
typedef Vec(char *) RlxTirNames; ///< owned
/// As 0.27 prints it, all buffers in the signature: `type_vars` gets the names that are to be
/// declared as TypeVar before it (they may repeat). For other dialects as rlx_primfunc_print. False,
/// and nothing is printed: lines would stand deeper than Python reads. (A script may bind any number
/// of threads one below the other; TVM prints each within the last.)
bool rlx_primfunc_print_naming(const RlxStore *store, const RlxPrimFunc *f, RlxDialect dialect,
                               int indent, RlxTirNames *type_vars, RlxBuf *out);
/// Where a statement's own lines begin in a printed PrimFunc.
typedef struct RlxTirMark {
  size_t offset; ///< in the text
  const RlxTirStmt *stmt;
  bool is_init, is_else; ///< the line of its T.init, of its `else`
} RlxTirMark;
typedef Vec(RlxTirMark) RlxTirMarks;
/// As rlx_primfunc_print, with a mark for each statement in `marks`. Loops of different statements of
/// the script stay apart: they are no T.grid.
void rlx_primfunc_print_marked(const RlxStore *store, const RlxPrimFunc *f, RlxDialect dialect,
                               RlxTirMarks *marks, RlxBuf *out);
/// One expression, by the variables' own names.
void rlx_tir_expr_print(const RlxStore *store, const RlxTirExpr *e, RlxBuf *out);

#endif
