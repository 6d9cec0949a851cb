/// Inside of the PrimFunc reader: the environment and what the files script*.c share.
#ifndef RLX_ANALYZER_SCRIPT_IMPL_H
#define RLX_ANALYZER_SCRIPT_IMPL_H

#include "analyzer/script/script.h"
#include "base/map.h"

enum {
  MAX_NDIM = 64,         // of a buffer that is read
  MAX_SUITE_DEPTH = 200, // of suites inside of suites
  /// Statements that enclose what follows them (T.launch_thread, T.attr, T.allocate, names of values), one inside of
  /// another: walks over a PrimFunc call themselves for each.
  RLX_TIR_ENCLOSED_MAX = 4096,
};

/// What an expression of the script stands for.
typedef enum RlxTvKind {
  RLX_TV_HOLE,   ///< not understood; already noted
  RLX_TV_NONE,   ///< Python None
  RLX_TV_EXPR,   ///< expr; weak: a Python literal that takes its neighbour's dtype
  RLX_TV_BUFFER, ///< buffer
  RLX_TV_REGION, ///< buffer with RANGE or point indices: A[0:4, i]
  RLX_TV_STRING, ///< text
  RLX_TV_TUPLE,  ///< items
  RLX_TV_PATH,   ///< a name of the T namespace: "axis.spatial"
  RLX_TV_DTYPE,  ///< a dtype constructor or dtype value
} RlxTvKind;

typedef struct RlxTv RlxTv;
struct RlxTv {
  uint8_t kind;
  bool weak;
  bool is_grid; ///< TUPLE: the loops of a T.grid that has one name
  uint32_t count;
  union {
    RlxTirExpr *expr; ///< EXPR; REGION: a LOAD whose indices may be RANGEs
    RlxTirBuffer *buffer;
    const char *text; ///< STRING, PATH
    RlxTv *items;
    RlxDType dtype;
  };
};

typedef struct RlxTirBound { ///< a name in scope
  RlxName name;
  RlxTv value;
  const RlxStmt *stmt; ///< that defines it, so that its scope may not define it again; NULL: may
  uint32_t previous;   ///< place + 1 of the one before with this name; 0: none
  uint32_t first;      ///< place + 1 of the first of this name in its scope, or of one in between
} RlxTirBound;

typedef struct RlxTirLoopUse { ///< of a loop outside of the block around
  const RlxTirExpr *expr;
  const RlxStmt *stmt;
  const RlxAst *ast;
  int loop_depth, depth; ///< blocks around the loop, and around the use
} RlxTirLoopUse;

/// How uses of loop names count that are read now: in the innermost block, in the one around it
/// (T.axis, T.where), or not at all (attributes, allocations).
typedef enum RlxTirUses { RLX_USES_HERE, RLX_USES_OUTSIDE, RLX_USES_NOWHERE } RlxTirUses;

typedef struct RlxTirReader {
  RlxStore *store;
  RlxPrimFunc *f;
  const RlxStmt *def;
  uint32_t
      origin; ///< offset that spans count from: the def that was asked for, not one that it calls
  struct RlxTirReader *caller; ///< of a PrimFunc whose call is replaced by its body; NULL: none
  int call_count;              ///< calls that were replaced, of the outermost reader
  const RlxTirOuter *outer;
  RlxTirIssues *issues;
  Vec(RlxTirBound) env;   ///< innermost last
  RlxMap newest;          ///< of each name in env its place + 1
  RlxTirBlock *block;     ///< innermost block being read, or NULL at the root
  RlxTirStmt *block_stmt; ///< its statement
  const RlxStmt *stmt;    ///< statement being read
  int depth;              ///< of recursion
  uint32_t enclosed;      ///< statements around whose body is the rest of their suite
  uint32_t frame;         ///< where the innermost scope begins in env
  int block_depth;        ///< blocks around
  int loop_depth;         ///< loops around, inside of the innermost block
  bool is_in_init;        ///< of the innermost block
  bool is_broken;         ///< a statement or expression has a syntax error
  uint8_t uses;           ///< RlxTirUses
  RlxMap loops;  ///< what the name of a loop stands for (RlxTirExpr) → blocks around the loop
  RlxMap ranges; ///< rlx_tir_loop_key of a loop → place + 1 in env of its range, while it lasts
  Vec(RlxTirLoopUse) loop_uses;
  Vec(RlxName) missing;        ///< names that are not defined, each reported once
  RlxListed is_missing;        ///< those
  const RlxStmt *missing_stmt; ///< the last one that has such a name
  Vec(RlxTirBuffer *) misused; ///< with too many indices, each reported once
  bool in_unknown;             ///< below a `with` that is not understood: it may be a block
  bool is_displaced;           ///< a part of a block stands outside of one: reported once
  RlxMap assigned; ///< names that the function assigns to, and those that change: script_assign.c
  bool knows_assigned;
  RlxTirStmt *initial; ///< what the statement that was read stores first; NULL: nothing
  RlxMap param_of;     ///< variable of a parameter (RlxTirVar) → its place in f->params
  const RlxAst *text;  ///< the string whose expression is read; NULL: none
  RlxMap text_vars;    ///< variables that strings of the signature made (RlxTirVar) → itself
  RlxMap declared;     ///< names that the body declares as integers → packed dtype
  RlxMap scalars;      ///< parameters that are scalars → packed dtype
  bool knows_declared, knows_scalars;
  RlxMap dimensions;  ///< variables that are dimensions of parameters → buffer of one
  RlxMap undeclared;  ///< T.Buffer(…) in the body (RlxTirBuffer), not used so far → 1
  const RlxAst *part; ///< the last access of a part of a buffer: with a slice, with few indices
  const RlxStmt *part_stmt; ///< where it stands
  RlxTv part_value;         ///< REGION
  int part_indices;         ///< how many indices are given
} RlxTirReader;

/// What tells loops apart: the variable that a loop's name stands for, or with a step the expression.
static inline uint64_t rlx_tir_loop_key(const RlxTirExpr *value) {
  return value->kind == RLX_TIR_VAR ? (uint64_t)(uintptr_t)value->var : (uint64_t)(uintptr_t)value;
}

// ---- script_value.c
/// An expression; `weak`: a literal that takes the dtype of what it meets.
RlxTv rlx_tv_expr(RlxTirExpr *expr, bool weak);
/// What is not understood: reported already, or unknown for good.
RlxTv rlx_tv_hole(void);
RlxTv rlx_tv_text(RlxTvKind kind, const char *text); ///< a STRING or a PATH
/// Notes that `ast` (or the statement, when NULL) was not understood.
RlxTv rlx_tir_issue(RlxTirReader *r, const RlxAst *ast, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Notes a mistake that TVM refuses, too: row `id` with arguments as rlx_reportf takes them.
RlxTv rlx_tir_mistake(RlxTirReader *r, const RlxAst *ast, RlxDiagId id, const char *kinds, ...);
/// The same as an expression; the function counts as one with holes.
RlxTirExpr *rlx_tir_hole_expr(RlxTirReader *r, const char *why);
/// `e` as an expression of `to`: constants take it, one value is put in all lanes, others are cast.
RlxTirExpr *rlx_tir_converted(RlxTirReader *r, RlxTirExpr *e, RlxDType to);
/// Both operands in their common type; two weak literals stay weak.
void rlx_tir_match_types(RlxTirReader *r, RlxTv *a, RlxTv *b);
/// The number of values in begin:end:step; -1 when it is not known, 0 when it certainly is no number
/// that a vector may have: the extent is symbolic, or not positive.
int64_t rlx_tir_range_lanes(RlxTirReader *r, const RlxTirExpr *range, int64_t *step);
/// A buffer without dimensions as its element, and a slice as the vector of its elements; anything
/// else as it is. `ast` may be NULL: the whole statement is named.
RlxTv rlx_tir_value(RlxTirReader *r, const RlxAst *ast, RlxTv v);
/// A value as an expression of `dtype`, of any where that is not known; a HOLE expression when it is none.
RlxTirExpr *rlx_tir_as(RlxTirReader *r, RlxTv v, RlxDType dtype);
/// Reports that the buffer or the part of one that `v` is stands where a value must.
RlxTv rlx_tir_part_mistake(RlxTirReader *r, const RlxAst *ast, RlxTv v);
/// Whether `v` is a buffer or a part of one, which is no operand of an operator: in 0.27 of none, in
/// 0.25 unless the other is an expression of TensorIR, which takes it for a vector.
bool rlx_tir_is_bare_part(const RlxTirReader *r, const RlxTv *v, const RlxTv *other);
/// An expression of the function that is read, at the place of the statement; `args` are copied.
RlxTirExpr *rlx_tir_node(RlxTirReader *r, RlxTirExprKind kind, RlxDType dtype,
                         RlxTirExpr *const *args, int count);
/// What operator `kind` gives of two values, in their common type.
RlxTv rlx_tir_arithmetic(RlxTirReader *r, const RlxAst *ast, RlxTirExprKind kind, RlxTv a, RlxTv b);
/// The same for an operator that Python applies, which does not take everything.
RlxTv rlx_tir_infix(RlxTirReader *r, const RlxAst *ast, RlxTirExprKind kind, RlxTv a, RlxTv b);
RlxTirExpr *rlx_tir_condition(RlxTirReader *r, RlxTirExpr *e); ///< as a bool: not 0
/// `not e`.
RlxTv rlx_tir_logical_not(RlxTirReader *r, RlxTirExpr *e);
/// Whether it is a number of Python, so that a condition is decided by it while the script is parsed: `if 1 < 2:`.
static inline bool rlx_tv_is_decided(RlxTv v) {
  return v.kind == RLX_TV_EXPR && v.weak && v.expr->kind == RLX_TIR_INT;
}

// ---- script_path.c
/// Whether `head` is what a namespace of TVM is called by custom.
bool rlx_tir_is_namespace(const char *head);
/// The namespace that a name stands for: by custom, or because the file imports it so; NULL: none.
const char *rlx_tir_namespace(RlxTirReader *r, RlxName name);
/// The path of a T-namespace callee or attribute ("axis.remap"), NULL when `ast` is none.
const char *rlx_tir_path(RlxTirReader *r, const RlxAst *ast);
/// The position of an argument that is given by keyword only.
enum { RLX_TIR_KEYWORD_ONLY = 99 };
/// Argument by position (after the callee) or keyword; NULL when absent.
const RlxAst *rlx_tir_arg(RlxTirReader *r, const RlxAst *call, uint32_t position,
                          const char *keyword);
/// What the innermost scope that has the name says of it; false: the function binds none.
bool rlx_tir_find(RlxTirReader *r, RlxName name, RlxTv *out);
/// The variable that `name` stands for; NULL: it is none, or stands for something else.
RlxTirVar *rlx_tir_find_var(RlxTirReader *r, RlxName name);
/// Place + 1 in env of the newest of this name; 0: none.
uint32_t rlx_tir_place(const RlxTirReader *r, RlxName name);
/// Ends scopes: names bound after there were `count` of them are gone.
void rlx_tir_leave(RlxTirReader *r, uint32_t count);
/// From here on, until its scope ends, the name stands for the value.
void rlx_tir_bind(RlxTirReader *r, RlxName name, RlxTv value);
/// The same for a name that its scope may define once: a block variable, a buffer, a parameter.
void rlx_tir_define(RlxTirReader *r, RlxName name, RlxTv value);
/// Whether the script may be one of 0.27, which evaluates only what a condition of Python leaves.
bool rlx_tir_may_be_027(const RlxTirReader *r);
/// Whether the script is one of 0.25 or of 0.27, whose parsers are known, and not of both; else false.
bool rlx_tir_is_025(const RlxTirReader *r);
bool rlx_tir_is_027(const RlxTirReader *r);
bool rlx_tir_is_known(const RlxTirReader *r); ///< of one of the two, or both

// ---- script_expr.c
/// The value of an expression of the script. Never fails: what is not understood is a HOLE.
RlxTv rlx_tir_eval(RlxTirReader *r, const RlxAst *ast);
/// Where TVM takes neither a buffer nor a part of one, but one value: a condition, the extent of a
/// loop, what a name stands for. Either is reported, and a HOLE then.
RlxTv rlx_tir_eval_scalar(RlxTirReader *r, const RlxAst *ast);
/// The same where a part may be a vector: what a name is bound to (`x: T.int8x4 = A[0:4]`, T.bind).
RlxTv rlx_tir_eval_bound(RlxTirReader *r, const RlxAst *ast, bool may_be_part);
RlxTirExpr *rlx_tir_eval_scalar_expr(RlxTirReader *r, const RlxAst *ast); ///< as an expression
/// As an expression of any dtype; a HOLE expression when it is none.
RlxTirExpr *rlx_tir_eval_expr(RlxTirReader *r, const RlxAst *ast);
/// As an expression of `dtype`: weak literals take it, others are cast.
RlxTirExpr *rlx_tir_eval_as(RlxTirReader *r, const RlxAst *ast, RlxDType dtype);
/// The dtype that an expression names; `otherwise`, and an issue, when it is none.
RlxDType rlx_tir_read_dtype(RlxTirReader *r, const RlxAst *ast, RlxDType otherwise);
/// T.if_then_else and, not `lazy`, T.Select.
RlxTv rlx_tir_eval_choice(RlxTirReader *r, const RlxAst *call, const RlxAst *c, const RlxAst *a,
                          const RlxAst *b, bool lazy);

// ---- script_subscript.c
/// `x.name`.
RlxTv rlx_tir_eval_attribute(RlxTirReader *r, const RlxAst *ast);
/// `x[i, j]`: an element or a part of a buffer, or an item of a tuple.
RlxTv rlx_tir_eval_subscript(RlxTirReader *r, const RlxAst *ast);
/// Notes the use of a loop that lies outside of a block around; `ast` names it, or the tuple it is of.
void rlx_tir_note_use(RlxTirReader *r, const RlxAst *ast, const RlxTirExpr *expr);
/// The part of a buffer that a value is: all of one, a slice, an element. `buffer` NULL: it is none.
RlxTirRegion rlx_tir_region(RlxTirReader *r, RlxTv v);

// ---- script_intrinsic.c
/// A call of a function of T, of a method or of a PrimFunc.
RlxTv rlx_tir_eval_call(RlxTirReader *r, const RlxAst *call);

// ---- script.c
void rlx_tir_read_params(RlxTirReader *r, const RlxStmt *def);
/// The body of the function that is read.
RlxTirStmt *rlx_tir_read_body(RlxTirReader *r);
/// Frees what the reader holds, but for the function.
void rlx_tir_reader_close(RlxTirReader *r);
/// A statement whose place is that of the statement that is read, without a body.
RlxTirStmt *rlx_tir_new_stmt(RlxTirReader *r, RlxTirStmtKind kind);
/// Gives `s` the statement `a`, and `b` unless that is NULL, as its body.
void rlx_tir_set_body(RlxTirReader *r, RlxTirStmt *s, RlxTirStmt *a, RlxTirStmt *b);
/// A suite in a scope of its own, which begins at `frame` of the names: the loop's, too.
RlxTirStmt *rlx_tir_read_from(RlxTirReader *r, const RlxBlock *suite, uint32_t frame);
RlxTirStmt *rlx_tir_read_scoped(RlxTirReader *r, const RlxBlock *suite); ///< which begins now

// ---- script_loops.c
RlxTirStmt *rlx_tir_read_for(RlxTirReader *r, const RlxStmt *stmt);
/// T.launch_thread, with `name` for the thread's index; the rest of the suite is its body.
RlxTirStmt *rlx_tir_read_launch(RlxTirReader *r, const RlxAst *call, RlxName name);

// ---- script_with.c
RlxTirStmt *rlx_tir_read_with(RlxTirReader *r, const RlxStmt *stmt);

// ---- script_assign.c
/// `target = value`: gives a statement that encloses the rest of the suite, or NULL.
RlxTirStmt *rlx_tir_read_binding(RlxTirReader *r, const RlxAst *target, const RlxAst *value,
                                 const RlxAst *annotation);
/// `x: T.int32`, `x: T.float32[8]`: memory of its own, a scalar or an array.
RlxTirStmt *rlx_tir_read_declared(RlxTirReader *r, const RlxAst *target, const RlxAst *annotation);
/// `name` for a value in what follows, under `var` when there is one.
RlxTirStmt *rlx_tir_read_let(RlxTirReader *r, RlxName name, RlxTirExpr *value, RlxTirVar *var);
/// T.attr({"key": value}), or T.attr(0, "key", value); of another node than 0 nothing is kept.
RlxTirStmt *rlx_tir_read_attr(RlxTirReader *r, const RlxAst *call);
/// The buffer that a call describes. The variables in its shape are not used by that.
RlxTirBuffer *rlx_tir_make_buffer(RlxTirReader *r, RlxName name, const RlxAst *value,
                                  bool is_described);
/// Of a buffer over memory that is there: of which buffer it is a view.
void rlx_tir_link_view(RlxTirReader *r, RlxTirBuffer *buffer);
/// Whether `path` makes memory with contents; what is only looked at keeps its words.
bool rlx_tir_is_constant(const RlxTirReader *r, const char *path);
RlxTirStmt *rlx_tir_bind_constant(RlxTirReader *r, const RlxAst *call, RlxName name);
/// Whether it is `A[i] = value`, or `x = value` where `x` is a scalar in memory.
bool rlx_tir_is_store(RlxTirReader *r, const RlxStmt *stmt);
/// `target = value` or, with `op`, `target op= value` of such; NULL: nothing is stored.
RlxTirStmt *rlx_tir_read_store(RlxTirReader *r, const RlxAst *target, const RlxAst *value,
                               RlxAstOp op);
/// `A.vstore([i], value)`; NULL when it is something else.
RlxTirStmt *rlx_tir_read_vstore(RlxTirReader *r, const RlxAst *call);

// ---- script_vector.c
/// The dtype of what the intrinsic `T.path` gives, where the call does not say it.
RlxDType rlx_tir_intrinsic_dtype(const char *path, RlxTirExpr *const *args, int count);
/// `lanes` elements of a buffer from the index in `begin` on.
RlxTv rlx_tir_vector_place(RlxTirReader *r, const RlxAst *call, RlxTirBuffer *buffer,
                           const RlxAst *begin, int lanes);
/// `A.vload([i], "float32x4")`: elements from there on.
RlxTv rlx_tir_vector_load(RlxTirReader *r, const RlxAst *call, RlxTirBuffer *buffer,
                          const RlxAst *begin);
/// T.Shuffle([vectors], [indices]): a call with the count of vectors, the vectors, the indices.
RlxTv rlx_tir_eval_shuffle(RlxTirReader *r, const RlxAst *call, const RlxAst *vectors,
                           const RlxAst *indices);
/// T.allocate_const(data, dtype, extents): memory that encloses what follows, and in `initial` what
/// is stored to it; NULL: it was not understood.
RlxTirStmt *rlx_tir_read_constant(RlxTirReader *r, const RlxAst *call, RlxName name);

// ---- script_call.c
/// Whether `call` is one of a PrimFunc of the module: Module.f(…).
bool rlx_tir_is_call(RlxTirReader *r, const RlxAst *call);
/// What such a call as a statement does: the body of the function that it calls, on its arguments.
RlxTirStmt *rlx_tir_read_call(RlxTirReader *r, const RlxAst *call);
/// What such a call gives, of a function that is one expression.
RlxTv rlx_tir_call_value(RlxTirReader *r, const RlxAst *call);

// ---- script_buffer.c
/// A buffer as Buffer(…), match_buffer(…), alloc_buffer(…) describe it: shape, dtype, strides,
/// scope from `call`, the first of them at argument `first`. Unknown names in the shape become new
/// int32/int64 variables when `declare`.
RlxTirBuffer *rlx_tir_read_buffer(RlxTirReader *r, const RlxAst *call, uint32_t first, RlxName name,
                                  bool declare);
/// A buffer as a value.
RlxTv rlx_tir_buffer_value(RlxTirBuffer *buffer);
/// The parameter of the function whose variable that is gets the buffer; nothing when it is none.
void rlx_tir_give_buffer(RlxTirReader *r, const RlxTirVar *var, RlxTirBuffer *buffer);
/// X = T.match_buffer(a, …): binds parameter `a`, or is a view inside a block.
void rlx_tir_read_match_buffer(RlxTirReader *r, const RlxAst *call, RlxName name);
/// Notes that the block that is read, or the function, allocates the buffer.
void rlx_tir_add_alloc(RlxTirReader *r, RlxTirBuffer *buffer);
/// A new variable of the function that the name stands for from here on.
RlxTv rlx_tir_new_symbol(RlxTirReader *r, RlxName name, RlxDType dtype);
/// Whether the function of T, called as a parameter's annotation, describes the parameter's buffer; NULL: it is none of T's.
bool rlx_tir_describes_parameter(const char *path);
/// A Buffer annotation in any spelling: T.Buffer((…), "float32"), T.Buffer[(…), "float32"].
RlxTirBuffer *rlx_tir_annotated_buffer(RlxTirReader *r, const RlxAst *a, RlxName name);
/// The dimensions that a shape says, at most MAX_NDIM.
RlxTirExpr **rlx_tir_dimensions(RlxTirReader *r, const RlxAst *ast, int *ndim);

// ---- script_block.c
/// T.reads(…), T.writes(…) of the block that is read.
void rlx_tir_read_regions(RlxTirReader *r, const RlxAst *call, bool is_read);
/// The entries of a dictionary of attributes.
RlxTirAnnotation *rlx_tir_read_annotations(RlxTirReader *r, const RlxAst *dict, int *count);
/// vi = T.axis.spatial(extent or (begin, end), binding)
void rlx_tir_read_axis(RlxTirReader *r, const RlxAst *call, const char *word, RlxName name);
/// vi, vj = T.axis.remap("SR", [i, j]): domains are those of the loops.
void rlx_tir_read_remap(RlxTirReader *r, const RlxAst *call, const RlxAst *targets);
/// The first argument of T.block is a list of domains: the spelling of 2021,
/// `with T.block([16, T.reduce_axis(0, 8)], "y") as [vi, vk]:`, with `T.bind(vi, i)` below.
bool rlx_tir_has_domains(const RlxAst *call);
/// Defines the block's variables, which have no binding yet.
void rlx_tir_read_domains(RlxTirReader *r, const RlxAst *call, const RlxAst *targets);
/// `T.bind(vi, i)`.
void rlx_tir_read_bind(RlxTirReader *r, const RlxAst *call);
/// At the end of the block: variables without T.bind are the innermost loops, in order, of those
/// that stand in the first `scope` names.
void rlx_tir_bind_domains(RlxTirReader *r, const RlxAst *call, uint32_t scope);
/// What a target that got no value stands for, so that nothing follows from the mistake.
void rlx_tir_bind_holes(RlxTirReader *r, const RlxAst *target);
/// Whether a block is open, and not its init; else `word` is reported as out of place.
bool rlx_tir_is_in_block(RlxTirReader *r, const RlxAst *call, const char *word);
/// Reports that the block has the part that `word` names already. Below a loop it is none of the block: kinds_args.c says so.
void rlx_tir_twice(RlxTirReader *r, const RlxAst *call, const char *word);
/// Lists, dictionaries and typed numbers as they are printed; false when there is something else.
bool rlx_tir_data_words(RlxTirReader *r, const RlxAst *ast, RlxBuf *out);

#endif
