/// Methods of Python's strings, lists, tuples and dicts in scripts: what they give for values that the evaluation knows,
/// and how many arguments they take. Always true: what is not known stays unknown.
#include <ctype.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"

/// A call of a method.
typedef struct MethodCall {
  const RlxValue *self;
  const char *text; ///< of a string that is ASCII; else NULL
  const RlxPyArgs *args;
  const char *given[2]; ///< the arguments that are such strings
  RlxSpan span;
} MethodCall;

static RlxValue string_of(RlxEval *e, const char *text, size_t size, RlxSpan span) {
  return (RlxValue){
      .kind = RLX_VALUE_STR, .span = span, .string = rlx_store_intern(e->store, text, size)};
}

static RlxValue list_of(RlxEval *e, uint32_t count, RlxSpan span) {
  RlxValue out = {.kind = RLX_VALUE_LIST, .span = span, .count = count};
  out.items = rlx_arena_array(e->arena, RlxValue, count ? count : 1);
  return out;
}

// ---- strings

static RlxValue in_case(RlxEval *e, const MethodCall *c, int (*change)(int)) {
  char *text = rlx_arena_strdup(e->arena, c->text);
  for (char *at = text; *at; at++) *at = (char)change((unsigned char)*at);
  return string_of(e, text, strlen(text), c->span);
}

static RlxValue call_upper(RlxEval *e, const MethodCall *c) { return in_case(e, c, toupper); }

static RlxValue call_lower(RlxEval *e, const MethodCall *c) { return in_case(e, c, tolower); }

static RlxValue stripped(RlxEval *e, const MethodCall *c, bool left, bool right) {
  const char *start = c->text, *end = start + strlen(start);
  while (left && start < end && strchr(c->given[0] ? c->given[0] : " \t\n\r\f\v", *start)) start++;
  while (right && end > start && strchr(c->given[0] ? c->given[0] : " \t\n\r\f\v", end[-1])) end--;
  return string_of(e, start, (size_t)(end - start), c->span);
}

static RlxValue call_strip(RlxEval *e, const MethodCall *c) { return stripped(e, c, true, true); }

static RlxValue call_lstrip(RlxEval *e, const MethodCall *c) { return stripped(e, c, true, false); }

static RlxValue call_rstrip(RlxEval *e, const MethodCall *c) { return stripped(e, c, false, true); }

static RlxValue call_startswith(RlxEval *e, const MethodCall *c) {
  (void)e;
  return rlx_value_of_bool(strncmp(c->text, c->given[0], strlen(c->given[0])) == 0, c->span);
}

static RlxValue call_endswith(RlxEval *e, const MethodCall *c) {
  (void)e;
  const size_t size = strlen(c->text), wanted = strlen(c->given[0]);
  return rlx_value_of_bool(size >= wanted && !strcmp(c->text + size - wanted, c->given[0]),
                           c->span);
}

static RlxValue call_find(RlxEval *e, const MethodCall *c) {
  (void)e;
  const char *at = strstr(c->text, c->given[0]);
  return rlx_value_of_int(at ? at - c->text : -1, c->span);
}

static RlxValue call_replace(RlxEval *e, const MethodCall *c) {
  const size_t size = strlen(c->given[0]), other = strlen(c->given[1]);
  if (!size || strlen(c->text) * (other + 1) > rlx_eval_most(e, RLX_MAX_TEXT))
    return rlx_unknown_string(e, c->span);
  RlxBuf out = {0};
  const char *at = c->text;
  for (const char *next; (next = strstr(at, c->given[0])) != NULL; at = next + size) {
    rlx_buf_printf(&out, "%.*s%s", (int)(next - at), at, c->given[1]);
  }
  rlx_buf_puts(&out, at);
  const RlxValue v = string_of(e, rlx_buf_text(&out), strlen(rlx_buf_text(&out)), c->span);
  rlx_buf_free(&out);
  return v;
}

/// "a b".split(), "a,b".split(",").
static RlxValue call_split(RlxEval *e, const MethodCall *c) {
  static const char blanks[] = " \t\n\r\f\v";
  const size_t size = strlen(c->text), wide = c->given[0] ? strlen(c->given[0]) : 1;
  if (!wide || size + 1 > rlx_eval_most(e, RLX_MAX_ITEMS)) return rlx_eval_failed(e, c->span);
  RlxValue out = list_of(e, (uint32_t)size + 1, c->span);
  out.count = 0;
  for (const char *at = c->text;;) {
    if (!c->given[0]) at += strspn(at, blanks);
    if (!c->given[0] && !*at) break;
    const char *end = c->given[0] ? strstr(at, c->given[0]) : at + strcspn(at, blanks);
    const size_t length = end ? (size_t)(end - at) : strlen(at);
    out.items[out.count++] = string_of(e, at, length, c->span);
    if (!end || (!c->given[0] && !*end)) break;
    at = end + wide;
  }
  return out;
}

static RlxValue call_join(RlxEval *e, const MethodCall *c) {
  const RlxValue *list = &c->args->at[0].value;
  if (list->kind != RLX_VALUE_LIST) return rlx_unknown_string(e, c->span);
  RlxBuf out = {0};
  bool is_known = true;
  for (uint32_t i = 0; i < list->count && is_known; i++) {
    is_known = list->items[i].kind == RLX_VALUE_STR && out.size < rlx_eval_most(e, RLX_MAX_TEXT);
    if (i) rlx_buf_puts(&out, c->text);
    if (is_known) rlx_buf_puts(&out, rlx_store_text(e->store, list->items[i].string));
  }
  const RlxValue v = is_known ? string_of(e, rlx_buf_text(&out), out.size, c->span)
                              : rlx_unknown_string(e, c->span);
  rlx_buf_free(&out);
  return v;
}

static RlxValue call_text(RlxEval *e, const MethodCall *c) {
  return rlx_unknown_string(e, c->span);
}

// ---- lists, tuples and dicts

static RlxValue call_copy(RlxEval *e, const MethodCall *c) {
  (void)e;
  RlxValue out = *c->self;
  out.span = c->span;
  return out;
}

/// How often an item is in a list (`is_place` false), or where it is first.
static RlxValue searched(RlxEval *e, const MethodCall *c, bool is_place) {
  int64_t count = 0;
  if (c->args->count > 1) return rlx_eval_failed(e, c->span);
  for (uint32_t i = 0; i < c->self->count; i++) {
    const int same = rlx_value_is_same(e, &c->self->items[i], &c->args->at[0].value);
    if (same < 0) return rlx_eval_failed(e, c->span);
    if (same && is_place) return rlx_value_of_int(i, c->span);
    count += same;
  }
  return is_place ? rlx_eval_failed(e, c->span) : rlx_value_of_int(count, c->span);
}

static RlxValue call_count(RlxEval *e, const MethodCall *c) { return searched(e, c, false); }

static RlxValue call_index(RlxEval *e, const MethodCall *c) { return searched(e, c, true); }

static RlxValue call_get(RlxEval *e, const MethodCall *c) {
  for (uint32_t i = 0; i + 1 < c->self->count; i += 2) {
    const int same = rlx_value_is_same(e, &c->self->items[i], &c->args->at[0].value);
    if (same < 0) return rlx_eval_failed(e, c->span);
    if (same) return c->self->items[i + 1];
  }
  return c->args->count > 1 ? c->args->at[1].value
                            : (RlxValue){.kind = RLX_VALUE_NONE, .span = c->span};
}

/// The keys (`first` 0) or values (1) of a dict, or its pairs (2).
static RlxValue parts(RlxEval *e, const MethodCall *c, uint32_t first) {
  RlxValue out = list_of(e, c->self->count / 2, c->span);
  out.is_range = true; // an object of its own kind, which has no places
  for (uint32_t i = 0; i < out.count; i++) {
    RlxValue pair = list_of(e, 2, c->span);
    pair.is_tuple = true;
    memcpy(pair.items, &c->self->items[2 * i], 2 * sizeof *pair.items);
    out.items[i] = first == 2 ? pair : c->self->items[2 * i + first];
  }
  return out;
}

static RlxValue call_keys(RlxEval *e, const MethodCall *c) { return parts(e, c, 0); }

static RlxValue call_values(RlxEval *e, const MethodCall *c) { return parts(e, c, 1); }

static RlxValue call_items(RlxEval *e, const MethodCall *c) { return parts(e, c, 2); }

/// What changes a list or a dict gives None, and what the value is afterwards is not followed.
static RlxValue call_change(RlxEval *e, const MethodCall *c) { return rlx_eval_failed(e, c->span); }

/// What nothing more is known of than its arguments.
static RlxValue call_other(RlxEval *e, const MethodCall *c) { return rlx_eval_failed(e, c->span); }

/// `least`, `most`: the number of arguments; `strings`: how many are strings, and of more the value is not known. `keywords`: those that
/// have names, with spaces around each; NULL: none has one.
static const struct Row {
  const char *types, *name;
  uint8_t least, most, strings;
  RlxValue (*call)(RlxEval *e, const MethodCall *c);
  const char *keywords;
} methods[] = {
    {"s", "upper", 0, 0, 0, call_upper, NULL},
    {"s", "lower", 0, 0, 0, call_lower, NULL},
    {"s", "casefold", 0, 0, 0, call_lower, NULL},
    {"s", "strip", 0, 1, 1, call_strip, NULL},
    {"s", "lstrip", 0, 1, 1, call_lstrip, NULL},
    {"s", "rstrip", 0, 1, 1, call_rstrip, NULL},
    {"s", "startswith", 1, 3, 1, call_startswith, NULL},
    {"s", "endswith", 1, 3, 1, call_endswith, NULL},
    {"s", "find", 1, 3, 1, call_find, NULL},
    {"s", "replace", 2, 3, 2, call_replace, " count "},
    {"s", "split", 0, 2, 1, call_split, " sep maxsplit "},
    {"s", "join", 1, 1, 0, call_join, NULL},
    {"s", "title", 0, 0, 0, call_text, NULL},
    {"s", "capitalize", 0, 0, 0, call_text, NULL},
    {"s", "swapcase", 0, 0, 0, call_text, NULL},
    {"l", "copy", 0, 0, 0, call_copy, NULL},
    {"d", "copy", 0, 0, 0, call_copy, NULL},
    {"lt", "count", 1, 1, 0, call_count, NULL},
    {"lt", "index", 1, 3, 0, call_index, NULL},
    {"d", "get", 1, 2, 0, call_get, NULL},
    {"d", "keys", 0, 0, 0, call_keys, NULL},
    {"d", "values", 0, 0, 0, call_values, NULL},
    {"d", "items", 0, 0, 0, call_items, NULL},
    {"l", "append", 1, 1, 0, call_change, NULL},
    {"l", "extend", 1, 1, 0, call_change, NULL},
    {"l", "insert", 2, 2, 0, call_change, NULL},
    {"l", "remove", 1, 1, 0, call_change, NULL},
    {"l", "reverse", 0, 0, 0, call_change, NULL},
    {"ld", "clear", 0, 0, 0, call_change, NULL},
    {"s", "rsplit", 0, 2, 0, call_other, " sep maxsplit "},
    {"s", "splitlines", 0, 1, 0, call_other, " keepends "},
    {"s", "encode", 0, 2, 0, call_other, " encoding errors "},
    {"s", "expandtabs", 0, 1, 0, call_other, " tabsize "},
    {"s", "rfind", 1, 3, 0, call_other, NULL},
    {"s", "index", 1, 3, 0, call_other, NULL},
    {"s", "rindex", 1, 3, 0, call_other, NULL},
    {"s", "count", 1, 3, 0, call_other, NULL},
    {"s", "center", 1, 2, 0, call_other, NULL},
    {"s", "ljust", 1, 2, 0, call_other, NULL},
    {"s", "rjust", 1, 2, 0, call_other, NULL},
    {"s", "zfill", 1, 1, 0, call_other, NULL},
    {"s", "partition", 1, 1, 0, call_other, NULL},
    {"s", "rpartition", 1, 1, 0, call_other, NULL},
    {"s", "removeprefix", 1, 1, 0, call_other, NULL},
    {"s", "removesuffix", 1, 1, 0, call_other, NULL},
    {"s", "isalnum", 0, 0, 0, call_other, NULL},
    {"s", "isalpha", 0, 0, 0, call_other, NULL},
    {"s", "isdigit", 0, 0, 0, call_other, NULL},
    {"s", "islower", 0, 0, 0, call_other, NULL},
    {"s", "isspace", 0, 0, 0, call_other, NULL},
    {"s", "istitle", 0, 0, 0, call_other, NULL},
    {"s", "isupper", 0, 0, 0, call_other, NULL},
    {"l", "sort", 0, 0, 0, call_change, " key reverse "},
    {"l", "pop", 0, 1, 0, call_change, NULL},
    {"d", "pop", 1, 2, 0, call_change, NULL},
    {"d", "popitem", 0, 0, 0, call_change, NULL},
    {"d", "setdefault", 1, 2, 0, call_change, NULL},
};

/// The letter of a type in the table; 0: it has no methods there.
static char type_of(const RlxValue *v) {
  return v->kind == RLX_VALUE_STR || rlx_is_bytes(v) ? 's'
         : v->kind == RLX_VALUE_DICT                 ? 'd'
         : v->kind != RLX_VALUE_LIST || v->is_range  ? 0
         : v->is_tuple                               ? 't'
                                                     : 'l';
}

static const char *plain_text(const RlxEval *e, const RlxValue *v) {
  const char *text = v->kind == RLX_VALUE_STR ? rlx_store_text(e->store, v->string) : NULL;
  return text && rlx_text_is_ascii(text, strlen(text)) ? text : NULL;
}

/// Whether the method takes no such number of arguments, or none by that name, which is reported.
static bool refuses_arguments(RlxEval *e, const struct Row *row, const RlxPyArgs *args,
                              RlxSpan span) {
  const char *what = rlx_arena_printf(e->arena, "Python's `%s`", row->name);
  uint32_t named = 0;
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxPyArg *arg = &args->at[i];
    const char *keyword = arg->keyword ? rlx_store_text(e->store, arg->keyword) : NULL;
    named += keyword != NULL;
    if (!keyword || (row->keywords && rlx_text_is_among(keyword, row->keywords))) continue;
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->keyword_span, "sss", what, keyword, "");
    return true;
  }
  if (args->count > row->most && !named)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_COUNT), args->at[row->most].span, "siis", what,
                    row->most, (int)args->count, row->most == 1 ? "" : "s");
  else if (args->count < row->least)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), span, "ss", what,
                    rlx_arena_printf(e->arena, "%u", args->count + 1));
  else
    return false;
  return true;
}

RlxValue rlx_python_method(RlxEval *e, const RlxMethod *method, const RlxPyArgs *args,
                           RlxSpan span) {
  const char *name = rlx_store_text(e->store, method->name), letter = type_of(&method->self);
  const struct Row *row = NULL;
  for (size_t i = 0; letter && i < sizeof methods / sizeof *methods && !row; i++)
    if (strchr(methods[i].types, letter) && strcmp(methods[i].name, name) == 0) row = &methods[i];
  if (!row || args->is_unknown) return rlx_eval_failed(e, span);
  if (rlx_refuse_may_tell(e) && refuses_arguments(e, row, args, span))
    return rlx_eval_failed(e, span);
  MethodCall c = {&method->self, plain_text(e, &method->self), args, {NULL, NULL}, span};
  const uint32_t most = row->strings ? row->strings : row->least > 1 ? row->least : 2;
  bool is_known =
      args->count >= row->least && args->count <= most && !e->tainted && (letter != 's' || c.text);
  for (uint32_t i = 0; i < args->count && is_known; i++) {
    is_known = !args->at[i].keyword && args->at[i].value.kind != RLX_VALUE_UNKNOWN;
    if (i < row->strings) is_known &= (c.given[i] = plain_text(e, &args->at[i].value)) != NULL;
  }
  return is_known ? row->call(e, &c) : rlx_eval_failed(e, span);
}
