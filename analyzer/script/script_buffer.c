/// Buffers of PrimFuncs: what T.Buffer, T.match_buffer and the allocations say. Always true:
/// unknown names in a signature's shapes become variables; elsewhere they are issues.
#include <string.h>

#include "analyzer/script/script_impl.h"
#include "analyzer/syntax/document.h"
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/rewrite.h"
#include "analyzer/words/names.h"
#include "analyzer/words/script_names.h"
#include "base/text.h"

/// Notes what `target = value` declares: the first declaration of a name counts.
static void note_declared(RlxTirReader *r, const RlxAst *target, const RlxAst *value) {
  const char *path = value->kind == RLX_AST_CALL && value->child_count == 1
                         ? rlx_tir_path(r, value->children[0])
                         : NULL;
  RlxDType dtype;
  if (target->kind == RLX_AST_NAME && path && rlx_dtype_parse(path, strlen(path), &dtype) &&
      rlx_dtype_is_int(dtype) && !rlx_map_get(&r->declared, target->name, NULL))
    rlx_map_put(&r->declared, target->name, (uint64_t)rlx_pack_dtype(dtype));
}

/// The dtype that the function's first statements declare `name` with (`m, n = T.int32(), …`).
static bool is_declared(RlxTirReader *r, RlxName name, RlxDType *dtype) {
  const RlxBlock *body = r->knows_declared ? NULL : r->def->body;
  for (uint32_t i = 0; body && i < body->count; i++) {
    const RlxStmt *stmt = body->stmts[i];
    if (stmt->kind != RLX_STMT_ASSIGN || !stmt->target_count || !stmt->value) continue;
    const RlxAst *target = stmt->targets[0], *value = stmt->value;
    bool many = target->kind == RLX_AST_TUPLE && value->kind == RLX_AST_TUPLE &&
                target->child_count == value->child_count;
    for (uint32_t k = 0; k < (many ? target->child_count : 1); k++)
      note_declared(r, many ? target->children[k] : target, many ? value->children[k] : value);
  }
  r->knows_declared = true;
  uint64_t packed;
  if (!rlx_map_get(&r->declared, name, &packed)) return false;
  *dtype = rlx_unpack_dtype((int64_t)packed);
  return true;
}

/// The dtype of the scalar parameter `name` of 0.27: `n: T.int64`.
static bool is_scalar_param(RlxTirReader *r, RlxName name, RlxDType *dtype) {
  for (uint32_t i = 0; !r->knows_scalars && i < r->def->param_count; i++) {
    const RlxParam *p = &r->def->params[i];
    RlxDType own;
    if (!rlx_map_get(&r->scalars, p->name, NULL) &&
        rlx_script_annotation_dtype(r->store, p->annotation, &own))
      rlx_map_put(&r->scalars, p->name, (uint64_t)rlx_pack_dtype(own));
  }
  r->knows_scalars = true;
  uint64_t packed;
  if (!rlx_map_get(&r->scalars, name, &packed)) return false;
  *dtype = rlx_unpack_dtype((int64_t)packed);
  return rlx_dtype_is_int(*dtype);
}

RlxTv rlx_tir_new_symbol(RlxTirReader *r, RlxName name, RlxDType dtype) {
  RlxTv v = rlx_tv_expr(rlx_tir_var_expr(r->f, rlx_tir_var(r->f, name, dtype)), false);
  rlx_tir_bind(r, name, v);
  return v;
}

/// A variable for a name in a string of the signature's shapes, where nothing has the name: that of a scalar
/// parameter or of a variable around the function, or one that the body declares, else one of int32, 0.27's default.
static RlxTv variable_of_text(RlxTirReader *r, RlxName name) {
  RlxDType dtype = RLX_INT32;
  RlxValue outer;
  if (!is_scalar_param(r, name, &dtype) && !is_declared(r, name, &dtype) && r->outer &&
      r->outer->lookup && r->outer->lookup(name, &outer, r->outer->data) &&
      outer.kind == RLX_VALUE_SYMDECL)
    dtype = rlx_symbol_dtype(&outer);
  const RlxTv v = rlx_tir_new_symbol(r, name, dtype);
  rlx_map_put_ptr(&r->text_vars, v.expr->var, v.expr->var);
  return v;
}

/// Gives the names in the expression of a string variables, where they stand for nothing.
static void declare_in_text(RlxTirReader *r, const RlxAst *ast, int depth) {
  RlxTv found;
  RlxValue outer;
  if (depth > 50) return;
  if (ast->kind == RLX_AST_NAME && !rlx_tir_find(r, ast->name, &found) &&
      !rlx_tir_is_namespace(rlx_store_text(r->store, ast->name))) {
    const bool is_value = r->outer && r->outer->lookup &&
                          r->outer->lookup(ast->name, &outer, r->outer->data) &&
                          outer.kind != RLX_VALUE_SYMDECL;
    if (!is_value) variable_of_text(r, ast->name);
  }
  for (uint32_t i = 0; i < ast->child_count; i++) declare_in_text(r, ast->children[i], depth + 1);
}

/// The expression that the string is, of variables that are declared where nothing has their names.
static RlxTirExpr *expr_of_text(RlxTirReader *r, const RlxAst *string) {
  RlxDocument *doc;
  const RlxAst *value = rlx_document_of_expression(r->store, string->text, string->text_size, &doc);
  if (!value) return NULL;
  const RlxAst *around = r->text;
  r->text = string;
  declare_in_text(r, value, 0);
  RlxTirExpr *e = rlx_tir_eval_expr(r, value);
  r->text = around;
  rlx_document_free(doc);
  return e;
}

/// Unknown names in a shape of the signature are new variables, as TVM's `T.Buffer(("n",))` and
/// match_buffer have them.
static void declare_names(RlxTirReader *r, const RlxAst *ast, int depth) {
  if (depth > 50) return;
  RlxTv found;
  RlxValue outer;
  if (ast->kind == RLX_AST_NAME && !rlx_tir_find(r, ast->name, &found) &&
      !(r->outer && r->outer->lookup && r->outer->lookup(ast->name, &outer, r->outer->data)) &&
      !rlx_tir_path(r, ast)) {
    rlx_tir_new_symbol(r, ast->name, RLX_INT64);
  }
  if (ast->kind == RLX_AST_STRING && rlx_text_is_name(ast->text, ast->text_size)) {
    RlxName name = rlx_store_intern(r->store, ast->text, ast->text_size);
    if (!rlx_tir_find(r, name, &found)) variable_of_text(r, name);
  } else if (ast->kind == RLX_AST_STRING) {
    expr_of_text(r, ast); // its names are those of what stands behind it, too
  }
  bool composite =
      ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST || ast->kind == RLX_AST_BINARY;
  for (uint32_t i = 0; composite && i < ast->child_count; i++)
    declare_names(r, ast->children[i], depth + 1);
}

static RlxTirExpr *dimension(RlxTirReader *r, const RlxAst *ast) {
  RlxTv v;
  if (ast->kind == RLX_AST_STRING &&
      rlx_tir_find(r, rlx_store_intern(r->store, ast->text, ast->text_size), &v))
    return rlx_tir_as(r, v, rlx_dtype_unknown());
  RlxTirExpr *e = ast->kind == RLX_AST_STRING ? expr_of_text(r, ast) : NULL;
  return e ? e : rlx_tir_eval_expr(r, ast);
}

RlxTirExpr **rlx_tir_dimensions(RlxTirReader *r, const RlxAst *ast, int *ndim) {
  RlxTirExpr *dims[MAX_NDIM];
  int count = 0;
  if (ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST) {
    for (uint32_t i = 0; i < ast->child_count && count < MAX_NDIM; i++)
      dims[count++] = dimension(r, ast->children[i]);
  } else if (ast->kind == RLX_AST_STRING) {
    dims[count++] = dimension(r, ast);
  } else {
    RlxTv v = rlx_tir_eval(r, ast);
    if (v.kind == RLX_TV_TUPLE) {
      for (uint32_t i = 0; i < v.count && count < MAX_NDIM; i++)
        dims[count++] = rlx_tir_as(r, v.items[i], rlx_dtype_unknown());
    } else {
      dims[count++] = rlx_tir_as(r, v, rlx_dtype_unknown());
    }
  }
  *ndim = count;
  return rlx_arena_copy(r->f->arena, dims, (size_t)count, sizeof *dims);
}

static int32_t small_number(const RlxAst *ast) {
  bool fits = ast && ast->kind == RLX_AST_INT && ast->integer > 0 && ast->integer < INT32_MAX;
  return fits ? (int32_t)ast->integer : 0;
}

RlxTirBuffer *rlx_tir_read_buffer(RlxTirReader *r, const RlxAst *call, uint32_t first, RlxName name,
                                  bool declare) {
  const RlxAst *shape = rlx_tir_arg(r, call, first, "shape"),
               *strides = rlx_tir_arg(r, call, first + 3, "strides");
  RlxDType dtype = rlx_tir_read_dtype(r, rlx_tir_arg(r, call, first + 1, "dtype"), RLX_FLOAT32);
  int ndim = 0;
  RlxTirExpr **dims = NULL;
  if (shape) {
    if (declare) declare_names(r, shape, 0);
    dims = rlx_tir_dimensions(r, shape, &ndim);
  } else {
    rlx_tir_issue(r, call, "a buffer needs a shape");
  }
  RlxTirBuffer *buffer = rlx_tir_buffer(r->f, name, dtype, dims, ndim);
  if (strides && strides->kind != RLX_AST_NONE) {
    if (declare) declare_names(r, strides, 0);
    int count = 0;
    RlxTirExpr **list = rlx_tir_dimensions(r, strides, &count);
    if (count == ndim) buffer->strides = list;
  }
  const RlxAst *offset = rlx_tir_arg(r, call, first + 4, "elem_offset"),
               *scope = rlx_tir_arg(r, call, RLX_TIR_KEYWORD_ONLY, "scope");
  if (offset && offset->kind != RLX_AST_NONE) {
    if (declare) declare_names(r, offset, 0);
    buffer->elem_offset = rlx_tir_eval_expr(r, offset);
  }
  if (scope && scope->kind == RLX_AST_STRING)
    buffer->scope = rlx_store_intern(r->store, scope->text, scope->text_size);
  buffer->align = small_number(rlx_tir_arg(r, call, RLX_TIR_KEYWORD_ONLY, "align"));
  buffer->offset_factor = small_number(rlx_tir_arg(r, call, RLX_TIR_KEYWORD_ONLY, "offset_factor"));
  const RlxAst *separators = rlx_tir_arg(r, call, RLX_TIR_KEYWORD_ONLY, "axis_separators");
  uint32_t separator_count =
      separators && separators->kind == RLX_AST_LIST ? separators->child_count : 0;
  buffer->separators = rlx_arena_array(r->f->arena, int64_t, separator_count + 1);
  for (uint32_t i = 0; i < separator_count; i++)
    if (separators->children[i]->kind == RLX_AST_INT)
      buffer->separators[buffer->separator_count++] = separators->children[i]->integer;
  const RlxAst *data = rlx_tir_arg(r, call, first + 2, "data");
  if (data && data->kind != RLX_AST_NONE && data->kind != RLX_AST_STRING) {
    RlxTv v = rlx_tir_eval(r, data);
    if (v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_VAR) buffer->data = v.expr->var;
    if (v.kind == RLX_TV_BUFFER) { // what T.allocate gave: its memory
      if (!v.buffer->data)
        v.buffer->data = rlx_tir_var(r->f, v.buffer->name, rlx_dtype(RLX_DTYPE_HANDLE, 64));
      buffer->data = v.buffer->data;
    }
  }
  buffer->span = rlx_span(r->stmt->start - r->origin + call->span.start,
                          r->stmt->start - r->origin + call->span.end);
  return buffer;
}

RlxTv rlx_tir_buffer_value(RlxTirBuffer *buffer) {
  return (RlxTv){.kind = RLX_TV_BUFFER, .buffer = buffer};
}

/// A small number for `seed` that depends on `part`.
static int64_t number_at(uint64_t *seed, uint64_t part) {
  enum { PRIME = 97 };
  *seed = (*seed ^ part) * 0x9e3779b97f4a7c15u;
  *seed ^= *seed >> 29;
  return (int64_t)(*seed % PRIME) - PRIME / 2;
}

/// A variable, an element or the value of a call as a number, the same for the same thing; what is computed of numbers is one by itself.
static RlxTirExpr *at_point(RlxTirRewriter *w, RlxTirExpr *e) {
  uint64_t seed = *(const uint64_t *)w->data;
  const bool is_atom = e->kind == RLX_TIR_LOAD || (e->kind == RLX_TIR_CALL && e->arg_count > 0);
  if (e->dtype.lanes != 1 || (!rlx_dtype_is_int(e->dtype) && !rlx_dtype_is_bool(e->dtype)))
    return e;
  for (int i = 0; i < e->arg_count; i++)
    if (e->args[i]->kind != RLX_TIR_INT) return e;
  int64_t number = 0;
  if (e->kind == RLX_TIR_VAR) {
    number = number_at(&seed, (uint64_t)e->var->name << 32 | (uint64_t)e->var->id);
  } else if (is_atom) {
    number = number_at(&seed, e->kind == RLX_TIR_LOAD ? e->buffer->name : e->name);
    for (int i = 0; i < e->arg_count; i++) number = number_at(&seed, (uint64_t)e->args[i]->integer);
  } else if (e->arg_count == 2) {
    return rlx_tir_binary(w->f, (RlxTirExprKind)e->kind, e->args[0], e->args[1]);
  } else if (e->kind == RLX_TIR_SELECT || e->kind == RLX_TIR_IF_THEN_ELSE) {
    return e->args[e->args[0]->integer ? 1 : 2];
  } else {
    return e->kind == RLX_TIR_CAST ? rlx_tir_cast(w->f, e->dtype, e->args[0]) : e;
  }
  return rlx_tir_int(w->f, rlx_dtype_is_bool(e->dtype) ? number & 1 : number, e->dtype);
}

/// Whether one extent certainly is not provably the other, which TVM asks for without knowing anything of variables:
/// for some values of what they are made of they differ.
static bool is_other_extent(RlxTirReader *r, const RlxTirExpr *have, const RlxTirExpr *want) {
  enum { POINTS = 8 };
  for (uint64_t point = 1; point <= POINTS; point++) {
    RlxTirRewriter w = {.f = r->f, .data = &point, .expr = at_point};
    const RlxTirExpr *x = rlx_tir_rewrite_expr(&w, have), *y = rlx_tir_rewrite_expr(&w, want);
    if (x->kind == RLX_TIR_INT && y->kind == RLX_TIR_INT && x->integer != y->integer) return true;
  }
  return false;
}

/// The shape of a view is that of the part, behind dimensions of which it takes one element; a
/// variable has the length that there is.
static void check_view(RlxTirReader *r, const RlxAst *call, const RlxTirBuffer *view,
                       const RlxTirRegion *part) {
  const int before = part->buffer->ndim - view->ndim;
  if (!rlx_tir_is_known(r)) return;
  for (int i = 0; i < part->buffer->ndim && before >= 0; i++) {
    const RlxTirExpr *want = i < before ? rlx_tir_int(r->f, 1, RLX_INT32) : view->shape[i - before];
    if (want->kind == RLX_TIR_VAR || !is_other_extent(r, part->extent[i], want)) continue;
    rlx_tir_mistake(r, call, RLX_DIAG_ID(SCRIPT_VALUE), "s",
                    rlx_arena_printf(r->f->arena,
                                     "dimension %d of the part has another length than the view",
                                     i));
    return;
  }
}

/// Appends to a list that has room for as many as the next power of two.
static void add_buffer(RlxTirReader *r, RlxTirBuffer ***list, int *count, RlxTirBuffer *buffer) {
  if ((*count & (*count - 1)) == 0) {
    RlxTirBuffer **grown = rlx_arena_array(r->f->arena, RlxTirBuffer *, *count ? *count * 2 : 1);
    if (*count) memcpy(grown, *list, (size_t)*count * sizeof *grown);
    *list = grown;
  }
  (*list)[(*count)++] = buffer;
}

void rlx_tir_give_buffer(RlxTirReader *r, const RlxTirVar *var, RlxTirBuffer *buffer) {
  uint64_t place;
  if (!rlx_map_get(&r->param_of, (uint64_t)(uintptr_t)var, &place)) return;
  r->f->params[place].buffer = buffer;
  for (int d = 0; buffer && d < buffer->ndim; d++)
    if (buffer->shape[d]->kind == RLX_TIR_VAR)
      rlx_map_put_ptr(&r->dimensions, buffer->shape[d]->var, buffer);
}

void rlx_tir_read_match_buffer(RlxTirReader *r, const RlxAst *call, RlxName name) {
  const RlxAst *source = rlx_tir_arg(r, call, 0, "param");
  if (!source) {
    rlx_tir_issue(r, call, "T.match_buffer needs what it matches");
    return;
  }
  RlxTv v = rlx_tir_eval(r, source);
  RlxTirBuffer *buffer = NULL;
  if (v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_VAR) {
    buffer = rlx_tir_read_buffer(r, call, 1, name, true);
    rlx_tir_give_buffer(r, v.expr->var, buffer);
  } else if (v.kind != RLX_TV_HOLE) {
    RlxTirRegion region = rlx_tir_region(r, v);
    if (!region.buffer) {
      rlx_tir_issue(r, source, "T.match_buffer takes a parameter or a buffer region");
      return;
    }
    bool has_shape = rlx_tir_arg(r, call, 1, "shape") != NULL;
    buffer = has_shape ? rlx_tir_read_buffer(r, call, 1, name, true)
                       : rlx_tir_buffer(r->f, name, region.buffer->dtype, region.extent,
                                        region.buffer->ndim);
    const bool is_param = v.kind == RLX_TV_BUFFER && !r->block; // which 0.27 matches with any shape
    if (has_shape && !is_param) check_view(r, call, buffer, &region);
    if (!rlx_tir_arg(r, call, 2, "dtype")) buffer->dtype = region.buffer->dtype;
    buffer->view_of = region.buffer;
    buffer->view_origin = region.begin;
    if (r->block) add_buffer(r, &r->block->matches, &r->block->match_count, buffer);
  }
  if (buffer)
    rlx_tir_define(r, name, rlx_tir_buffer_value(buffer));
  else
    rlx_tir_bind(r, name, rlx_tv_hole());
}

void rlx_tir_add_alloc(RlxTirReader *r, RlxTirBuffer *buffer) {
  if (r->block)
    add_buffer(r, &r->block->allocs, &r->block->alloc_count, buffer);
  else
    add_buffer(r, &r->f->root_allocs, &r->f->root_alloc_count, buffer);
}

bool rlx_tir_describes_parameter(const char *path) {
  return path && rlx_text_is_among(path, "Buffer buffer buffer_decl");
}

RlxTirBuffer *rlx_tir_annotated_buffer(RlxTirReader *r, const RlxAst *a, RlxName name) {
  const char *path = (a->kind == RLX_AST_CALL || a->kind == RLX_AST_SUBSCRIPT)
                         ? rlx_tir_path(r, a->children[0])
                         : NULL;
  if (!rlx_tir_describes_parameter(path)) return NULL;
  if (a->kind == RLX_AST_CALL) return rlx_tir_read_buffer(r, a, 0, name, true);
  RlxAst *const *items = a->children + 1; // of the subscript: the call's arguments
  uint32_t count = a->child_count - 1;
  if (count == 1 && items[0]->kind == RLX_AST_TUPLE && items[0]->child_count &&
      items[0]->children[0]->kind == RLX_AST_TUPLE) {
    count = items[0]->child_count;
    items = items[0]->children;
  } else if (count == 1 && items[0]->kind == RLX_AST_TUPLE && !items[0]->is_parenthesized) {
    count = items[0]->child_count;
    items = items[0]->children;
  }
  const RlxAst **children = rlx_arena_array(r->f->arena, const RlxAst *, count + 1);
  children[0] = a->children[0];
  for (uint32_t i = 0; i < count; i++) children[i + 1] = items[i];
  RlxAst *call = rlx_ast_with_children(r->f->arena, a, children, count + 1);
  call->kind = RLX_AST_CALL;
  return rlx_tir_read_buffer(r, call, 0, name, true);
}
