/// Environments: what the names of a function stand for at one point of a sweep over its
/// statements. Always true: an entry counts only when its stamp is the environment's, so that a new
/// sweep starts empty without clearing.
#include <stdlib.h>
#include <string.h>

#include "analyzer/state/state.h"
#include "base/hash.h"
#include "base/mem.h"

RlxEnv *rlx_env_new(RlxAnalyzer *analyzer) {
  RlxEnv *env = analyzer->free_envs;
  if (env)
    analyzer->free_envs = env->next_free;
  else
    env = rlx_mem_zeroed(1, sizeof *env);
  env->next_free = NULL;
  env->facts = NULL;
  env->depth = 0;
  rlx_vec_clear(&env->undo);
  rlx_vec_clear(&env->hidden);
  if (++env->stamp == 0) {
    if (env->at) memset(env->at, 0, env->capacity * sizeof *env->at);
    env->stamp = 1;
  }
  return env;
}

void rlx_env_release(RlxAnalyzer *analyzer, RlxEnv *env) {
  env->next_free = analyzer->free_envs;
  analyzer->free_envs = env;
}

static RlxEnvEntry *slot(RlxEnv *env, RlxName name) {
  if (name >= env->capacity) {
    uint32_t wanted = env->capacity ? env->capacity : 256;
    while (wanted <= name) wanted *= 2;
    env->at = rlx_mem_resize(env->at, wanted, sizeof *env->at);
    memset(env->at + env->capacity, 0, (wanted - env->capacity) * sizeof *env->at);
    env->capacity = wanted;
  }
  return &env->at[name];
}

const RlxDef *rlx_env_get(const RlxEnv *env, RlxName name) {
  return name < env->capacity && env->at[name].stamp == env->stamp ? env->at[name].def : NULL;
}

static uint64_t value_hash(const RlxValue *v, int depth);

static uint64_t items_hash(const RlxValue *v, int depth) {
  uint64_t hash = rlx_hash_u64(v->count);
  for (uint32_t i = 0; i < v->count; i++)
    hash = rlx_hash_mix(hash, value_hash(&v->items[i], depth + 1));
  return hash;
}

/// What a value says, apart from where it is written. Of an expression which one it is: who takes it out of a list binds that one, which
/// goes with the statement that made it.
static uint64_t value_hash(const RlxValue *v, int depth) {
  enum { MOST = 50 };
  const uint64_t kind = rlx_hash_u64((uint64_t)v->kind | (uint64_t)v->is_tuple << 8 |
                                     (uint64_t)v->is_bare << 9 | (uint64_t)v->is_python << 10);
  if (depth > MOST) return kind;
  switch (v->kind) {
  case RLX_VALUE_ABSENT:
  case RLX_VALUE_NONE:
  case RLX_VALUE_UNKNOWN:
  case RLX_VALUE_ARRAY:
  case RLX_VALUE_CAST: return kind;
  case RLX_VALUE_BOOL: return rlx_hash_mix(kind, v->boolean);
  case RLX_VALUE_LIST:
  case RLX_VALUE_DICT: return rlx_hash_mix(kind, items_hash(v, depth));
  case RLX_VALUE_OTHER:
    return v->text ? rlx_hash_mix(kind, rlx_hash_bytes(v->text, strlen(v->text), 0)) : kind;
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: {
    const RlxVar *var = v->expr->kind == RLX_EXPR_VAR ? v->expr->var : NULL;
    const uint64_t said = rlx_hash_mix(rlx_hash_ptr(var), rlx_hash_ptr(v->expr->sinfo));
    return rlx_hash_mix(kind, rlx_hash_mix(said, rlx_hash_ptr(v->expr)));
  }
  case RLX_VALUE_METHOD: {
    const RlxMethod *method = v->thing;
    return rlx_hash_mix(rlx_hash_mix(kind, method->name), value_hash(&method->self, depth + 1));
  }
  default: return rlx_hash_mix(kind, (uint64_t)v->integer); // a number, or what outlives the value
  }
}

RlxRead rlx_env_identity(RlxName name, const RlxDef *def) {
  RlxRead read = {.name = name};
  if (!def) return read;
  read.flags = def->value.kind;
  if (def->value.kind == RLX_VALUE_PRIM) {
    read.thing = def->value.prim;
    read.flags |= (uint32_t)def->is_unbound << 11;
  } else if (def->value.kind == RLX_VALUE_CLASS)
    read.thing = def->value.thing;
  else if (def->value.kind == RLX_VALUE_EXPR && def->value.expr->kind == RLX_EXPR_VAR) {
    const RlxVar *var = def->value.expr->var;
    read.thing = var;
    read.sinfo = var->content ? var->content : var->sinfo; // the first says the second, too
    read.flags |= (uint32_t)var->is_tainted << RLX_READ_TAINT_SHIFT | (uint32_t)var->in_dataflow
                                                                          << 9;
  } else {
    read.flags |= 1u << 10;
    if (def->value.kind == RLX_VALUE_EXPR)
      read.sinfo = def->value.expr->sinfo;
    else
      read.thing = (const void *)(uintptr_t)value_hash(&def->value, 0); // only compared
  }
  return read;
}

RlxRead rlx_env_read(const RlxEnv *env, RlxName name) {
  RlxRead read = {.name = name};
  if (name >= env->capacity || env->at[name].stamp != env->stamp) return read;
  const RlxEnvEntry *entry = &env->at[name];
  read.flags = entry->flags;
  read.thing = entry->thing;
  read.sinfo = entry->sinfo;
  return read;
}

void rlx_env_put_known(RlxEnv *env, const RlxRead *known, const RlxDef *def) {
  RlxEnvEntry *entry = slot(env, known->name);
  if (env->depth) {
    RlxEnvUndo undo = {known->name, entry->stamp == env->stamp};
    rlx_vec_push(&env->undo, undo);
    if (undo.had_one) rlx_vec_push(&env->hidden, *entry);
  }
  entry->def = def;
  entry->thing = known->thing;
  entry->sinfo = known->sinfo;
  entry->flags = known->flags;
  entry->stamp = env->stamp;
}

void rlx_env_put(RlxEnv *env, RlxName name, const RlxDef *def) {
  RlxRead known = rlx_env_identity(name, def);
  rlx_env_put_known(env, &known, def);
}

uint32_t rlx_env_mark(RlxEnv *env) {
  env->depth++;
  return env->undo.count;
}

void rlx_env_restore(RlxEnv *env, uint32_t mark) {
  while (env->undo.count > mark) {
    RlxEnvUndo undo = rlx_vec_pop(&env->undo);
    if (undo.had_one)
      env->at[undo.name] = rlx_vec_pop(&env->hidden);
    else
      env->at[undo.name].stamp = 0; // no environment's
  }
  env->depth--;
}
