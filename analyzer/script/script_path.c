/// Names and arguments in a PrimFunc's script: what a name stands for, what a dotted one is of the namespace T, which
/// argument of a call is meant; and of which TVM the script may be.
#include <string.h>

#include "analyzer/script/script_impl.h"
#include "analyzer/words/names.h"

// ------------------------------------------------------------------ what names stand for

uint32_t rlx_tir_place(const RlxTirReader *r, RlxName name) {
  uint64_t place = 0;
  return name && rlx_map_get(&r->newest, name, &place) ? (uint32_t)place : 0;
}

bool rlx_tir_find(RlxTirReader *r, RlxName name, RlxTv *out) {
  uint32_t place = rlx_tir_place(r, name);
  if (place) *out = r->env.at[place - 1].value;
  return place != 0;
}

RlxTirVar *rlx_tir_find_var(RlxTirReader *r, RlxName name) {
  RlxTv v;
  bool is_var = rlx_tir_find(r, name, &v) && v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_VAR;
  return is_var ? v.expr->var : NULL;
}

static void push_bound(RlxTirReader *r, RlxTirBound bound) {
  bound.previous = rlx_tir_place(r, bound.name);
  bound.first = r->env.count + 1;
  if (bound.previous > r->frame) {
    const uint32_t first = r->env.at[bound.previous - 1].first;
    bound.first = first > r->frame ? first : bound.previous;
  }
  rlx_vec_push(&r->env, bound);
  if (bound.name) rlx_map_put(&r->newest, bound.name, r->env.count);
}

void rlx_tir_leave(RlxTirReader *r, uint32_t count) {
  for (uint32_t i = r->env.count; i-- > count;)
    if (r->env.at[i].name) rlx_map_put(&r->newest, r->env.at[i].name, r->env.at[i].previous);
  r->env.count = count;
}

void rlx_tir_bind(RlxTirReader *r, RlxName name, RlxTv value) {
  push_bound(r, (RlxTirBound){.name = name, .value = value});
}

void rlx_tir_define(RlxTirReader *r, RlxName name, RlxTv value) {
  push_bound(r, (RlxTirBound){.name = name, .value = value, .stmt = r->stmt});
}

// ------------------------------------------------------------------ names of the T namespace

bool rlx_tir_is_namespace(const char *head) {
  static const char *const heads[] = {"T", "tir", "tirx", "Tx", "tvm", "script", "I", "R"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
    if (!strcmp(head, heads[i])) return true;
  }
  return false;
}

const char *rlx_tir_namespace(RlxTirReader *r, RlxName name) {
  const char *head = rlx_store_text(r->store, name);
  RlxValue value = {0};
  if (rlx_tir_is_namespace(head)) return head;
  bool is_outer = r->outer && r->outer->lookup && r->outer->lookup(name, &value, r->outer->data);
  const char *path = is_outer && value.kind == (uint8_t)RLX_VALUE_NAMESPACE
                         ? rlx_store_text(r->store, value.string)
                         : "";
  return rlx_tir_is_namespace(path) ? path : NULL;
}

const char *rlx_tir_path(RlxTirReader *r, const RlxAst *ast) {
  const char *parts[8];
  int count = 0;
  while (ast->kind == RLX_AST_ATTRIBUTE && count < 7) {
    parts[count++] = rlx_store_text(r->store, ast->name);
    ast = ast->children[0];
  }
  RlxTv shadow;
  if (ast->kind != RLX_AST_NAME || rlx_tir_find(r, ast->name, &shadow)) return NULL;
  if (!count || !rlx_tir_namespace(r, ast->name)) return NULL;
  while (count > 1 && rlx_tir_is_namespace(parts[count - 1])) count--;
  RlxBuf buf = {0};
  while (count-- > 0) {
    rlx_buf_puts(&buf, parts[count]);
    if (count) rlx_buf_putc(&buf, '.');
  }
  const char *path = rlx_arena_strdup(r->f->arena, rlx_buf_text(&buf));
  rlx_buf_free(&buf);
  return path;
}

const RlxAst *rlx_tir_arg(RlxTirReader *r, const RlxAst *call, uint32_t position,
                          const char *keyword) {
  uint32_t at = 0;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD) {
      if (keyword && !strcmp(rlx_store_text(r->store, arg->name), keyword)) return arg->children[0];
    } else if (at++ == position) {
      return arg;
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ dialects

bool rlx_tir_is_025(const RlxTirReader *r) {
  return r->outer && r->outer->may_be_025 && !r->outer->may_be_027;
}

bool rlx_tir_may_be_027(const RlxTirReader *r) { return r->outer && r->outer->may_be_027; }

bool rlx_tir_is_027(const RlxTirReader *r) {
  return r->outer && r->outer->may_be_027 && !r->outer->may_be_025;
}

bool rlx_tir_is_known(const RlxTirReader *r) {
  return r->outer && (r->outer->dialect == RLX_DIALECT_025 || r->outer->dialect == RLX_DIALECT_027);
}
