/// What words of R and I refuse of their arguments, by the rows of word_kinds.def.
#include <string.h>

#include "analyzer/eval/eval_words.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/words/script_bind.h"

typedef struct WordKinds {
  RlxScriptName name;
  const char *kinds;
} WordKinds;

static const WordKinds rows[] = {
#define RLX_WORD_KINDS(path, since, until, params, kinds)                                          \
  {{path, params, RLX_DIALECT_##since, RLX_DIALECT_##until, RLX_SCRIPT_CALL}, kinds},
#include "analyzer/words/word_kinds.def"
#undef RLX_WORD_KINDS
};

static const WordKinds *row_of(const char *path, RlxDialect dialect) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name.name, path) == 0 && rows[i].name.since <= dialect &&
        dialect <= rows[i].name.until)
      return &rows[i];
  return NULL;
}

bool rlx_word_has_arguments(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name.name + 2, name) == 0) return true; // behind `R.`
  return false;
}

/// The letters of word_kinds.def of which one is enough for the value; NULL: it is not known.
static const char *letters_of(const RlxEval *e, const RlxValue *v) {
  if (rlx_is_unknown_string(v)) return "so";
  switch (v->kind) {
  case RLX_VALUE_NONE: return "no";
  case RLX_VALUE_BOOL:
  case RLX_VALUE_INT: return "ip";
  case RLX_VALUE_FLOAT: return "p";
  case RLX_VALUE_STR: return "s";
  case RLX_VALUE_SYMDECL:
  case RLX_VALUE_PRIM: return "po";
  case RLX_VALUE_CALLEE: return "eo";
  case RLX_VALUE_EXPR:
    return rlx_expr_is_unknown(v->expr) || rlx_expr_is_reported(v->expr) ? NULL : "eo";
  case RLX_VALUE_SINFO: return "to";
  case RLX_VALUE_LIST:
  case RLX_VALUE_DICT:
  case RLX_VALUE_BUILTIN:
  case RLX_VALUE_LAMBDA: return "o";
  case RLX_VALUE_OTHER:
    return rlx_is_plain_object(v) && v->text != rlx_script_object_text ? "o" : NULL;
  case RLX_VALUE_OP:
  case RLX_VALUE_WORD:
  case RLX_VALUE_TFUNC:
  case RLX_VALUE_NAMESPACE:
  case RLX_VALUE_DTYPE: return rlx_python_type(e, v) == RLX_PYTHON_UNKNOWN ? NULL : "o";
  default: return NULL;
  }
}

/// What the parameter takes, in words.
static const char *expected(const char *letters, size_t size) {
  switch (*letters) {
  case 'e': return size > 1 ? "an expression" : "a Relax expression";
  case 's': return "a string";
  case 'i': return "an int";
  case 't': return size > 1 ? "an annotation or None" : "an annotation";
  case 'n': return "None";
  default: return "an object of TVM";
  }
}

/// What one dialect refuses of a call.
typedef struct Refused {
  RlxScriptBinding binding;
  const RlxPyArg *wrong; ///< an argument of a wrong kind; NULL: none
  const char *param, *expected;
} Refused;

/// Whether the dialect takes the call, or it is not known whether it does.
static bool takes(RlxEval *e, const char *path, const RlxPyArgs *args, RlxDialect dialect,
                  Refused *out) {
  const WordKinds *row = row_of(path, dialect);
  RlxScriptArg *list = rlx_arena_array(e->arena, RlxScriptArg, args->count + 1);
  *out = (Refused){0};
  for (uint32_t i = 0; i < args->count; i++)
    list[i].keyword = args->at[i].keyword ? rlx_store_text(e->store, args->at[i].keyword) : NULL;
  if (!row || !rlx_script_bind(&row->name, list, (int)args->count, &out->binding)) return true;
  const RlxScriptSignature *params = &out->binding.params;
  for (int i = 0; !out->binding.fault && i < params->count; i++) {
    size_t size;
    const char *letters =
        rlx_script_letters(row->name.params, row->kinds, -1, params->at[i].name, &size);
    const int argument = out->binding.argument[i];
    const RlxPyArg *arg = argument ? &args->at[argument - 1] : NULL;
    const char *own = arg ? letters_of(e, &arg->value) : NULL;
    if (!own || !letters || *letters == '-') continue;
    bool is_fine = false;
    for (; *own; own++) is_fine |= memchr(letters, *own, size) != NULL;
    if (is_fine) continue;
    out->wrong = arg;
    out->param = params->at[i].name;
    out->expected = expected(letters, size);
    return false;
  }
  return !out->binding.fault;
}

bool rlx_word_texts_check(RlxEval *e, RlxWord word, const RlxPyArgs *args) {
  const bool is_const = word == RLX_WORD_CONST,
             is_tuple = word == RLX_WORD_TUPLE_VALUE && !rlx_eval_may_be(e, RLX_DIALECT_027);
  for (uint32_t i = 0; i < args->count && rlx_refuse_may_tell(e); i++) {
    const RlxPyArg *arg = &args->at[i];
    if (!rlx_is_unknown_string(&arg->value) || arg->keyword || !(is_tuple || (is_const && !i)))
      continue;
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), arg->value.span, "ssss", rlx_word_path(word),
                    is_const ? "value" : "fields", rlx_value_text(e, &arg->value),
                    is_const ? "a number or an array" : "a Relax expression");
    return false;
  }
  return true;
}

/// A call of the word `path` that is held against dialects.
typedef struct HeldCall {
  RlxEval *e;
  const char *path;
  const RlxPyArgs *args;
  Refused tried[RLX_HELD_DIALECTS];
} HeldCall;

static bool takes_held(void *data, RlxDialect dialect, int at) {
  HeldCall *held = data;
  return takes(held->e, held->path, held->args, dialect, &held->tried[at]);
}

bool rlx_word_arguments_check(RlxEval *e, const char *path, const RlxPyArgs *args,
                              RlxSpan name_span) {
  if (!rlx_refuse_may_tell(e) || args->is_unknown) return true;
  // What stands in a module's class is of the module's dialect, or of either where none is set.
  RlxDialect set = RLX_DIALECT_025;
  const bool is_set = e->fn || rlx_dialect_parse(e->analyzer->settings.dialect, &set);
  const RlxDialect own = e->fn ? (RlxDialect)e->fn->dialect : is_set ? set : e->outer_dialect;
  HeldCall held = {.e = e, .path = path, .args = args};
  const int told = rlx_eval_hold(e, own, takes_held, &held);
  if (told < 0) return true;
  const Refused *refused = &held.tried[told];
  if (refused->wrong) {
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), refused->wrong->value.span, "ssss", path,
                    refused->param, rlx_value_text(e, &refused->wrong->value), refused->expected);
    return false;
  }
  rlx_refuse_binding(e, &refused->binding, args, path, name_span);
  return false;
}
