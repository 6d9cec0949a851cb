/// What a PrimFunc is to Relax: the StructInfo of its parameters, from buffer annotations and
/// match_buffer. Always true: nothing is reported here; a parameter that is not understood makes
/// the signature unknown.
#include "analyzer/eval/signature.h"
#include <stdlib.h>
#include <string.h>

#include "analyzer/words/script_effects.h"
#include "analyzer/words/script_names.h"
#include "base/text.h"

static RlxWord head_word(RlxEval *e, const RlxAst *ast) {
  if (ast->kind != RLX_AST_CALL && ast->kind != RLX_AST_SUBSCRIPT && ast->kind != RLX_AST_ATTRIBUTE)
    return RLX_WORD_NONE;
  RlxValue v = rlx_eval(e, ast->kind == RLX_AST_ATTRIBUTE ? ast : ast->children[0]);
  return v.kind == RLX_VALUE_WORD ? (RlxWord)v.integer : RLX_WORD_NONE;
}

/// Whether a parameter's annotation is a call, or a subscript, of what describes a buffer.
static bool describes_buffer(RlxEval *e, const RlxAst *ast) {
  if (head_word(e, ast) == RLX_WORD_BUFFER) return true;
  if (ast->kind != RLX_AST_CALL) return false;
  const RlxValue v = rlx_eval(e, ast->children[0]);
  return v.kind == RLX_VALUE_TFUNC &&
         rlx_text_is_among(rlx_store_text(e->store, v.string), "buffer buffer_decl");
}

/// A dimension with its casts to narrower integers left out: it is a length, and every length fits.
static const RlxPrim *length_of(RlxStore *store, const RlxPrim *p, int depth) {
  enum { DEEP = 64, MOST = 2 };
  if (depth > DEEP || !p->vars || !p->arg_count || p->arg_count > MOST) return p;
  const RlxPrim *args[MOST];
  for (int i = 0; i < p->arg_count; i++) args[i] = length_of(store, p->args[i], depth + 1);
  if (p->kind == RLX_PRIM_CAST)
    return rlx_dtype_is_int(p->dtype) && rlx_dtype_is_int(args[0]->dtype) &&
                   p->dtype.bits <= args[0]->dtype.bits
               ? args[0]
               : rlx_prim_cast(store, p->dtype, args[0]);
  if (!rlx_dtype_is_int(p->dtype)) return p;
  return p->arg_count == 1 ? rlx_prim_unary(store, (RlxPrimKind)p->kind, args[0])
                           : rlx_prim_binary(store, (RlxPrimKind)p->kind, args[0], args[1]);
}

/// Whether Python alone knows the value, which then says nothing of the parameter; noted in the function.
static bool is_open(RlxEval *e, const RlxValue *v) {
  if (v->kind != RLX_VALUE_UNKNOWN || (e->tainted & RLX_FAILED)) return false;
  return e->fn->ret_is_open = true;
}

/// Tensor StructInfo of T.Buffer(shape, dtype) or T.match_buffer(handle, shape, dtype); NULL when
/// it is not understood.
static const RlxSInfo *buffer(RlxEval *e, const RlxAst *call, uint32_t first) {
  const RlxAst *shape_ast = NULL, *dtype_ast = NULL;
  uint32_t position = 0;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD) {
      const char *name = rlx_store_text(e->store, arg->name);
      if (strcmp(name, "shape") == 0) shape_ast = arg->children[0];
      if (strcmp(name, "dtype") == 0) dtype_ast = arg->children[0];
      continue;
    }
    if (position == first) shape_ast = arg;
    if (position == first + 1) dtype_ast = arg;
    position++;
  }
  if (call->kind == RLX_AST_SUBSCRIPT && call->child_count == 2 &&
      call->children[1]->kind == RLX_AST_TUPLE && call->children[1]->child_count) {
    shape_ast = call->children[1]->children[0];
    dtype_ast = call->children[1]->child_count > 1 ? call->children[1]->children[1] : NULL;
  }
  if (!shape_ast) return NULL;
  RlxValue shape = rlx_eval(e, shape_ast),
           dtype_value = dtype_ast ? rlx_eval(e, dtype_ast) : rlx_value_none();
  RlxDType dtype = RLX_FLOAT32;
  if (dtype_value.kind == RLX_VALUE_STR && dtype_value.string) {
    const char *text = rlx_store_text(e->store, dtype_value.string);
    if (!rlx_dtype_parse(text, strlen(text), &dtype)) return NULL;
  } else if (dtype_value.kind == RLX_VALUE_DTYPE)
    dtype = rlx_unpack_dtype(dtype_value.integer);
  else if (is_open(e, &dtype_value))
    dtype = rlx_dtype_unknown();
  else if (dtype_value.kind != RLX_VALUE_NONE)
    return NULL;
  if (is_open(e, &shape)) return rlx_sinfo_tensor_ndim(e->store, -1, dtype, NULL);
  RlxValue one = shape;
  if (shape.kind == RLX_VALUE_INT || shape.kind == RLX_VALUE_PRIM) {
    shape = (RlxValue){.kind = RLX_VALUE_LIST, .count = 1};
    shape.items = &one;
  }
  if (shape.kind != RLX_VALUE_LIST) return NULL;
  const RlxPrim **dims = rlx_arena_array(e->arena, const RlxPrim *, shape.count ? shape.count : 1);
  bool is_known =
      true; // TVM takes a float for a dimension: 4.0 is a 4, others are compared with none
  for (uint32_t i = 0; i < shape.count; i++) {
    const bool is_dim_open = is_open(e, &shape.items[i]);
    const RlxPrim *open = is_dim_open ? rlx_open_dimension(e, &shape, i) : NULL;
    const RlxValue *item = &shape.items[i];
    const bool is_whole = item->kind == RLX_VALUE_FLOAT && item->number >= 0 &&
                          item->number < 1e15 && item->number == (double)(int64_t)item->number;
    dims[i] = open          ? open
              : is_dim_open ? rlx_prim_int(e->store, 0)
              : is_whole    ? rlx_prim_int(e->store, (int64_t)item->number)
                            : rlx_value_prim(e, &shape.items[i]);
    if (!dims[i]) return NULL;
    is_known &= !is_dim_open || open;
    dims[i] = length_of(e->store, dims[i], 0);
    is_known &= !rlx_dtype_is_float(dims[i]->dtype);
  }
  return rlx_sinfo_tensor(e->store, is_known ? dims : NULL, (int)shape.count, dtype, NULL);
}

/// Parameters by name: the last one of each name plus 1, and of each the one before it of its name.
typedef struct Named {
  RlxMap last;
  uint32_t *before; ///< plus 1; 0: there is none
} Named;

static Named named(RlxArena *arena, RlxParams params) {
  Named out = {.before = rlx_arena_array(arena, uint32_t, params.count + 1)};
  for (uint32_t i = 0; i < params.count; i++) {
    uint64_t last = 0;
    rlx_map_get(&out.last, params.at[i].name, &last);
    out.before[i] = (uint32_t)last;
    rlx_map_put(&out.last, params.at[i].name, i + 1);
  }
  return out;
}

/// The name that T.match_buffer matches, by place or as `param=`; NULL: another expression.
static const RlxAst *matched_name(const RlxEval *e, const RlxAst *call) {
  const RlxAst *of = call->child_count > 1 ? call->children[1] : NULL;
  for (uint32_t i = 1; i < call->child_count && of->kind == RLX_AST_KEYWORD; i++)
    if (call->children[i]->kind == RLX_AST_KEYWORD &&
        strcmp(rlx_store_text(e->store, call->children[i]->name), "param") == 0)
      of = call->children[i]->children[0];
  return of && of->kind == RLX_AST_NAME ? of : NULL;
}

/// What `T.match_buffer(name, …)` makes of the parameters of that name.
static void match_buffer(RlxEval *e, const RlxAst *call, const RlxAst *of, const Named *params,
                         const RlxSInfo **out) {
  uint64_t place = 0;
  rlx_map_get(&params->last, of->name, &place);
  for (uint32_t k = (uint32_t)place; k; k = params->before[k - 1])
    if (!out[k - 1] || out[k - 1]->kind == RLX_SINFO_PRIM) // a scalar's handle is a buffer as well
      out[k - 1] = buffer(e, call, call->children[1]->kind != RLX_AST_KEYWORD);
}

/// Which names a body may match with buffers.
typedef struct Matched {
  bool is_made; ///< it was asked for
  bool any;     ///< all of them may be
  RlxMap names;
} Matched;

/// Notes the names that the expression hands to a function whose name ends as T.match_buffer's, or to one that is not
/// known: what matches them need not be a statement of its own.
static void note_matched_in(const RlxEval *e, const RlxAst *ast, int depth, Matched *out) {
  if (!ast) return;
  out->any |= depth > 64;
  if (out->any) return;
  const RlxAst *head = ast->kind == RLX_AST_CALL ? ast->children[0] : NULL;
  const bool is_other = head && head->kind == RLX_AST_ATTRIBUTE &&
                        strcmp(rlx_store_text(e->store, head->name), "match_buffer") != 0;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *arg = ast->children[i];
    if (arg->kind == RLX_AST_KEYWORD) arg = arg->children[0];
    const bool is_handed = head && !is_other && i;
    if (is_handed && arg->kind != RLX_AST_NAME) out->any = true;
    if (is_handed && arg->kind == RLX_AST_NAME) rlx_map_put(&out->names, arg->name, 1);
    note_matched_in(e, arg, depth + 1, out);
  }
}

/// The same of the statements of the body.
static void note_matched(const RlxEval *e, const RlxBlock *block, Matched *out) {
  for (uint32_t i = 0; block && i < block->count && !out->any; i++) {
    const RlxStmt *stmt = block->stmts[i];
    out->any |= stmt->kind == RLX_STMT_DEF;
    note_matched_in(e, stmt->value, 0, out);
    for (uint32_t k = 0; k < stmt->item_count; k++)
      note_matched_in(e, stmt->items[k].value, 0, out);
    note_matched(e, stmt->body, out);
    note_matched(e, stmt->orelse, out);
  }
}

/// Whether a statement of the body may match the parameter with a buffer.
static bool is_matched(const RlxEval *e, const RlxBlock *body, RlxName name, Matched *matched) {
  if (!matched->is_made) note_matched(e, body, matched);
  matched->is_made = true;
  return matched->any || rlx_map_get(&matched->names, name, NULL);
}

/// Declares n = T.int64() and finds match_buffer(param, …) among the first statements of a body.
static void scan_body(RlxEval *e, const RlxBlock *body, const Named *params, const RlxSInfo **out) {
  for (uint32_t i = 0; body && i < body->count; i++) {
    const RlxStmt *stmt = body->stmts[i];
    if ((stmt->kind != RLX_STMT_ASSIGN && stmt->kind != RLX_STMT_ANNOTATED) || !stmt->value ||
        !stmt->target_count)
      continue;
    const RlxAst *target = stmt->targets[0];
    if (target->kind == RLX_AST_TUPLE && stmt->value->kind == RLX_AST_TUPLE) {
      RlxValue v = rlx_eval(e, stmt->value);
      for (uint32_t k = 0; k < target->child_count && v.kind == RLX_VALUE_LIST && k < v.count; k++)
        if (target->children[k]->kind == RLX_AST_NAME && v.items[k].kind == RLX_VALUE_SYMDECL)
          rlx_fn_symbol(e, target->children[k]->name, rlx_symbol_dtype(&v.items[k]));
      continue;
    }
    if (target->kind != RLX_AST_NAME || stmt->value->kind != RLX_AST_CALL) continue;
    const RlxAst *of =
        head_word(e, stmt->value) == RLX_WORD_MATCH_BUFFER ? matched_name(e, stmt->value) : NULL;
    if (of) {
      match_buffer(e, stmt->value, of, params, out);
      continue;
    }
    RlxValue v = rlx_eval(e, stmt->value);
    if (v.kind == RLX_VALUE_SYMDECL) rlx_fn_symbol(e, target->name, rlx_symbol_dtype(&v));
  }
}

/// The names of buffers that the body allocates itself.
static void note_allocated(const RlxEval *e, const RlxBlock *block, RlxMap *allocated) {
  static const char *const makers[] = {"alloc_buffer", "sblock_alloc_buffer", "alloc_local",
                                       "alloc_shared", "alloc_cell",          "alloc_scalar"};
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    bool is_call = stmt->kind == RLX_STMT_ASSIGN && stmt->target_count == 1 && stmt->value &&
                   stmt->value->kind == RLX_AST_CALL;
    if (is_call && stmt->targets[0]->kind == RLX_AST_NAME &&
        stmt->value->children[0]->kind == RLX_AST_ATTRIBUTE) {
      const char *maker = rlx_store_text(e->store, stmt->value->children[0]->name);
      for (size_t k = 0; k < sizeof makers / sizeof makers[0]; k++)
        if (strcmp(makers[k], maker) == 0) rlx_map_put(allocated, stmt->targets[0]->name, 1);
    }
    note_allocated(e, stmt->body, allocated);
    note_allocated(e, stmt->orelse, allocated);
  }
}

/// Whether `T.name` may have an effect: true as well where no wheel has the name.
static bool may_be_opaque(const char *name) {
  return rlx_script_effect(name) >= RLX_EFFECT_MEMORY ||
         (!rlx_script_name(name, RLX_DIALECT_025) && !rlx_script_name(name, RLX_DIALECT_027));
}

/// The operator that `T.call_intrin(dtype, "tirx.exp", …)` names, without its namespace; "": none is
/// written there.
static const char *intrinsic_of(const RlxAst *call) {
  const RlxAst *name = call->child_count > 2 ? call->children[2] : NULL;
  if (!name || name->kind != RLX_AST_STRING) return "";
  const char *text = name->text, *dot = strchr(text, '.');
  return dot ? dot + 1 : text;
}

/// Does an expression call a function of T that surely has effects? What is called by another name
/// is not known.
static bool surely_calls_opaque(const RlxEval *e, const RlxAst *ast, int depth) {
  if (!ast || depth > 64) return false;
  const RlxAst *head = ast->kind == RLX_AST_CALL ? ast->children[0] : NULL;
  if (head && head->kind == RLX_AST_ATTRIBUTE && head->children[0]->kind == RLX_AST_NAME) {
    const char *name = rlx_store_text(e->store, head->name);
    if (strcmp(name, "call_intrin") == 0) name = intrinsic_of(ast);
    if (rlx_script_effect(name) >= RLX_EFFECT_MEMORY) return true;
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (surely_calls_opaque(e, ast->children[i], depth + 1)) return true;
  return false;
}

/// Does an expression that is a statement call something with effects?
static bool calls_opaque(const RlxEval *e, const RlxAst *ast, int depth) {
  if (depth > 64) return true;
  if (ast->kind == RLX_AST_CALL) {
    const RlxAst *head = ast->children[0];
    const bool is_pythons = head->kind == RLX_AST_NAME && // range(4), which writes no buffer
                            rlx_names_is_builtin(rlx_store_text(e->store, head->name));
    if (!is_pythons && (head->kind != RLX_AST_ATTRIBUTE || head->children[0]->kind != RLX_AST_NAME))
      return true;
    const char *name = rlx_store_text(e->store, head->name);
    if (strcmp(name, "call_intrin") == 0) name = intrinsic_of(ast);
    if (!is_pythons && strcmp(name, "block_attr") != 0 && may_be_opaque(name))
      return true; // classic's sblock_attr
  }
  for (uint32_t i = ast->kind == RLX_AST_CALL; i < ast->child_count; i++)
    if (calls_opaque(e, ast->children[i], depth + 1)) return true;
  return false;
}

/// Does a statement of the body write what the caller sees, or call something that may?
static bool has_effect(RlxEval *e, const RlxMap *allocated, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_AUGMENTED)
      for (uint32_t k = 0; k < stmt->target_count; k++)
        if (stmt->targets[k]->kind == RLX_AST_SUBSCRIPT &&
            !(stmt->targets[k]->children[0]->kind == RLX_AST_NAME &&
              rlx_map_get(allocated, stmt->targets[k]->children[0]->name, NULL)))
          return true;
    if (stmt->kind == RLX_STMT_EXPR && stmt->value && stmt->value->kind == RLX_AST_CALL &&
        stmt->value->children[0]->kind == RLX_AST_ATTRIBUTE && calls_opaque(e, stmt->value, 0))
      return true;
    if (surely_calls_opaque(e, stmt->value, 0)) return true; // bound, a condition, a loop's extent
    if (has_effect(e, allocated, stmt->body) || has_effect(e, allocated, stmt->orelse)) return true;
  }
  return false;
}

/// `T.Ptr[T.float32]`, `T.Ptr("float32")`, `T.handle("float32")`: a pointer, and no buffer unless it is matched with one.
static bool is_typed_pointer(RlxEval *e, const RlxAst *annotation) {
  const bool has_type =
      (annotation->kind == RLX_AST_CALL || annotation->kind == RLX_AST_SUBSCRIPT) &&
      annotation->child_count > 1;
  const RlxAst *head = has_type ? annotation->children[0] : NULL;
  if (!head || head->kind != RLX_AST_ATTRIBUTE || head->children[0]->kind != RLX_AST_NAME ||
      strcmp(rlx_store_text(e->store, head->children[0]->name), "T") != 0)
    return false;
  const char *name = rlx_store_text(e->store, head->name);
  return strcmp(name, "Ptr") == 0 ||
         (strcmp(name, "handle") == 0 && annotation->kind == RLX_AST_CALL);
}

/// `T.handle`, which takes any object where no buffer is matched with it.
static bool is_plain_handle(const RlxEval *e, const RlxAst *annotation) {
  return annotation && annotation->kind == RLX_AST_ATTRIBUTE &&
         annotation->children[0]->kind == RLX_AST_NAME &&
         strcmp(rlx_store_text(e->store, annotation->children[0]->name), "T") == 0 &&
         strcmp(rlx_store_text(e->store, annotation->name), "handle") == 0;
}

void rlx_primfunc_signature(RlxFn *fn) {
  RlxStmt *stmt = fn->stmt;
  RlxEval e;
  RlxSink silent = {.arena = fn->arena};
  rlx_eval_init(&e, fn->file, fn, stmt, fn->arena, &silent);
  e.is_signature = e.allow_free = true;
  fn->ret_is_open = false;
  const RlxParams taken = rlx_taken_params(stmt);
  const RlxSInfo **sinfos = rlx_arena_array(fn->arena, const RlxSInfo *, taken.count + 1);
  for (uint32_t i = 0; i < taken.count; i++) { // scalars first: buffers may mention them
    const RlxParam *param = &taken.at[i];
    if (!param->annotation) continue;
    RlxValue v = param->annotation->kind == RLX_AST_SUBSCRIPT ? rlx_value_unknown(param->span)
                                                              : rlx_eval(&e, param->annotation);
    const bool is_variable = v.kind == RLX_VALUE_SYMDECL; // T.int32(), which T.int32 becomes
    if (v.kind != RLX_VALUE_DTYPE && !is_variable) continue;
    const RlxPrim *p = rlx_fn_symbol(
        &e, param->name, is_variable ? rlx_symbol_dtype(&v) : rlx_unpack_dtype(v.integer));
    sinfos[i] = rlx_sinfo_prim(fn->file->store, p->dtype, p);
  }
  fn->ret_unknown |= stmt->has_error; // what is not read right says nothing about calls
  for (uint32_t i = 0; stmt->body && i < stmt->body->count; i++)
    fn->ret_unknown |= stmt->body->stmts[i]->has_error;
  Named names = named(fn->arena, taken);
  scan_body(&e, stmt->body, &names, sinfos);
  rlx_map_free(&names.last);
  Matched matched = {0};
  for (uint32_t i = 0; i < taken.count; i++) {
    const RlxParam *param = &taken.at[i];
    if (!sinfos[i] && param->annotation && describes_buffer(&e, param->annotation))
      sinfos[i] = buffer(&e, param->annotation, 0);
    const bool is_025 = rlx_fn_may_be(fn, RLX_DIALECT_025) &&
                        !rlx_fn_may_be(fn, RLX_DIALECT_027); // 0.27: an object
    if (!sinfos[i] && param->annotation && is_025 && is_typed_pointer(&e, param->annotation))
      sinfos[i] = rlx_sinfo_prim(fn->file->store, rlx_dtype(RLX_DTYPE_HANDLE, 64), NULL);
    if (!sinfos[i]) {
      const bool is_object = is_plain_handle(&e, param->annotation) ||
                             (!rlx_fn_may_be(fn, RLX_DIALECT_025) && param->annotation &&
                              is_typed_pointer(&e, param->annotation));
      fn->ret_unknown |= !is_object || is_matched(&e, stmt->body, param->name, &matched);
      sinfos[i] = rlx_sinfo_object(fn->file->store);
    }
  }
  rlx_map_free(&matched.names);
  for (uint32_t i = 0; i < e.outer_reads.count; i++)
    rlx_vec_push(&fn->outer_reads, e.outer_reads.at[i]);
  fn->header_volatile = e.is_volatile;
  const RlxSInfo *ret = rlx_sinfo_tuple(fn->file->store, NULL, 0);
  if (stmt->annotation && stmt->annotation->kind != RLX_AST_NONE) {
    RlxValue v = rlx_eval(&e, stmt->annotation);
    // A type of Relax, which 0.27 takes: of tensors a call tells no more than that there is a value.
    if (v.kind == RLX_VALUE_SINFO && !rlx_fn_may_be(fn, RLX_DIALECT_025) &&
        v.sinfo->kind != RLX_SINFO_TUPLE)
      ret = v.sinfo->kind == RLX_SINFO_PRIM ? v.sinfo : rlx_sinfo_object(fn->file->store);
    if (v.kind == RLX_VALUE_DTYPE)
      ret = rlx_sinfo_prim(fn->file->store, rlx_unpack_dtype(v.integer), NULL);
    else if (is_plain_handle(&e, stmt->annotation)) // 0.27: an object
      ret = rlx_fn_may_be(fn, RLX_DIALECT_027)
                ? rlx_sinfo_object(fn->file->store)
                : rlx_sinfo_prim(fn->file->store, rlx_dtype(RLX_DTYPE_HANDLE, 64), NULL);
  }
  RlxMap allocated = {0};
  note_allocated(&e, stmt->body, &allocated);
  const RlxPurity purity = has_effect(&e, &allocated, stmt->body) ? RLX_IMPURE : RLX_PURE;
  rlx_map_free(&allocated);
  fn->function.sinfo = rlx_sinfo_func(fn->file->store, sinfos, (int)taken.count, ret, purity, 0);
  rlx_eval_deinit(&e);
  rlx_vec_free(&silent.diags);
}
