/// Steps of a schedule from JSON, and to JSON.
#include "cli/schedule.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cli/tvm_trace.h"

typedef struct Reader {
  RlxStore *store;
  RlxArena *arena;
  RlxError *err;
  const char *where; ///< the primitive whose arguments are read
  bool is_bad;       ///< code_of refused a text; err says which
} Reader;

static bool read_value(Reader *r, const cJSON *j, RlxScheduleValue *out);

static const char *text_of(Reader *r, const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsString(item) ? rlx_arena_strdup(r->arena, item->valuestring) : NULL;
}

/// The text as one that steps show, and write into files, as it is: in one line, of what can be shown, and of
/// names and these signs only (NULL: any). Else NULL, and the reader knows.
static const char *as_code(Reader *r, const char *text, const char *what, const char *signs) {
  for (uint32_t code, length, i = 0; text && text[i]; i += length) {
    length = rlx_utf8_decode(text + i, strlen(text + i), &code);
    bool fits = !signs || rlx_text_in_name(text[i]) || strchr(signs, text[i]);
    if (fits && !rlx_text_is_unshown(code)) continue;
    r->is_bad = true;
    rlx_error_set(r->err, "\"%s\" has characters that cannot stand there: `%s`", what,
                  rlx_text_shown(r->arena, text));
    return NULL;
  }
  return text;
}

static const char *code_of(Reader *r, const cJSON *object, const char *key, const char *signs) {
  return as_code(r, text_of(r, object, key), key, signs);
}

static int32_t index_of(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  bool is_small = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 1e9;
  return is_small ? (int32_t)item->valuedouble : -1;
}

static bool read_list(Reader *r, const cJSON *j, RlxScheduleValue *out) {
  out->kind = RLX_SCHEDULE_LIST;
  out->items = rlx_arena_array(r->arena, RlxScheduleValue, cJSON_GetArraySize(j));
  const cJSON *item;
  cJSON_ArrayForEach(item, j) if (!read_value(r, item, &out->items[out->count++])) return false;
  return true;
}

/// ["B", name, index] and ["L", name, index].
static bool read_short_ref(Reader *r, const cJSON *j, RlxScheduleValue *out) {
  const cJSON *kind = cJSON_GetArrayItem(j, 0), *name = cJSON_GetArrayItem(j, 1),
              *index = cJSON_GetArrayItem(j, 2);
  if (cJSON_GetArraySize(j) != 3 || !cJSON_IsString(kind) || !cJSON_IsString(name) ||
      !cJSON_IsNumber(index))
    return false;
  bool is_block = strcmp(kind->valuestring, "B") == 0;
  if (!is_block && strcmp(kind->valuestring, "L") != 0) return false;
  out->kind = is_block ? RLX_SCHEDULE_BLOCK : RLX_SCHEDULE_LOOP;
  out->ref = (RlxScheduleRef){.name = rlx_arena_strdup(r->arena, name->valuestring),
                              .index = index->valuedouble >= 0 ? (int32_t)index->valuedouble : -1,
                              .handle = -1};
  return true;
}

/// {"params": ["vi", "vj"], "ranges": ["(vi - 1, vi + 1)", …]} as a lambda.
static void read_ranges(Reader *r, const cJSON *j, RlxScheduleValue *out) {
  RlxBuf text = {0};
  rlx_buf_puts(&text, "lambda ");
  const cJSON *item;
  const char *comma = "";
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(j, "params")) {
    rlx_buf_printf(&text, "%s%s", comma, cJSON_IsString(item) ? item->valuestring : "_");
    comma = ", ";
  }
  rlx_buf_puts(&text, ": (");
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(j, "ranges"))
      rlx_buf_printf(&text, "%s, ", cJSON_IsString(item) ? item->valuestring : "None");
  rlx_buf_putc(&text, ')');
  out->kind = RLX_SCHEDULE_LAMBDA;
  out->text = as_code(r, rlx_arena_strdup(r->arena, rlx_buf_text(&text)), "ranges", NULL);
  rlx_buf_free(&text);
}

static bool read_dict(Reader *r, const cJSON *j, RlxScheduleValue *out) {
  out->kind = RLX_SCHEDULE_DICT;
  out->items = rlx_arena_array(r->arena, RlxScheduleValue, 2 * cJSON_GetArraySize(j));
  const cJSON *item;
  cJSON_ArrayForEach(item, j) {
    RlxScheduleValue *key = &out->items[out->count++];
    key->kind = RLX_SCHEDULE_STRING;
    key->text = rlx_arena_strdup(r->arena, item->string);
    if (!read_value(r, item, &out->items[out->count++])) return false;
  }
  return true;
}

/// A place in a list, a number or a variable; null: an end of the list.
static RlxScheduleValue read_end(Reader *r, const cJSON *j) {
  const char *name = cJSON_IsObject(j) ? code_of(r, j, "name", "") : NULL;
  if (name) return (RlxScheduleValue){.kind = RLX_SCHEDULE_NAME, .text = name};
  bool is_number = cJSON_IsNumber(j) && fabs(j->valuedouble) <= 1e9;
  return (RlxScheduleValue){.kind = is_number ? RLX_SCHEDULE_INT : RLX_SCHEDULE_NONE,
                            .integer = is_number ? (int64_t)j->valuedouble : 0};
}

/// {"kind": "variable", "name": "loops", "item": 0}, or a part of it: "from": 1, "to": null, "step": 2. A list without a name: "of" in
/// place of "name".
static bool read_variable(Reader *r, const cJSON *j, RlxScheduleValue *out) {
  const cJSON *of = cJSON_GetObjectItemCaseSensitive(j, "of");
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(j, "item");
  RlxScheduleValue name = {.kind = RLX_SCHEDULE_NAME, .text = code_of(r, j, "name", "")};
  if (!name.text) name.text = "";
  if (of && !read_value(r, of, &name)) return false;
  *out = name;
  const cJSON *from = cJSON_GetObjectItemCaseSensitive(j, "from"),
              *to = cJSON_GetObjectItemCaseSensitive(j, "to"),
              *step = cJSON_GetObjectItemCaseSensitive(j, "step");
  bool is_place = cJSON_IsObject(item) || (cJSON_IsNumber(item) && fabs(item->valuedouble) <= 1e9);
  bool is_part = from || to || step;
  if (!is_part && !is_place) return true;
  out->kind = RLX_SCHEDULE_ITEM;
  out->count = step ? 4 : is_part ? 3 : 2;
  out->items = rlx_arena_array(r->arena, RlxScheduleValue, 4);
  out->items[0] = name;
  out->items[1] = read_end(r, is_part ? from : item);
  out->items[2] = read_end(r, to);
  out->items[3] = read_end(r, step);
  return true;
}

/// {"kind": "items", "of": LIST}: in a list, the items of that one.
static bool read_star(Reader *r, const cJSON *j, RlxScheduleValue *out) {
  out->kind = RLX_SCHEDULE_STAR;
  out->count = 1;
  out->items = rlx_arena_array(r->arena, RlxScheduleValue, 1);
  return read_value(r, cJSON_GetObjectItemCaseSensitive(j, "of"), out->items);
}

/// {"kind": "python", "text": "it.var"}: what a step asks of the schedule, as a trace in Python has it.
static bool read_python(Reader *r, const cJSON *j, RlxScheduleValue *out) {
  const char *text = code_of(r, j, "text", NULL);
  return r->is_bad || (text && rlx_trace_read_one_value(r->store, r->arena, text, out)) ||
         rlx_error_set(r->err, "%s: this \"text\" is no value", r->where);
}

static bool read_object(Reader *r, const cJSON *j, RlxScheduleValue *out) {
  const char *kind = text_of(r, j, "kind");
  if (!kind) return read_dict(r, j, out);
  RlxScheduleRef ref = {.function = text_of(r, j, "func"), .index = -1, .handle = -1};
  if (strcmp(kind, "block") == 0) {
    out->kind = RLX_SCHEDULE_BLOCK;
    ref.name = text_of(r, j, "name");
    ref.index = index_of(j, "block_index");
  } else if (strcmp(kind, "loop") == 0) {
    out->kind = RLX_SCHEDULE_LOOP;
    ref.name = text_of(r, j, "var");
    ref.within = text_of(r, j, "block");
    ref.index = index_of(j, "loop_index");
  } else if (strcmp(kind, "variable") == 0) {
    return read_variable(r, j, out);
  } else if (strcmp(kind, "items") == 0) {
    return read_star(r, j, out);
  } else if (strcmp(kind, "python") == 0) {
    return read_python(r, j, out);
  } else if (strcmp(kind, "buffer") == 0) {
    const char *type = text_of(r, j, "type");
    out->kind = RLX_SCHEDULE_BUFFER;
    out->is_write = type && strcmp(type, "write") == 0;
    ref.name = text_of(r, j, "name");
    ref.index = index_of(j, "index");
  } else if (strcmp(kind, "index_map") == 0) {
    out->kind = RLX_SCHEDULE_LAMBDA;
    out->text = code_of(r, j, "text", NULL);
    RlxScheduleValue *separators = rlx_arena_one(r->arena, RlxScheduleValue);
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(j, "axis_separators");
    if (cJSON_IsArray(given) && cJSON_GetArraySize(given) > 0 && read_list(r, given, separators))
      out->more = separators;
    return r->is_bad || out->text ||
           rlx_error_set(r->err, "%s: an index map has a \"text\"", r->where);
  } else if (strcmp(kind, "ranges_fn") == 0) {
    read_ranges(r, j, out);
    return true;
  } else
    return read_dict(r, j, out);
  out->ref = ref;
  return true;
}

static bool read_value(Reader *r, const cJSON *j, RlxScheduleValue *out) {
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_NONE};
  if (cJSON_IsBool(j)) {
    out->kind = RLX_SCHEDULE_BOOL;
    out->boolean = cJSON_IsTrue(j);
  } else if (cJSON_IsNumber(j)) {
    double v = j->valuedouble;
    bool is_whole = v == floor(v) && fabs(v) < 9e15;
    out->kind = is_whole ? RLX_SCHEDULE_INT : RLX_SCHEDULE_FLOAT;
    if (is_whole)
      out->integer = (int64_t)v;
    else
      out->number = v;
  } else if (cJSON_IsString(j)) {
    out->kind = RLX_SCHEDULE_STRING;
    out->text = rlx_arena_strdup(r->arena, j->valuestring);
  } else if (cJSON_IsArray(j))
    return read_short_ref(r, j, out) || read_list(r, j, out);
  else if (cJSON_IsObject(j))
    return read_object(r, j, out);
  return true;
}

/// What tensorize takes is in the step itself.
static void read_intrinsic(Reader *r, const cJSON *step, RlxScheduleStep *out) {
  const cJSON *intrin = cJSON_GetObjectItemCaseSensitive(step, "intrin");
  const char *desc = text_of(r, intrin, "desc"), *impl = text_of(r, intrin, "impl");
  if (!desc || !impl) return;
  RlxScheduleValue *pair = rlx_arena_one(r->arena, RlxScheduleValue);
  pair->kind = RLX_SCHEDULE_LIST;
  pair->count = 2;
  pair->items = rlx_arena_array(r->arena, RlxScheduleValue, 2);
  pair->items[0] = (RlxScheduleValue){.kind = RLX_SCHEDULE_STRING, .text = desc};
  pair->items[1] = (RlxScheduleValue){.kind = RLX_SCHEDULE_STRING, .text = impl};
  for (int i = 0; i < RLX_SCHEDULE_ARGS_MAX; i++)
    if (out->primitive->params[i].name &&
        strcmp(out->primitive->params[i].name, "tensor_intrin") == 0)
      out->args[i].more = pair;
}

static bool read_step(Reader *r, const cJSON *j, int number, RlxScheduleStep *out) {
  const char *name = code_of(r, j, "primitive", "");
  if (r->is_bad) return false;
  if (!name) return rlx_error_set(r->err, "step %d has no \"primitive\"", number);
  out->primitive = strcmp(name, "let") == 0 ? rlx_primitive_let() : rlx_primitive_find(name);
  if (!out->primitive) {
    out->primitive = rlx_primitive_unknown(r->arena, name, false);
    return true;
  }
  r->where = name;
  const cJSON *arg;
  cJSON_ArrayForEach(arg, cJSON_GetObjectItemCaseSensitive(j, "args")) {
    int at = -1;
    for (int i = 0; i < rlx_primitive_param_count(out->primitive); i++)
      if (strcmp(out->primitive->params[i].name, arg->string) == 0) at = i;
    if (at < 0) {
      const char *what = rlx_arena_printf(r->arena, "there is no parameter `%s`", arg->string);
      out->problem = rlx_primitive_misfit(r->arena, out->primitive, what);
      continue;
    }
    if (!read_value(r, arg, &out->args[at])) return false;
  }
  read_intrinsic(r, j, out);
  out->target = code_of(r, j, "target", " ,*()[]");
  return !r->is_bad;
}

/// A trace of TVM's own.
static bool read_tvm(RlxStore *store, const cJSON *trace, RlxTrace *out, RlxError *err) {
  RlxBuf text = {0};
  RlxSink sink = {.arena = rlx_arena_new()};
  bool ok = rlx_tvm_trace_text(trace, &text, err);
  if (ok) {
    rlx_trace_read(store, rlx_buf_text(&text), (uint32_t)text.size, out, &sink);
    for (uint32_t i = 0; i < out->steps.count; i++) out->steps.at[i].span = rlx_span(0, 0);
    ok = sink.diags.count == 0 || rlx_error_set(err, "%s", sink.diags.at[0]->message);
  } else
    *out = (RlxTrace){.arena = rlx_arena_new()};
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  rlx_buf_free(&text);
  return ok;
}

bool rlx_schedule_read_json(RlxStore *store, const char *text, size_t size, RlxTrace *out,
                            RlxError *err) {
  cJSON *root = cJSON_ParseWithLength(text, size);
  const cJSON *of_tvm = rlx_tvm_trace_in(root);
  if (of_tvm) {
    bool is_read = read_tvm(store, of_tvm, out, err);
    cJSON_Delete(root);
    return is_read;
  }
  *out = (RlxTrace){.arena = rlx_arena_new()};
  Reader r = {store, out->arena, err, "", false};
  const cJSON *steps = cJSON_IsArray(root) ? root : cJSON_GetObjectItemCaseSensitive(root, "steps");
  bool ok = cJSON_IsArray(steps) || rlx_error_set(err, "there are no \"steps\" in it");
  const cJSON *step;
  int number = 0;
  if (ok) cJSON_ArrayForEach(step, steps) {
      RlxScheduleStep s = {0};
      ok = read_step(&r, step, ++number, &s);
      if (!ok) break;
      rlx_vec_push(&out->steps, s);
    }
  cJSON_Delete(root);
  return ok;
}

// ---- the other way

static void write_value(RlxJson *json, const RlxScheduleValue *v);

static void write_variable(RlxJson *json, const RlxScheduleValue *v) {
  static const char *const ends[] = {"", "from", "to", "step"};
  bool is_item = v->kind == RLX_SCHEDULE_ITEM;
  const RlxScheduleValue *of = is_item ? &v->items[0] : v;
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "kind", "variable");
  if (of->kind == RLX_SCHEDULE_NAME) {
    rlx_json_key_text(json, "name", of->text);
  } else {
    rlx_json_key(json, "of");
    write_value(json, of);
  }
  for (uint32_t i = 1; is_item && i < v->count; i++) {
    rlx_json_key(json, v->count == 2 ? "item" : ends[i]);
    write_value(json, &v->items[i]);
  }
  rlx_json_end(json, '}');
}

static void write_ref(RlxJson *json, const RlxScheduleValue *v) {
  const RlxScheduleRef *ref = &v->ref;
  bool is_block = v->kind == RLX_SCHEDULE_BLOCK, is_loop = v->kind == RLX_SCHEDULE_LOOP;
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "kind", is_block ? "block" : is_loop ? "loop" : "buffer");
  if (ref->function) rlx_json_key_text(json, "func", ref->function);
  if (ref->name) rlx_json_key_text(json, is_loop ? "var" : "name", ref->name);
  if (ref->within) rlx_json_key_text(json, "block", ref->within);
  if (!is_block && !is_loop) rlx_json_key_text(json, "type", v->is_write ? "write" : "read");
  if (ref->index >= 0)
    rlx_json_key_int(json, is_block ? "block_index" : is_loop ? "loop_index" : "index", ref->index);
  rlx_json_end(json, '}');
}

static void write_lambda(RlxJson *json, const RlxScheduleValue *v) {
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "kind", "index_map");
  rlx_json_key_text(json, "text", v->text);
  if (v->more) {
    rlx_json_key(json, "axis_separators");
    write_value(json, v->more);
  }
  rlx_json_end(json, '}');
}

static void write_python(RlxJson *json, const RlxScheduleValue *v) {
  RlxBuf text = {0};
  rlx_schedule_value_text(v, &text);
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "kind", "python");
  rlx_json_key_text(json, "text", rlx_buf_text(&text));
  rlx_json_end(json, '}');
  rlx_buf_free(&text);
}

static void write_value(RlxJson *json, const RlxScheduleValue *v) {
  switch ((RlxScheduleKind)v->kind) {
  case RLX_SCHEDULE_ABSENT:
  case RLX_SCHEDULE_NONE: rlx_json_null(json); break;
  case RLX_SCHEDULE_BOOL: rlx_json_bool(json, v->boolean); break;
  case RLX_SCHEDULE_INT: rlx_json_int(json, v->integer); break;
  case RLX_SCHEDULE_FLOAT: rlx_json_number(json, v->number); break;
  case RLX_SCHEDULE_STRING: rlx_json_text(json, v->text); break;
  case RLX_SCHEDULE_NAME:
  case RLX_SCHEDULE_ITEM: write_variable(json, v); break;
  case RLX_SCHEDULE_FIELD:
  case RLX_SCHEDULE_COMPUTED: write_python(json, v); break;
  case RLX_SCHEDULE_THING:                            // is no argument
  case RLX_SCHEDULE_OVER: rlx_json_null(json); break; // of a loop, which is written out before
  case RLX_SCHEDULE_STAR:
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "kind", "items");
    rlx_json_key(json, "of");
    write_value(json, v->items);
    rlx_json_end(json, '}');
    break;
  case RLX_SCHEDULE_LAMBDA: write_lambda(json, v); break;
  case RLX_SCHEDULE_BLOCK:
  case RLX_SCHEDULE_LOOP:
  case RLX_SCHEDULE_BUFFER: write_ref(json, v); break;
  case RLX_SCHEDULE_LIST:
    rlx_json_begin(json, '[');
    for (uint32_t i = 0; i < v->count; i++) write_value(json, &v->items[i]);
    rlx_json_end(json, ']');
    break;
  case RLX_SCHEDULE_DICT:
    rlx_json_begin(json, '{');
    for (uint32_t i = 0; i + 1 < v->count; i += 2) {
      rlx_json_key(json, v->items[i].kind == RLX_SCHEDULE_STRING ? v->items[i].text : "");
      write_value(json, &v->items[i + 1]);
    }
    rlx_json_end(json, '}');
    break;
  }
}

static void write_step(RlxJson *json, const RlxScheduleStep *step) {
  const RlxScheduleValue *intrinsic = NULL;
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "primitive", step->primitive->name);
  if (step->target) rlx_json_key_text(json, "target", step->target);
  rlx_json_key(json, "args");
  rlx_json_begin(json, '{');
  for (int i = 0; i < rlx_primitive_param_count(step->primitive); i++) {
    const RlxScheduleValue *v = &step->args[i];
    if (v->kind == RLX_SCHEDULE_ABSENT) continue;
    if (v->more && v->kind == RLX_SCHEDULE_STRING) intrinsic = v->more;
    rlx_json_key(json, step->primitive->params[i].name);
    write_value(json, v);
  }
  rlx_json_end(json, '}');
  if (intrinsic) {
    rlx_json_key(json, "intrin");
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "desc", intrinsic->items[0].text);
    rlx_json_key_text(json, "impl", intrinsic->items[1].text);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, '}');
}

void rlx_schedule_write_json(const RlxSchedule *s, RlxBuf *out) {
  RlxJson json = {.out = out};
  rlx_buf_puts(out, "{\"steps\": [");
  for (int i = 0; i < rlx_schedule_step_count(s); i++) {
    rlx_buf_puts(out, i ? ",\n  " : "\n  ");
    json.needs_comma = false;
    write_step(&json, rlx_schedule_step_at(s, i));
  }
  rlx_buf_puts(out, "\n]}\n");
}

static bool is_json(const char *text) {
  text += strspn(text, " \t\r\n");
  return *text == '{' || *text == '[';
}

bool rlx_schedule_read_trace(RlxStore *store, const char *text, size_t size, RlxTrace *out,
                             uint32_t *out_line, RlxError *err) {
  *out_line = 0;
  if (is_json(text)) return rlx_schedule_read_json(store, text, size, out, err);
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(store, text, (uint32_t)size, out, &sink);
  bool ok = sink.diags.count == 0;
  if (!ok) {
    const RlxDiag *d = sink.diags.at[0];
    *out_line = 1;
    for (uint32_t i = 0; i < d->span.start && text[i]; i++) *out_line += text[i] == '\n';
    rlx_error_set(err, "%s", d->message);
    rlx_error_code(err, rlx_diag_row(d->id)->code);
  }
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  return ok;
}
