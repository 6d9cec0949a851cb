/// Environments: what the names of a function stand for at one point of a sweep over its
/// statements. Always true: an entry counts only when its stamp is the environment's, so that a new
/// sweep starts empty without clearing.
#include <stdlib.h>
#include <string.h>

#include "analyzer/state/state.h"
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
    read.flags |= (uint32_t)var->is_tainted << 8 | (uint32_t)var->in_dataflow << 9;
  } else
    read.flags |= 1u << 10;
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
    RlxEnvUndo undo = {known->name, *entry};
    rlx_vec_push(&env->undo, undo);
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
    env->at[undo.name] = undo.old;
  }
  env->depth--;
}
