/// What says a target: the name of its kind, or a dictionary of options, among them other targets.
#include <string.h>

#include "analyzer/eval/eval_words.h"
#include "analyzer/words/targets.h"

enum { MAX_DEPTH = 8 }; // of targets in targets

/// What a look at a target needs.
typedef struct Look {
  const RlxStore *store;
  RlxArena *arena;
  const char **expected;
} Look;

static const RlxValue *fault_of_target(Look l, const RlxValue *v, int depth);

/// The first item that is surely no string; NULL: there is none.
static const RlxValue *no_string(const RlxValue *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (rlx_word_is_no(&list->items[i], RLX_VALUE_STR)) return &list->items[i];
  return NULL;
}

/// What of a value no option takes that takes these; NULL: nothing that is known.
static const RlxValue *fault_of_option(Look l, const RlxValue *v, RlxTargetTakes takes, int depth) {
  *l.expected = "what that option takes";
  const bool is_number = v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_BOOL,
             is_list = v->kind == RLX_VALUE_LIST;
  switch (takes) {
  case RLX_TARGET_NOTHING:
  case RLX_TARGET_ANYTHING: return NULL;
  case RLX_TARGET_STR: return rlx_word_is_no(v, RLX_VALUE_STR) ? v : NULL;
  case RLX_TARGET_INT:
  case RLX_TARGET_BOOL: return !is_number && rlx_word_is_no(v, RLX_VALUE_INT) ? v : NULL;
  case RLX_TARGET_STRS:
    return is_list ? no_string(v) : rlx_word_is_no(v, RLX_VALUE_LIST) ? v : NULL;
  case RLX_TARGET_TARGET:
    return v->kind == RLX_VALUE_NONE ? NULL : fault_of_target(l, v, depth + 1);
  case RLX_TARGET_TARGETS: break;
  }
  for (uint32_t i = 0; is_list && i < v->count; i++) {
    const RlxValue *wrong = fault_of_target(l, &v->items[i], depth + 1);
    if (wrong) return wrong;
  }
  return !is_list && rlx_word_is_no(v, RLX_VALUE_LIST) ? v : NULL;
}

static bool is_key(Look l, const RlxValue *key, const char *name) {
  return key->kind == RLX_VALUE_STR && strcmp(rlx_store_text(l.store, key->string), name) == 0;
}

/// The kind that a dictionary says, NULL where it is not known; `*lacks`: it surely says none, nor a tag that stands for one.
static const char *kind_said(Look l, const RlxValue *dict, bool *lacks) {
  const char *kind = NULL;
  *lacks = true;
  for (uint32_t i = 0; i + 1 < dict->count; i += 2) {
    const RlxValue *key = &dict->items[i], *value = &dict->items[i + 1];
    const bool is_kind = is_key(l, key, "kind");
    *lacks &= key->kind == RLX_VALUE_STR && !is_kind && !is_key(l, key, "tag");
    if (is_kind)
      kind = value->kind == RLX_VALUE_STR ? rlx_store_text(l.store, value->string) : NULL;
  }
  return kind;
}

static const RlxValue *fault_of_dict(Look l, const RlxValue *dict, int depth) {
  bool lacks, has_kind = false;
  const char *kind = kind_said(l, dict, &lacks);
  for (uint32_t i = 0; i + 1 < dict->count; i += 2)
    has_kind |= dict->items[i].kind != RLX_VALUE_STR || is_key(l, &dict->items[i], "kind");
  if (kind && !rlx_names_is_target_kind(kind)) kind = NULL;
  for (uint32_t i = 0; i + 1 < dict->count; i += 2) {
    const RlxValue *key = &dict->items[i], *value = &dict->items[i + 1];
    *l.expected = kind ? rlx_arena_printf(l.arena, "an option of targets of kind \"%s\"", kind)
                       : "an option of targets";
    if (rlx_word_is_no(key, RLX_VALUE_STR)) return key;
    if (key->kind != RLX_VALUE_STR) continue; // not known
    const char *name = rlx_store_text(l.store, key->string);
    const RlxTargetTakes takes = rlx_target_option(name, kind);
    if (takes == RLX_TARGET_NOTHING) return key;
    const char *text = value->kind == RLX_VALUE_STR ? rlx_store_text(l.store, value->string) : NULL;
    *l.expected = "the kind of a target, as \"cuda\"";
    if (text && strcmp(name, "kind") == 0 && !rlx_names_is_target_kind(text)) return value;
    *l.expected = "the tag of a target, as \"nvidia/nvidia-a100\"";
    if (text && strcmp(name, "tag") == 0 && !has_kind && !rlx_target_is_tag(text)) return value;
    const char *prefix = rlx_target_prefix(name, kind);
    if (text && prefix && strncmp(text, prefix, strlen(prefix)) != 0) {
      *l.expected = rlx_arena_printf(l.arena, "a name that begins with \"%s\"", prefix);
      return value;
    }
    const RlxValue *wrong = fault_of_option(l, value, takes, depth);
    if (wrong) return wrong;
  }
  *l.expected = "a target with its \"kind\"";
  return lacks ? dict : NULL;
}

static const RlxValue *fault_of_target(Look l, const RlxValue *v, int depth) {
  if (depth > MAX_DEPTH || (v->kind == RLX_VALUE_OTHER && v->text == rlx_target_text)) return NULL;
  if (v->kind == RLX_VALUE_DICT) return fault_of_dict(l, v, depth);
  *l.expected = v->kind == RLX_VALUE_STR ? "the kind of a target, as \"cuda\"" : "a target";
  if (v->kind == RLX_VALUE_STR)
    return rlx_names_is_target(rlx_store_text(l.store, v->string)) ? NULL : v;
  return rlx_word_is_no(v, RLX_VALUE_DICT) ? v : NULL;
}

const RlxValue *rlx_word_target_fault(const RlxStore *store, RlxArena *arena, const RlxValue *v,
                                      const char **expected) {
  return fault_of_target((Look){store, arena, expected}, v, 0);
}
