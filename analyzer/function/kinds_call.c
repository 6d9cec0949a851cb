/// Calls in a PrimFunc's script: what functions of T take and give. Most is in rows of a table (kinds_row.c), loops are in kinds_loops.c;
/// attributes and what else has a rule of its own are here.
#include "analyzer/eval/outer.h"
#include "analyzer/function/kinds_args.h"

#include <string.h>

#include "analyzer/words/script_names.h"

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

static void read_args(Kinds *k, const RlxAst *call, Args *out) {
  out->call = call;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED) {
      Kind list = rlx_kind_starred(k, arg);
      bool is_known = arg->kind == RLX_AST_STARRED && kind_is_list(list) &&
                      list.count != KIND_MANY && list.count + (uint32_t)out->count <= MAX_ARGS;
      for (uint32_t n = 0; is_known && n < list.count; n++) {
        out->at[out->count] = arg;
        out->kinds[out->count++] = list.items[n];
      }
      if (!is_known) out->is_open = true;
    } else if (arg->kind == RLX_AST_KEYWORD) {
      Kind kind = rlx_kind_eval(k, arg->children[0]);
      if (out->keyword_count == MAX_ARGS) {
        out->is_open = true;
        continue;
      }
      out->keywords[out->keyword_count] = arg;
      out->keyword_kinds[out->keyword_count++] = kind;
    } else {
      Kind kind = rlx_kind_eval(k, arg);
      if (out->count == MAX_ARGS) {
        out->is_open = true;
        continue;
      }
      out->at[out->count] = arg;
      out->kinds[out->count++] = kind;
    }
  }
}

// ---- attributes

/// An expression that is made where it is written: never the object that another place has.
static bool is_made(const KindAttribute *a) {
  return kind_is_expr(a->value) && !a->value.is_var && a->ast->kind != RLX_AST_NAME;
}

/// A value that says by itself whether it is another one's.
static bool is_plain(Kind v) {
  return v.tag == KIND_NONE || v.tag == KIND_DICT || v.tag == KIND_STR || kind_is_list(v) ||
         kind_is_expr(v) || kind_is_python_number(v);
}

/// Whether TVM cannot tell two values of a block's attribute to be one: numbers and strings by their value, the others by the
/// object, and each list is one of its own. Two dictionaries become one.
/// Source: TVM v0.25 and v0.27, script/ir_builder/tir/ir.cc (SBlockAttrs, MergeAnnotations).
static bool is_other_value(const KindAttribute *a, const KindAttribute *b) {
  const Kind x = a->value, y = b->value;
  if (!is_plain(x) || !is_plain(y)) return false;
  if (kind_is_list(x) || kind_is_list(y)) return true;
  if (x.tag != y.tag) return true;
  if (kind_is_expr(x))
    return is_made(a) || is_made(b) || (x.is_param && y.is_param && a->ast->name != b->ast->name);
  if (x.tag == KIND_STR) return x.text && y.text && strcmp(x.text, y.text) != 0;
  if (x.tag == KIND_FLOAT) return x.has_number && y.has_number && x.real != y.real;
  return (x.tag == KIND_INT || x.tag == KIND_BOOL) && x.has_number && y.has_number &&
         x.number != y.number;
}

/// Notes an attribute. A function has each once, a block may have it again with the same value. Those
/// behind the first `before` ones are of the same dictionary, of which the last counts.
static void note_attribute(Kinds *k, const RlxAst *key, KindAttribute new, uint32_t before) {
  for (uint32_t i = 0; i < k->attributes.count; i++) {
    KindAttribute *old = &k->attributes.at[i];
    if (old->block != new.block || strcmp(old->key, new.key) != 0) continue;
    if (i < before && (!new.block || is_other_value(old, &new)))
      rlx_kind_refuse_text(k, IN_BOTH, key->span,
                           rlx_arena_printf(k->arena,
                                            new.block
                                                ? "the block has another value of \"%s\" already"
                                                : "the PrimFunc has an attribute \"%s\" already",
                                            new.key));
    *old = new;
    return;
  }
  rlx_vec_push(&k->attributes, new);
}

static Kind attributes(Kinds *k, Args *a) {
  bool is_function = strcmp(a->path, "func_attr") == 0;
  if (!is_function && !k->in_block && !k->in_unknown)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.sblock_attr stands in a block");
  if (is_function && (k->frames > 0 || k->in_block))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.func_attr stands at the top of a PrimFunc");
  if (!a->count) return rlx_kind_of(KIND_NONE);
  Kind kind = a->kinds[0];
  const RlxAst *ast = a->at[0];
  if (kind.tag != KIND_DICT && kind.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "a dictionary");
  uint32_t before = k->attributes.count;
  for (uint32_t i = 0; ast->kind == RLX_AST_DICT && i + 1 < ast->child_count; i += 2) {
    const RlxAst *key = ast->children[i];
    if (key->kind == RLX_AST_HOLE || key->kind == RLX_AST_DOUBLE_STARRED) continue;
    Kind named = rlx_kind_eval(k, key);
    if (named.tag != KIND_UNKNOWN && named.tag != KIND_STR)
      rlx_kind_refuse_text(k, IN_BOTH, key->span, "a key of attributes is a string");
    if (key->kind != RLX_AST_STRING || (!is_function && !k->block)) continue;
    Kind value = rlx_kind_eval(k, ast->children[i + 1]);
    bool is_symbol = is_function && strcmp(key->text, "global_symbol") == 0;
    // In a module it is the verifier that asks.
    const int where = !k->fn->module       ? IN_BOTH
                      : k->is_lax          ? 0
                      : k->is_module_s_tir ? IN_BOTH
                                           : IN_027;
    const bool is_dtype = value.tag == KIND_STR && value.object == DTYPE_STRING;
    if (is_symbol && where && !k->fn->function.is_private && (value.tag != KIND_STR || is_dtype) &&
        value.tag != KIND_UNKNOWN)
      rlx_kind_refuse(k, where, ast->children[i + 1], value, "a string");
    note_attribute(k, key,
                   (KindAttribute){rlx_arena_strdup(k->arena, key->text),
                                   is_function ? 0 : k->block, value, ast->children[i + 1]},
                   before);
  }
  return rlx_kind_of(KIND_NONE);
}

// ---- by name

/// T.axis is a class without parameters.
static Kind axis_itself(Kinds *k, Args *a) {
  if (a->count + a->keyword_count)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.axis takes no arguments");
  return rlx_kind_of(KIND_OTHER);
}

/// `T.prim_func(…)`, which decorates.
static Kind decorator(Kinds *k, Args *a) {
  rlx_kind_by_row(k, a);
  Kind out = rlx_kind_of(KIND_FUNCTION);
  out.is_nothing = out.is_decorator = true;
  return out;
}

/// The variable of a thread axis.
static Kind env_thread(Kinds *k, Args *a) {
  rlx_kind_by_row(k, a);
  Kind out = rlx_kind_expr(RLX_INT32);
  out.is_var = true;
  out.thread = rlx_arena_one(k->arena, KindThread);
  return out;
}

/// T.cta_id, T.thread_id and the like.
static Kind scope_id(Kinds *k, Args *a) {
  Kind extents, dtype;
  const RlxAst *ast;
  const int at = strcmp(a->path, "cta_id_in_pair") == 0 ? 0 : strncmp(a->path, "cta_", 4) ? 1 : 2;
  const bool has_dtype = rlx_kind_argument(k, a, at, "dtype", &dtype, &ast);
  rlx_kind_by_row(k, a);
  if (a->is_open) return unknown();
  if (has_dtype) rlx_kind_check_type(k, ast, dtype);
  Kind preferred;
  if (rlx_kind_argument(k, a, at == 2 ? 1 : -1, "preferred", &preferred, &ast) &&
      preferred.tag != KIND_NONE && preferred.tag != KIND_UNKNOWN && !kind_is_list(preferred))
    rlx_kind_refuse(k, IN_BOTH, ast, preferred, "a list of extents");
  const bool has_extents = rlx_kind_argument(k, a, 0, "extents", &extents, &ast);
  if (has_extents && extents.tag != KIND_NONE && extents.tag != KIND_UNKNOWN &&
      !kind_is_list(extents))
    rlx_kind_refuse(k, IN_BOTH, ast, extents, "a list of extents");
  if (k->in_signature)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         "a scope of a kernel stands in the body of a PrimFunc");
  return rlx_kind_scope_id(k, a->call, a->path, has_extents ? &extents : NULL,
                           has_dtype ? rlx_dtype_unknown() : RLX_INT32);
}

/// T.local_scalar("int32"): a place for one value, as `x: T.int32` makes it.
static Kind local_scalar(Kinds *k, Args *a) {
  Kind dtype, out = rlx_kind_by_row(k, a);
  const RlxAst *ast;
  if (a->is_open || !rlx_kind_argument(k, a, 0, "dtype", &dtype, &ast) || dtype.tag != KIND_STR ||
      !dtype.text)
    return out;
  Kind *place = rlx_arena_one(k->arena, Kind);
  *place = rlx_kind_expr(rlx_dtype_unknown());
  rlx_dtype_parse(dtype.text, strlen(dtype.text), &place->dtype);
  place->is_load = place->is_cell = true;
  out = rlx_kind_of(KIND_OBJECT); // until it has a name
  out.object = SCALAR_OBJECT;
  out.items = place;
  out.count = 1;
  return out;
}

static Kind device_entry(Kinds *k, Args *a) {
  rlx_kind_device_entry(k);
  return rlx_kind_by_row(k, a);
}

/// T.Optional(…) annotates parameters of T.jit, which rlx does not read.
static Kind optional(Kinds *k, Args *a) {
  rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.Optional stands in a function of T.jit only");
  return unknown();
}

/// T.launch_thread of a name, or of the variable of a thread axis, which has one extent.
static Kind launch_thread(Kinds *k, Args *a) {
  Kind of = unknown(), extent;
  const RlxAst *ast, *at;
  const bool has_thread = rlx_kind_argument(k, a, 0, "thread", &of, &ast),
             was_open = of.thread && of.thread->is_open;
  if (of.thread) of.thread->is_open = true;
  Kind out = rlx_kind_by_row(k, a);
  if (!has_thread || !rlx_kind_argument(k, a, 1, "extent", &extent, &at)) return out;
  rlx_kind_used(k, at, extent);
  bool fits = of.tag == KIND_UNKNOWN || of.tag == KIND_STR || (kind_is_expr(of) && of.thread);
  if (!fits) rlx_kind_refuse(k, IN_BOTH, ast, of, "the name or the variable of a thread axis");
  if (extent.tag == KIND_FLOAT || kind_is_float_expr(extent) || rlx_kind_is_no_value(extent) ||
      kind_is_code(extent, RLX_DTYPE_HANDLE))
    rlx_kind_refuse(k, IN_BOTH, at, extent, "an integer");
  out.thread = of.thread ? of.thread : rlx_arena_one(k->arena, KindThread);
  out.is_opened = !was_open;
  out.thread->is_open = true;
  if (!extent.has_number) return out;
  if (out.thread->has_extent && out.thread->extent != extent.number)
    rlx_kind_refuse_text(k, IN_BOTH, at->span,
                         rlx_arena_printf(k->arena, "the thread axis has the extent %lld already",
                                          (long long)out.thread->extent));
  out.thread->has_extent = true;
  out.thread->extent = extent.number;
  return out;
}

static Kind struct_get(Kinds *k, Args *a) {
  Kind out = rlx_kind_by_row(k, a), dtype;
  const RlxAst *ast;
  if (kind_is_expr(out) && rlx_kind_argument(k, a, 3, "dtype", &dtype, &ast) &&
      dtype.tag == KIND_STR && dtype.text)
    out.is_void =
        rlx_dtype_parse(dtype.text, strlen(dtype.text), &out.dtype) && !rlx_dtype_known(out.dtype);
  return out;
}

/// T.buffer_store(buffer, value, indices)
/// T.arg(name, of): a parameter more, of a variable or a buffer that is none yet.
static Kind arg(Kinds *k, Args *a) {
  Kind of;
  const RlxAst *ast;
  Kind out = rlx_kind_by_row(k, a);
  if (a->is_open || !rlx_kind_argument(k, a, 1, "obj", &of, &ast) || of.tag == KIND_UNKNOWN)
    return out;
  const bool is_new = ((kind_is_expr(of) && of.is_var) || of.tag == KIND_BUFFER) && !of.is_param;
  if (!is_new) rlx_kind_refuse(k, IN_BOTH, ast, of, "a variable or a buffer that is no parameter");
  rlx_kind_give(k, of);
  return of;
}

/// T.Assert(condition, message)
static Kind asserted(Kinds *k, Args *a) {
  Kind condition;
  const RlxAst *ast;
  const bool is_given = rlx_kind_argument(k, a, 0, "condition", &condition, &ast);
  const bool fits = !is_given || condition.tag == KIND_UNKNOWN || condition.tag == KIND_BOOL ||
                    (kind_is_expr(condition) &&
                     (!rlx_dtype_known(condition.dtype) || rlx_dtype_is_bool(condition.dtype)));
  if (!fits) rlx_kind_refuse(k, IN_BOTH, ast, condition, "a condition");
  return rlx_kind_by_row(k, a);
}

/// T.void(): a variable; nothing is a value of it.
static Kind of_nothing(Kinds *k, Args *a) {
  Kind value;
  const RlxAst *ast;
  if (rlx_kind_argument(k, a, 0, "expr", &value, &ast) && value.tag != KIND_NONE)
    rlx_kind_refuse(k, IN_BOTH, ast, value, "nothing: no value is of void");
  Kind out = rlx_kind_of_void();
  out.is_var = true;
  out.given = rlx_arena_one(k->arena, KindValue);
  return out;
}

/// T.cast, T.reinterpret
static Kind converted(Kinds *k, Args *a) {
  rlx_kind_by_row(k, a);
  return rlx_kind_cast(k, a);
}

/// T.meta_var(x): the value itself, once it has a name.
static Kind meta_var(Kinds *k, Args *a) {
  return a->is_open || a->count != 1 ? unknown() : rlx_kind_wrapped(k, a->kinds[0]);
}

/// T.Range(…), which no expression takes.
static Kind of_attributes(Kinds *k, Args *a) {
  rlx_kind_by_row(k, a);
  return rlx_kind_of(KIND_OBJECT);
}

/// T.Range(begin, end): the domain of an axis.
static Kind range_of(Kinds *k, Args *a) {
  Kind out = of_attributes(k, a);
  out.object = RANGE_OBJECT;
  return out;
}

/// T.Let(value, where={x: …}): each x is a new variable. The ends of loops and slices are simplified before
/// TVM asks whether that is so.
static Kind let(Kinds *k, Args *a) {
  Kind where;
  bool has_value = false;
  const RlxAst *ast;
  const bool has_where = rlx_kind_argument(k, a, 1, "where", &where, &ast);
  if (has_where && where.tag == KIND_DICT && where.items && where.count != 1)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "T.Let gives one variable a value");
  for (uint32_t i = 0; has_where && ast->kind == RLX_AST_DICT && i < ast->child_count; i += 2) {
    if (ast->children[i]->kind != RLX_AST_NAME) continue;
    const Kind key = rlx_kind_eval(k, ast->children[i]);
    has_value |= kind_is_expr(key) && key.is_var && !key.given;
  }
  const Kind out = rlx_kind_by_row(k, a);
  if (!has_value) return out;
  Kind again = rlx_kind_expr(a->count && kind_is_expr(a->kinds[0]) ? a->kinds[0].dtype
                                                                   : rlx_dtype_unknown());
  again.is_let_again = true;
  return again;
}

/// T.address_of(A[0]): a pointer to elements of the buffer.
static Kind address_of(Kinds *k, Args *a) {
  Kind out = rlx_kind_by_row(k, a), of;
  const RlxAst *ast;
  if (a->is_open || !rlx_kind_argument(k, a, 0, "obj", &of, &ast)) return out;
  rlx_kind_use_memory(k, ast, of);
  if (kind_is_expr(out) &&
      (of.tag == KIND_BUFFER || (kind_is_expr(of) && of.is_load && !of.is_cell)))
    out.pointee = of.dtype;
  return out;
}

typedef Kind (*Rule)(Kinds *k, Args *a);

static const struct {
  const char *path;
  Rule rule;
} rules[] = {{"grid", rlx_kind_grid},
             {"serial", rlx_kind_one_loop},
             {"parallel", rlx_kind_one_loop},
             {"vectorized", rlx_kind_one_loop},
             {"unroll", rlx_kind_one_loop},
             {"thread_binding", rlx_kind_one_loop},
             {"axis.spatial", rlx_kind_axis},
             {"axis.reduce", rlx_kind_axis},
             {"axis.scan", rlx_kind_axis},
             {"axis.opaque", rlx_kind_axis},
             {"axis.S", rlx_kind_axis},
             {"axis.R", rlx_kind_axis},
             {"axis.remap", rlx_kind_remap},
             {"reads", rlx_kind_regions},
             {"writes", rlx_kind_regions},
             {"where", rlx_kind_where},
             {"func_attr", attributes},
             {"axis", axis_itself},
             {"address_of", address_of},
             {"bind", rlx_kind_bound},
             {"Bind", rlx_kind_bound},
             {"prim_func", decorator},
             {"tvm_struct_get", struct_get},
             {"env_thread", env_thread},
             {"launch_thread", launch_thread},
             {"cluster_id", scope_id},
             {"cta_id", scope_id},
             {"cta_id_in_cluster", scope_id},
             {"warpgroup_id", scope_id},
             {"warp_id", scope_id},
             {"warp_id_in_wg", scope_id},
             {"lane_id", scope_id},
             {"thread_id", scope_id},
             {"thread_id_in_wg", scope_id},
             {"device_entry", device_entry},
             {"local_scalar", local_scalar},
             {"Optional", optional},
             {"attr", rlx_kind_attr},
             {"Assert", asserted},
             {"buffer_store", rlx_kind_buffer_store},
             {"BufferLoad", rlx_kind_buffer_load},
             {"arg", arg},
             {"Let", let},
             {"void", of_nothing},
             {"cast", converted},
             {"reinterpret", converted},
             {"meta_var", meta_var},
             {"comm_reducer", rlx_kind_reducer},
             {"target", rlx_kind_target},
             {"index_map", rlx_kind_index_map},
             {"Range", range_of},
             {"sblock_attr", attributes},
             {"match_buffer", rlx_kind_match_buffer},
             {"sblock_alloc_buffer", rlx_kind_buffer},
             {"alloc_buffer", rlx_kind_buffer},
             {"Buffer", rlx_kind_buffer},
             {"decl_buffer", rlx_kind_buffer},
             {"buffer", rlx_kind_buffer},
             {"alloc_local", rlx_kind_buffer},
             {"alloc_shared", rlx_kind_buffer},
             {"smem", rlx_kind_buffer},
             {"tmem", rlx_kind_buffer},
             {"IntImm", rlx_kind_int_imm},
             {"Shuffle", rlx_kind_shuffle},
             {"infinity", rlx_kind_limit},
             {"min_value", rlx_kind_limit},
             {"max_value", rlx_kind_limit},
             {"Var", rlx_kind_named_variable},
             {"SizeVar", rlx_kind_named_variable},
             {"func_name", rlx_kind_func_name}};

/// Namespaces and other objects of T, which are not called.
static const char not_functions[] =
    "R S builder parser tile cluster constexpr cta cuda let metal nki nvshmem ptx "
    "ptx_legacy s_tir thread warp warpgroup webgpu wg";

/// Whether what T has under the path is no function.
static bool is_namespace(const char *path, RlxDialect dialect) {
  const RlxScriptName *row = rlx_script_name(path, dialect);
  return row && row->how == RLX_SCRIPT_OTHER && strcmp(path, "axis") != 0 &&
         rlx_script_name_has_members(path, dialect);
}

/// The dtype of the elements that `T.handle("float32")` or `T.Ptr[T.float32]` points at.
static RlxDType pointee_of(Kinds *k, const Args *a) {
  RlxDType dtype = rlx_dtype_unknown();
  Kind of;
  const RlxAst *ast;
  if (!rlx_kind_argument(k, a, 0, "dtype", &of, &ast)) return dtype;
  if (of.tag == KIND_FUNCTION) return of.dtype;
  if (of.tag == KIND_STR && of.text) rlx_dtype_parse(of.text, strlen(of.text), &dtype);
  return dtype;
}

static Kind of_script(Kinds *k, Args *a) {
  const int spaces = (is_namespace(a->path, RLX_DIALECT_025) ? IN_025 : 0) |
                     (is_namespace(a->path, RLX_DIALECT_027) ? IN_027 : 0);
  if (spaces)
    rlx_kind_refuse_text(k, spaces, a->call->children[0]->span,
                         rlx_arena_printf(k->arena, "`T.%s` is no function", a->path));
  if (rlx_text_is_among(a->path, not_functions))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->children[0]->span,
                         rlx_arena_printf(k->arena, "`T.%s` is no function", a->path));
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (strcmp(rules[i].path, a->path) == 0) return rules[i].rule(k, a);
  RlxDType dtype;
  if (strcmp(a->path, "Ptr") == 0 || strcmp(a->path, "handle") == 0) {
    rlx_kind_by_row(k, a);
    Kind out = rlx_kind_new_pointer(k);
    out.is_plain_handle = a->path[0] == 'h' && !a->count && !a->keyword_count && !a->is_open;
    if (a->is_open) out.given = NULL;
    if (!a->is_open) out.pointee = pointee_of(k, a);
    return out;
  }
  if (rlx_dtype_parse(a->path, strlen(a->path), &dtype) && rlx_dtype_known(dtype))
    return rlx_kind_of_dtype(k, a, dtype);
  if (strcmp(a->path, "boolean") == 0) return rlx_kind_of_dtype(k, a, RLX_BOOL);
  return rlx_kind_by_row(k, a);
}

Kind rlx_kind_range(Kinds *k, const RlxAst *call) {
  Args a = {.path = "range"};
  read_args(k, call, &a);
  if ((a.count < 1 || a.count > 3) && !a.is_open)
    rlx_kind_refuse_text(k, IN_BOTH, call->span, "`range` takes one to three arguments");
  for (uint32_t i = 1; i < call->child_count; i++)
    if (call->children[i]->kind == RLX_AST_STARRED)
      rlx_kind_refuse_text(k, IN_BOTH, call->children[i]->span,
                           "`range` of a loop takes its arguments one by one");
  return rlx_kind_one_loop(k, &a);
}

/// Axes and the condition of a block are outside of it, where its T.match_buffer gives no variable a value; in 0.25
/// its regions are, too.
static void settle_block(Kinds *k, const char *path, uint32_t uses) {
  const bool is_outside = strcmp(path, "where") == 0 || strncmp(path, "axis.", 5) == 0;
  if (!k->block || (!is_outside && !rlx_text_is_among(path, "reads writes"))) return;
  const uint32_t outer = k->blocks.at[k->block - 1].parent;
  for (uint32_t i = uses, count = k->uses.count; i < count; i++) {
    KindUse use = k->uses.at[i];
    use.block = outer;
    if (is_outside)
      k->uses.at[i] = use;
    else
      use.where = IN_025, rlx_vec_push(&k->uses, use);
  }
}

/// What T.Buffer describes is of no use in a body. A parameter's has a shape, which 0.25 wants to be of variables with values.
static void settle_described(Kinds *k, uint32_t uses) {
  if (!k->in_signature) k->uses.count = uses;
  for (uint32_t i = uses; i < k->uses.count; i++) k->uses.at[i].where = IN_025;
}

/// In 0.27 the shape of a parameter's buffer may be of variables that only it names; they have a value then.
static void settle_shape(Kinds *k, const Args *a, uint32_t uses) {
  Kind shape;
  const RlxAst *ast;
  if (k->in_block || !rlx_kind_argument(k, a, 1, "shape", &shape, &ast)) return;
  k->is_unsure |= shape.tag == KIND_UNKNOWN || (kind_is_list(shape) && shape.count == KIND_MANY);
  for (uint32_t i = 0; kind_is_list(shape) && shape.count != KIND_MANY && i < shape.count; i++)
    k->is_unsure |= shape.items[i].tag == KIND_UNKNOWN;
  for (uint32_t i = uses; i < k->uses.count; i++) {
    KindUse *use = &k->uses.at[i];
    if (use->stmt != k->stmt || use->span.start < ast->span.start || use->span.end > ast->span.end)
      continue;
    use->where = IN_025;
    use->given->is_in_shape = true;
  }
}

/// `range(3)` as a value: its numbers where they are few.
static Kind numbers_of_range(Kinds *k, const Args *a) {
  enum { MOST = 16 };
  Kind out = rlx_kind_of(KIND_OTHER);
  out.is_range = true;
  for (int i = 0; i < a->count; i++)
    if (rlx_kind_is_no_value(a->kinds[i]))
      rlx_kind_refuse(k, IN_BOTH, a->at[i], a->kinds[i], "an int");
  if (a->is_open || a->count != 1 || a->kinds[0].tag != KIND_INT || !a->kinds[0].has_number ||
      a->kinds[0].number < 0 || a->kinds[0].number > MOST)
    return out;
  out.count = (uint32_t)a->kinds[0].number;
  Kind *items = rlx_arena_array(k->arena, Kind, out.count + 1);
  for (uint32_t i = 0; i < out.count; i++) {
    items[i] = rlx_kind_of(KIND_INT);
    items[i].has_number = true;
    items[i].number = i;
  }
  out.items = items;
  return out;
}

static void check_registered(Kinds *k, const RlxAst *ast, const char *name) {
  const int where = (rlx_script_intrinsic(name, RLX_DIALECT_025) ? 0 : IN_025) |
                    (rlx_script_intrinsic(name, RLX_DIALECT_027) ? 0 : IN_027);
  if (where)
    rlx_kind_refuse_text(k, where, ast->span,
                         rlx_arena_printf(k->arena, "TVM has no operator `tirx.%s`", name));
}

/// T.call_intrin(dtype, op, …): the operators of TensorIR are called `tirx.…`.
static void check_intrinsic(Kinds *k, const Args *a) {
  Kind op;
  const RlxAst *ast;
  const bool is_llvm = rlx_text_is_among(a->path, "call_llvm_intrin call_llvm_pure_intrin");
  if (is_llvm && !a->is_open && !a->keyword_count && a->count > 1 && a->kinds[1].tag == KIND_STR &&
      a->kinds[1].text && strncmp(a->kinds[1].text, "llvm.", 5) != 0)
    rlx_kind_refuse_text(k, IN_BOTH, a->at[1]->span, "an intrinsic of LLVM is called `llvm.…`");
  if (strcmp(a->path, "call_intrin") != 0) return;
  if (rlx_kind_argument(k, a, 0, "dtype", &op, &ast) && op.tag == KIND_STR)
    rlx_kind_check_dtype(k, ast, op);
  if (!rlx_kind_argument(k, a, 1, "func_name", &op, &ast)) return;
  if (op.tag == KIND_STR && op.text && strncmp(op.text, "tirx.", 5) != 0)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "an operator of TensorIR is called `tirx.…`");
  else if (op.tag == KIND_STR && op.text)
    check_registered(k, ast, op.text + strlen("tirx."));
  const bool is_value = !rlx_kind_is_no_value(op) || op.tag == KIND_BUFFER; // which 0.27 calls
  if (op.tag != KIND_STR && op.tag != KIND_UNKNOWN && op.tag != KIND_NONE)
    rlx_kind_refuse(k, is_value ? IN_025 : IN_BOTH, ast, op, "the name of an operator, \"tirx.…\"");
}

/// What a function does is not known, or its statements are the PrimFunc's: it may match a buffer whose shape names its argument.
static void give_arguments(Kinds *k, const Args *a) {
  for (int i = 0; i < a->count + a->keyword_count; i++) {
    const Kind kind = i < a->count ? a->kinds[i] : a->keyword_kinds[i - a->count];
    if (kind_is_expr(kind)) rlx_kind_give(k, kind);
    if (kind.thread) kind.thread->is_open = true; // it may be T.launch_thread
    for (uint32_t n = 0; kind_is_list(kind) && kind.count != KIND_MANY && n < kind.count; n++)
      if (kind_is_expr(kind.items[n])) rlx_kind_give(k, kind.items[n]);
  }
}

Kind rlx_kind_call(Kinds *k, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  char path[RLX_AST_DOTTED_MAX];
  Args a = {.path = ""};
  if (callee->kind == RLX_AST_ATTRIBUTE && rlx_kind_path(k, callee, path)) {
    rlx_kind_eval(k, callee);                                     // reports what T does not have
    if (strcmp(path, "buffer_decl") == 0) strcpy(path, "buffer"); // its name until 0.23
    a.path = path;
    uint32_t uses = k->uses.count;
    read_args(k, call, &a);
    rlx_kind_check_count(k, &a);
    if (strcmp(path, "Buffer") == 0) settle_described(k, uses);
    if (strcmp(path, "match_buffer") == 0) settle_shape(k, &a, uses);
    if (strncmp(path, "ptx.", 4) == 0) rlx_kind_ptx(k, &a, path + 4);
    check_intrinsic(k, &a);
    settle_block(k, path, uses);
    return of_script(k, &a);
  }
  const bool is_text = callee->kind == RLX_AST_SUBSCRIPT && callee->child_count == 2 &&
                       callee->children[1]->kind == RLX_AST_STRING &&
                       rlx_kind_path(k, callee->children[0], path) && strcmp(path, "ptx") == 0;
  bool is_method = callee->kind == RLX_AST_ATTRIBUTE;
  Kind base = is_method ? rlx_kind_eval(k, callee->children[0]) : unknown();
  Kind f = rlx_kind_eval(k, callee);
  read_args(k, call, &a);
  if (is_text) rlx_kind_ptx(k, &a, callee->children[1]->text);
  Kind named;
  if (f.tag == KIND_UNKNOWN || callee->kind == RLX_AST_SUBSCRIPT) give_arguments(k, &a);
  if (rlx_kind_named_call(k, &a, &named)) return named;
  bool is_range = callee->kind == RLX_AST_NAME && f.tag == KIND_FUNCTION &&
                  strcmp(rlx_store_text(k->store, callee->name), "range") == 0;
  if (is_range) return numbers_of_range(k, &a);
  for (int i = 0; f.is_decorator && i < a.count; i++)
    if (a.kinds[i].tag != KIND_UNKNOWN && a.kinds[i].tag != KIND_FUNCTION)
      rlx_kind_refuse(k, IN_BOTH, a.at[i], a.kinds[i], "a function");
  if (is_method && base.tag != KIND_UNKNOWN && f.tag != KIND_FUNCTION && f.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, callee, f, "a function");
  if (is_method && base.tag != KIND_UNKNOWN) return rlx_kind_method(k, callee, base, &a);
  if (is_method && base.barrier) return rlx_kind_of_barrier(k, callee, base, &a);
  bool calls = f.tag == KIND_UNKNOWN || f.tag == KIND_FUNCTION;
  if (!calls) rlx_kind_refuse(k, IN_BOTH, callee, f, "a function");
  return f.tag == KIND_FUNCTION ? rlx_kind_builtin(k, callee, &a) : rlx_kind_barrier(k, callee);
}
