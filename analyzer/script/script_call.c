/// Calls of one PrimFunc by another of its module: `Module.f(A.data, n)`.
///
/// To be run, a call is replaced by the body of what it calls, whose buffers become views of those
/// that it is given: so their accesses are checked as any other's. Always true: the body sees its
/// own names and those of the file, none of the caller's; its allocations are in a block of their own.
#include <string.h>

#include "analyzer/script/script_impl.h"

enum { MAX_CALL_DEPTH = 32, MAX_CALLS = 256, MAX_PARAMS = 128 };

static const RlxStmt *callee_of(RlxTirReader *r, const RlxAst *call) {
  const RlxAst *head = call->children[0];
  RlxTv shadow;
  if (!r->outer || !r->outer->function || head->kind != RLX_AST_ATTRIBUTE ||
      head->children[0]->kind != RLX_AST_NAME || rlx_tir_find(r, head->children[0]->name, &shadow))
    return NULL;
  return r->outer->function(head->children[0]->name, head->name, r->outer->data);
}

bool rlx_tir_is_call(RlxTirReader *r, const RlxAst *call) { return callee_of(r, call) != NULL; }

// ---- what is given

/// A call that is being replaced.
typedef struct Inlining {
  RlxTirReader *r; ///< the caller
  const RlxAst *call;
  const char *name;
  RlxTirReader inner;
  RlxTirParam *params; ///< of the function that is called
  int count;
  RlxTirExpr *args[MAX_PARAMS];
  RlxTirBuffer
      *of[MAX_PARAMS]; ///< the buffer whose memory a pointer is; NULL: not known, or a number
  RlxTirStmt *around[4 * MAX_PARAMS]; ///< statements that enclose the body, outermost first
  int around_count;
} Inlining;

#define REFUSE(k, ...) rlx_tir_issue((k)->r, (k)->call, __VA_ARGS__)

static RlxTirStmt *enclose(Inlining *k, RlxTirStmtKind kind) {
  RlxTirStmt *s = rlx_tir_stmt(k->r->f, kind, 1);
  s->span = rlx_span(k->r->stmt->start - k->r->origin,
                     k->r->stmt->start - k->r->origin + k->r->stmt->head_size);
  k->around[k->around_count++] = s;
  return s;
}

/// The buffer in sight whose memory `var` points to; NULL: none.
static RlxTirBuffer *buffer_of(const RlxTirReader *r, const RlxTirVar *var) {
  for (uint32_t i = r->env.count; i-- > 0;) {
    const RlxTv *v = &r->env.at[i].value;
    if (v->kind == RLX_TV_BUFFER && v->buffer->data == var) return v->buffer;
  }
  return NULL;
}

/// `count` elements of `buffer` from the `offset`th on, counted in memory, as a buffer of their own.
static RlxTirBuffer *part_of(Inlining *k, RlxTirBuffer *buffer, RlxTirExpr *offset,
                             RlxTirExpr *count) {
  RlxPrimFunc *f = k->r->f;
  RlxTirExpr *total = rlx_tir_int(f, 1, RLX_INT64);
  for (int i = 0; i < buffer->ndim; i++)
    total = rlx_tir_binary(f, RLX_TIR_MUL, total, rlx_tir_cast(f, RLX_INT64, buffer->shape[i]));
  RlxTirBuffer *flat = rlx_tir_buffer(f, buffer->name, buffer->dtype, &total, 1);
  flat->view_of = buffer;
  enclose(k, RLX_TIR_ALLOC)->buffer = flat;
  RlxTirExpr *rest = count ? count : rlx_tir_binary(f, RLX_TIR_SUB, total, offset);
  RlxTirBuffer *part = rlx_tir_buffer(f, buffer->name, buffer->dtype, &rest, 1);
  part->view_of = flat;
  part->view_origin = rlx_arena_copy(f->arena, &offset, 1, sizeof offset);
  part->data = rlx_tir_var(f, buffer->name, rlx_dtype(RLX_DTYPE_HANDLE, 64));
  enclose(k, RLX_TIR_ALLOC)->buffer = part;
  return part;
}

/// T.address_of(A[i, j]): the elements from there on.
static RlxTirBuffer *from_address(Inlining *k, const RlxTirExpr *load) {
  RlxPrimFunc *f = k->r->f;
  RlxTirExpr *at = rlx_tir_int(f, 0, RLX_INT64);
  if (load->buffer->strides || load->buffer->view_origin) return NULL;
  for (int i = 0; i < load->buffer->ndim; i++) {
    at = rlx_tir_binary(f, RLX_TIR_MUL, at, rlx_tir_cast(f, RLX_INT64, load->buffer->shape[i]));
    at = rlx_tir_binary(f, RLX_TIR_ADD, at, rlx_tir_cast(f, RLX_INT64, load->args[i]));
  }
  return part_of(k, load->buffer, at, NULL);
}

/// A pointer among the arguments: of which buffer, and as a variable.
static void take_pointer(Inlining *k, int i) {
  RlxTirExpr *e = k->args[i];
  RlxTirBuffer *part = NULL;
  bool is_access = e->kind == RLX_TIR_CALL && e->arg_count == 5 &&
                   e->args[1]->kind == RLX_TIR_VAR &&
                   !strcmp(rlx_store_text(k->r->store, e->name), "tvm_access_ptr");
  if (e->kind == RLX_TIR_VAR) {
    k->of[i] = buffer_of(k->r, e->var);
    return;
  }
  if (e->kind == RLX_TIR_ADDRESS_OF) part = from_address(k, e->args[0]);
  RlxTirBuffer *whole = is_access ? buffer_of(k->r, e->args[1]->var) : NULL;
  if (whole && !whole->strides && !whole->view_origin &&
      rlx_dtype_equal(e->args[0]->dtype, whole->dtype))
    part = part_of(k, whole, rlx_tir_cast(k->r->f, RLX_INT64, e->args[2]),
                   rlx_tir_cast(k->r->f, RLX_INT64, e->args[3]));
  if (!part) {
    REFUSE(k, "%s: this pointer is not understood as an argument", k->name);
    return;
  }
  k->of[i] = part;
  k->args[i] = rlx_tir_var_expr(k->r->f, part->data);
}

static const char *kind_text(const RlxTv *v) {
  return v->kind == RLX_TV_BUFFER   ? "a buffer; its memory is `.data`"
         : v->kind == RLX_TV_REGION ? "a part of a buffer"
         : v->kind == RLX_TV_STRING ? "a string"
                                    : NULL;
}

/// The arguments of the call, as expressions; false: one is none.
static bool read_arguments(RlxTirReader *r, const RlxAst *call, const RlxStmt *def,
                           RlxTirExpr **out, int *count) {
  const RlxParams taken = rlx_taken_params(def);
  bool ok = true;
  *count = 0;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD || arg->kind == RLX_AST_STARRED ||
        arg->kind == RLX_AST_DOUBLE_STARRED || *count == MAX_PARAMS)
      return rlx_tir_issue(r, arg, "this argument is not understood"), false;
    RlxTv v = rlx_tir_eval(r, arg);
    const char *found = kind_text(&v);
    const bool is_buffer = v.kind == RLX_TV_BUFFER && rlx_tir_is_027(r); // which 0.27 takes
    if (found && rlx_tir_is_known(r) && !is_buffer) {
      const char *param = i <= taken.count ? rlx_store_text(r->store, taken.at[i - 1].name) : "";
      rlx_tir_mistake(r, arg, RLX_DIAG_ID(ARGUMENT_KIND), "ssss",
                      rlx_store_text(r->store, def->name), param, "an expression", found);
      ok = false;
    } else if (v.kind == RLX_TV_EXPR) {
      out[(*count)++] = v.expr;
    } else {
      if (v.kind != RLX_TV_HOLE) rlx_tir_issue(r, arg, "this argument is not understood");
      ok = false;
    }
  }
  return ok;
}

// ---- its names

static bool is_bound_dim(const Inlining *k, const RlxTirVar *var) {
  for (int i = 0; i < k->count; i++)
    if (k->params[i].var == var) return true;
  for (int i = 0; i < k->around_count; i++)
    if (k->around[i]->kind == RLX_TIR_LET_STMT && k->around[i]->var == var) return true;
  return false;
}

/// A dimension of a parameter's buffer: a free variable has the length that is given, another one is
/// compared.
static void match_dim(Inlining *k, const RlxTirBuffer *own, RlxTirExpr *want, RlxTirExpr *have) {
  RlxPrimFunc *f = k->r->f;
  if (want->kind == RLX_TIR_VAR && !is_bound_dim(k, want->var)) {
    RlxTirStmt *let = enclose(k, RLX_TIR_LET_STMT);
    let->var = want->var;
    let->value = rlx_tir_cast(f, want->var->dtype, have);
    return;
  }
  if (want->kind == RLX_TIR_INT && have->kind == RLX_TIR_INT && want->integer == have->integer)
    return;
  RlxTirStmt *s = enclose(k, RLX_TIR_ASSERT);
  s->cond = rlx_tir_binary(f, RLX_TIR_EQ, rlx_tir_cast(f, RLX_INT64, want),
                           rlx_tir_cast(f, RLX_INT64, have));
  const char *text =
      rlx_arena_printf(f->arena, "the shape of `%s` of %s is not that of the buffer that is given",
                       rlx_store_text(k->r->store, own->name), k->name);
  s->value = rlx_tir_string(f, text);
}

static bool is_constant_shape(const RlxTirBuffer *b) {
  for (int i = 0; i < b->ndim; i++)
    if (b->shape[i]->kind != RLX_TIR_INT) return false;
  return true;
}

/// The buffer of parameter `i` becomes a view of the memory that is given.
static bool view_memory(Inlining *k, int i) {
  RlxTirBuffer *own = k->params[i].buffer, *of = k->of[i];
  const char *name = rlx_store_text(k->r->store, own->name);
  if (!of)
    return REFUSE(k, "%s: it is not known which memory is given for `%s`", k->name, name), false;
  if (!rlx_dtype_equal(own->dtype, of->dtype))
    return REFUSE(k, "%s: the dtype of `%s` is not that of the buffer that is given", k->name,
                  name),
           false;
  // Another shape of the same memory may be meant: the view is checked to be within it.
  if (own->ndim == of->ndim) {
    for (int d = 0; d < own->ndim; d++)
      if (own->shape[d]->kind == RLX_TIR_VAR || !is_constant_shape(own) || !is_constant_shape(of))
        match_dim(k, own, own->shape[d], of->shape[d]);
  } else if (!is_constant_shape(own)) {
    return REFUSE(k, "%s: `%s` has another number of dimensions than the buffer that is given",
                  k->name, name),
           false;
  }
  own->view_of = of->view_of && !of->view_origin && !of->elem_offset ? of->view_of : of;
  enclose(k, RLX_TIR_ALLOC)->buffer = own;
  return true;
}

static bool is_handle(RlxDType t) { return t.code == RLX_DTYPE_HANDLE; }

/// The buffer that is given, under the pointer that the parameter is: what is declared over that
/// finds it. Nothing defines it.
static RlxTirBuffer *named(Inlining *k, int i) {
  RlxTirBuffer *of = k->of[i],
               *alias = rlx_tir_buffer(k->r->f, of->name, of->dtype, of->shape, of->ndim);
  alias->data = k->params[i].var;
  alias->view_of = of;
  return alias;
}

/// A parameter's name stands for what is given.
static bool bind_parameter(Inlining *k, int i) {
  RlxTirParam *p = &k->params[i];
  RlxName name = p->var->name;
  const char *text = rlx_store_text(k->r->store, name);
  if (p->buffer) return true; // it has its name already
  bool wants = is_handle(p->var->dtype), has = is_handle(k->args[i]->dtype);
  if (wants != has)
    return REFUSE(k, "%s: `%s` is %s is given", k->name, text,
                  wants ? "a pointer, and a number" : "a number, and a pointer"),
           false;
  if (wants) {
    if (k->of[i]) rlx_tir_bind(&k->inner, RLX_NAME_NONE, rlx_tir_buffer_value(named(k, i)));
    return true;
  }
  RlxTirStmt *let = enclose(k, RLX_TIR_LET_STMT);
  let->var = p->var;
  let->value = rlx_tir_cast(k->r->f, p->var->dtype, k->args[i]);
  return true;
}

// ---- its body

static bool has_return(const RlxTirStmt *s) {
  if (s->kind == RLX_TIR_RETURN) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (has_return(s->body[i])) return true;
  return s->init && has_return(s->init);
}

/// The last thing that `s` does, where that returns, does nothing from here on; false: something in
/// the middle returns.
static bool drop_last_return(RlxTirStmt *s) {
  if (s->kind == RLX_TIR_RETURN) {
    s->kind = RLX_TIR_NOP;
    s->value = NULL;
    return true;
  }
  bool is_plain = s->kind == RLX_TIR_SEQ || s->kind == RLX_TIR_LET_STMT ||
                  s->kind == RLX_TIR_ALLOC || s->kind == RLX_TIR_ASSERT;
  if (is_plain && s->count) drop_last_return(s->body[s->count - 1]);
  return !has_return(s);
}

/// Begins to read what `call` calls; false: it cannot be, and that was noted.
static bool begin(Inlining *k, const RlxStmt *def) {
  RlxTirReader *root = k->r;
  int depth = 0;
  for (const RlxTirReader *c = k->r; c; c = c->caller, depth++)
    if (c->def == def)
      return REFUSE(k, "%s calls itself: a kernel has no recursion", k->name), false;
  while (root->caller) root = root->caller;
  if (depth > MAX_CALL_DEPTH || ++root->call_count > MAX_CALLS)
    return REFUSE(k, "%s: too many calls of PrimFuncs in one", k->name), false;
  int count;
  if (!read_arguments(k->r, k->call, def, k->args, &count)) return false;
  k->inner = (RlxTirReader){.store = k->r->store,
                            .f = k->r->f,
                            .def = def,
                            .origin = k->r->origin,
                            .caller = k->r,
                            .outer = k->r->outer,
                            .stmt = def,
                            .depth = k->r->depth,
                            .enclosed = k->r->enclosed};
  for (uint32_t i = 0; i < k->r->env.count; i++) // so that pointers find their buffers
    if (k->r->env.at[i].value.kind == RLX_TV_BUFFER)
      rlx_tir_bind(&k->inner, RLX_NAME_NONE, k->r->env.at[i].value);
  rlx_tir_read_params(&k->inner, def);
  k->params = k->r->f->params;
  k->count = k->r->f->param_count;
  if (count != k->count)
    return REFUSE(k, "%s is given another number of arguments than it takes", k->name), false;
  for (int i = 0; i < count; i++) {
    if (is_handle(k->args[i]->dtype)) take_pointer(k, i);
    if (k->r->f->has_holes) return false;
    if (!bind_parameter(k, i)) return false;
  }
  return true;
}

/// The statements around, with `body` inside.
static RlxTirStmt *closed(Inlining *k, RlxTirStmt *body) {
  while (k->around_count) {
    RlxTirStmt *s = k->around[--k->around_count];
    s->body[0] = body;
    body = s;
  }
  return body;
}

/// Reads the call: the body of what is called, in `k` what is to enclose it. NULL: it cannot be.
static RlxTirStmt *inlined(Inlining *k, const RlxStmt *def) {
  RlxPrimFunc *f = k->r->f, saved = *f; // it stands for the called function meanwhile
  f->params = NULL;
  f->root_allocs = NULL;
  f->param_count = f->root_alloc_count = f->attr_count = 0;
  RlxTirStmt *body = begin(k, def) ? rlx_tir_read_body(&k->inner) : NULL;
  for (int i = 0; body && i < k->count; i++) { // T.match_buffer gave some of them buffers
    bool is_pointer = is_handle(k->args[i]->dtype);
    if (k->params[i].buffer && !is_pointer) {
      REFUSE(k, "%s: `%s` is a buffer, and a number is given", k->name,
             rlx_store_text(k->r->store, k->params[i].buffer->name));
      body = NULL;
    } else if (k->params[i].buffer && !view_memory(k, i)) {
      body = NULL;
    } else if (!k->params[i].buffer && is_pointer) {
      RlxTirStmt *let = enclose(k, RLX_TIR_LET_STMT);
      let->var = k->params[i].var;
      let->value = k->args[i];
    }
  }
  if (body && f->root_alloc_count) {
    body = rlx_tir_block(f, def->name, NULL, 0, NULL, body);
    body->block->alloc_count = f->root_alloc_count;
    body->block->allocs = f->root_allocs;
  }
  k->r->is_broken |= k->inner.is_broken;
  saved.has_holes = f->has_holes;
  saved.why = f->why;
  saved.var_count = f->var_count;
  saved.buffer_count = f->buffer_count;
  *f = saved;
  rlx_tir_reader_close(&k->inner);
  return body;
}

static Inlining *new_inlining(RlxTirReader *r, const RlxAst *call, const RlxStmt *def) {
  Inlining *k = rlx_arena_one(r->f->arena, Inlining);
  k->r = r;
  k->call = call;
  k->name = rlx_store_text(r->store, def->name);
  return k;
}

/// Where nothing is replaced: whether the arguments can be any.
static RlxTv look_at_arguments(RlxTirReader *r, const RlxAst *call, const RlxStmt *def) {
  RlxTirExpr *args[MAX_PARAMS];
  int count;
  if (!read_arguments(r, call, def, args, &count)) return rlx_tv_hole();
  return rlx_tir_issue(r, call, "the call of a PrimFunc is not looked into");
}

RlxTirStmt *rlx_tir_read_call(RlxTirReader *r, const RlxAst *call) {
  const RlxStmt *def = callee_of(r, call);
  if (!r->outer->inlines) {
    look_at_arguments(r, call, def);
    return NULL;
  }
  Inlining *k = new_inlining(r, call, def);
  RlxTirStmt *body = inlined(k, def);
  if (!body) return NULL;
  if (!drop_last_return(body)) {
    REFUSE(k, "%s returns from within: only its last statement may, where it is called", k->name);
    return NULL;
  }
  return closed(k, body);
}

/// The value that `s` returns under the variables that it binds; NULL: it is more than an expression.
static RlxTirExpr *value_of(RlxPrimFunc *f, const RlxTirStmt *s) {
  if (s->kind == RLX_TIR_RETURN) return s->value;
  if (s->kind == RLX_TIR_SEQ && s->count == 1) return value_of(f, s->body[0]);
  if (s->kind != RLX_TIR_LET_STMT || s->is_scalar) return NULL;
  RlxTirExpr *inner = value_of(f, s->body[0]);
  return inner ? rlx_tir_let(f, s->var, s->value, inner) : NULL;
}

RlxTv rlx_tir_call_value(RlxTirReader *r, const RlxAst *call) {
  const RlxStmt *def = callee_of(r, call);
  if (!r->outer->inlines) return look_at_arguments(r, call, def);
  Inlining *k = new_inlining(r, call, def);
  RlxTirStmt *body = inlined(k, def);
  if (!body) return rlx_tv_hole();
  RlxTirExpr *value = value_of(r->f, closed(k, body));
  if (!value)
    return REFUSE(k, "%s is more than one expression, so that its value cannot be used here",
                  k->name);
  return rlx_tv_expr(value, false);
}
