/// The arguments of a call in a PrimFunc's script, and the rules that several files of kinds_*.c share.
#ifndef RLX_ANALYZER_KINDS_ARGS_H
#define RLX_ANALYZER_KINDS_ARGS_H

#include "analyzer/function/kinds.h"
#include "analyzer/words/script_names.h"

enum { MAX_ARGS = 24 };

typedef struct Args {
  const RlxAst *call;
  const char *path;           ///< "axis.spatial"; "" where it is no function of T
  const RlxAst *at[MAX_ARGS]; ///< positional
  Kind kinds[MAX_ARGS];
  const RlxAst *keywords[MAX_ARGS];
  Kind keyword_kinds[MAX_ARGS];
  int count, keyword_count;
  bool is_open; ///< `*args` or `**kwargs`, or too many
} Args;

// ---- kinds_args.c
/// The argument at `position` (-1: none), or under a keyword; false: not given.
bool rlx_kind_argument(Kinds *k, const Args *a, int position, const char *name, Kind *out,
                       const RlxAst **ast);
/// The argument of the parameter of that name, wherever the function's row in script_names.def has it.
bool rlx_kind_parameter(Kinds *k, const Args *a, const char *name, Kind *out, const RlxAst **ast);
/// What an axis is bound to, and the condition of the block, are evaluated outside of the block, where
/// none of its own axes is known, nor what its body binds or assigns. The regions that it
/// reads, writes or matches see its axes.
void rlx_kind_check_outside(Kinds *k, const RlxAst *ast, bool sees_axes);
/// Reports when a list behind a star gives too many arguments or too few; those that are written out are counted elsewhere.
void rlx_kind_check_count(Kinds *k, const Args *a);
/// Reports what is no dtype as a string.
void rlx_kind_check_dtype(Kinds *k, const RlxAst *ast, Kind kind);
/// Reports a part of a block that does not stand in its own suite: TVM asks for the frame of the block.
void rlx_kind_check_top(Kinds *k, const Args *a);
/// Reports that the call of `T.word` stands below something else in its block; of one suite the first such call, as
/// a `with` line that is gone misplaces all that stood below it.
void rlx_kind_refuse_place(Kinds *k, const RlxAst *call, const char *word);

/// Whether the parameters of the row take so many arguments of these names; `*why`: what is wrong.
bool rlx_kind_is_bound(Kinds *k, const RlxScriptName *row, const Args *a, const char **why);

static inline bool kind_is_code(Kind a, RlxDTypeCode code) {
  return kind_is_expr(a) && a.dtype.code == code;
}
static inline bool kind_is_float_expr(Kind a) {
  return kind_is_expr(a) && rlx_dtype_is_float(a.dtype);
}

/// Reports a part of a block that stands outside of blocks.
void rlx_kind_check_in_block(Kinds *k, const Args *a);

// ---- kinds_block.c
/// T.axis.spatial(…) and its like: the axis.
Kind rlx_kind_axis(Kinds *k, Args *a);
/// T.axis.remap(kinds, bindings): the axes.
Kind rlx_kind_remap(Kinds *k, Args *a);
/// T.reads(…), T.writes(…)
Kind rlx_kind_regions(Kinds *k, Args *a);
/// T.where(predicate)
Kind rlx_kind_where(Kinds *k, Args *a);

/// T.attr(node, key, value), T.attr({key: value}): a scope.
Kind rlx_kind_attr(Kinds *k, Args *a);

// ---- kinds_values.c
/// T.Var("q", "int32"): a variable that something else has to give a value.
Kind rlx_kind_named_variable(Kinds *k, Args *a);
/// T.infinity(dtype), T.min_value(dtype), T.max_value(dtype)
Kind rlx_kind_limit(Kinds *k, Args *a);
/// T.Shuffle(vectors, indices): elements of vectors of one dtype.
Kind rlx_kind_shuffle(Kinds *k, Args *a);

// ---- kinds_barrier.c
/// `MBarrier(pool, 1)`, `TMABar(…)`: of the classes that come with TVM; else nothing that is known.
Kind rlx_kind_barrier(Kinds *k, const RlxAst *callee);
/// A method of a barrier. The view of another CTA's barrier can only be arrived at, and there alone.
Kind rlx_kind_of_barrier(Kinds *k, const RlxAst *callee, Kind base, const Args *a);

// ---- kinds_bind.c
/// T.bind(value, type, var=…): the variable.
Kind rlx_kind_bound(Kinds *k, Args *a);

// ---- kinds_cast.c
/// T.float32(…), T.int64(), T.handle(…).
Kind rlx_kind_of_dtype(Kinds *k, const Args *a, RlxDType dtype);
/// T.cast(value, dtype), T.reinterpret(dtype, value).
Kind rlx_kind_cast(Kinds *k, const Args *a);
/// base.astype(dtype)
Kind rlx_kind_astype(Kinds *k, const Args *a, Kind base);
/// T.IntImm(dtype, value): a constant.
Kind rlx_kind_int_imm(Kinds *k, Args *a);
/// Reports what T.Cast does not take.
void rlx_kind_check_cast(Kinds *k, const Args *a);

// ---- kinds_loops.c
/// T.grid(16, (2, 8)): loops in each other.
Kind rlx_kind_grid(Kinds *k, Args *a);
/// Reports what is no `dtype` of a loop or of an index of threads, which 0.27 makes a type of.
void rlx_kind_check_type(Kinds *k, const RlxAst *ast, Kind kind);
/// T.serial and its like, and `range`.
Kind rlx_kind_one_loop(Kinds *k, Args *a);

// ---- kinds_letters.c
/// Whether the letters of a parameter have one for the value.
bool rlx_kind_is_taken(const char *letters, size_t size, Kind kind);
/// "an integer": what the letters say, for a message.
const char *rlx_kind_expected(const char *letters, size_t size);

// ---- kinds_methods.c
/// What the method `callee` of `base` gives: A.vload(…), x.astype(…).
Kind rlx_kind_method(Kinds *k, const RlxAst *callee, Kind base, const Args *a);

// ---- kinds_python.c
/// What a function of Python gives; reports what it does not take.
Kind rlx_kind_builtin(Kinds *k, const RlxAst *callee, const Args *a);

// ---- kinds_objects.c
/// T.target(…), T.comm_reducer(…), which only attributes take.
Kind rlx_kind_target(Kinds *k, Args *a);
Kind rlx_kind_reducer(Kinds *k, Args *a);

// ---- kinds_lambda.c
/// T.index_map(mapping, inverse_index_map=…), whose lambda TVM calls.
Kind rlx_kind_index_map(Kinds *k, Args *a);

// ---- kinds_functions.c
/// T.func_name(name), which no function with a `def` takes.
Kind rlx_kind_func_name(Kinds *k, Args *a);
/// Reports a function in a PrimFunc that T.inline does not decorate.
void rlx_kind_check_def(Kinds *k, const RlxStmt *def);
/// A call by a name of a function that is written in Python's way; false: of something else. Reports what cannot be called.
bool rlx_kind_named_call(Kinds *k, const Args *a, Kind *out);
/// Whether a name is that of a function of the module around, which it does not see by that name, and reports it.
bool rlx_kind_tell_sibling(Kinds *k, const RlxAst *ast);

// ---- kinds_buffer.c
/// T.alloc_buffer, T.decl_buffer, T.Buffer and their like.
Kind rlx_kind_buffer(Kinds *k, Args *a);
/// T.match_buffer
Kind rlx_kind_match_buffer(Kinds *k, Args *a);
/// T.buffer_store(buffer, value, indices), T.BufferLoad(buffer, indices).
Kind rlx_kind_buffer_store(Kinds *k, Args *a);
Kind rlx_kind_buffer_load(Kinds *k, Args *a);

// ---- kinds_row.c
/// What a function of T gives by its row; reports arguments that it does not take.
Kind rlx_kind_by_row(Kinds *k, Args *a);
/// A call that gives nothing.
Kind rlx_kind_of_void(void);

// ---- kinds_ptx.c
/// Reports a call of T.ptx whose operands no form of the instruction takes; `words` stand behind `T.ptx`.
void rlx_kind_ptx(Kinds *k, const Args *a, const char *words);

#endif
