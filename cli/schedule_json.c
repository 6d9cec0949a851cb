/// Steps of a schedule from JSON.
#include "cli/schedule.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

typedef struct Reader {
  RlxArena *arena;
  RlxError *err;
  const char *where; ///< the primitive whose arguments are read
} Reader;

static bool read_value(Reader *r, const cJSON *j, RlxScheduleValue *out);

static const char *text_of(Reader *r, const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsString(item) ? rlx_arena_strdup(r->arena, item->valuestring) : NULL;
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
  out->text = rlx_arena_strdup(r->arena, rlx_buf_text(&text));
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
  } else if (strcmp(kind, "buffer") == 0) {
    const char *type = text_of(r, j, "type");
    out->kind = RLX_SCHEDULE_BUFFER;
    out->is_write = type && strcmp(type, "write") == 0;
    ref.name = text_of(r, j, "name");
    ref.index = index_of(j, "index");
  } else if (strcmp(kind, "index_map") == 0) {
    out->kind = RLX_SCHEDULE_LAMBDA;
    out->text = text_of(r, j, "text");
    RlxScheduleValue *separators = rlx_arena_one(r->arena, RlxScheduleValue);
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(j, "axis_separators");
    if (cJSON_IsArray(given) && cJSON_GetArraySize(given) > 0 && read_list(r, given, separators))
      out->more = separators;
    return out->text || rlx_error_set(r->err, "%s: an index map has a \"text\"", r->where);
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
  const char *name = text_of(r, j, "primitive");
  if (!name) return rlx_error_set(r->err, "step %d has no \"primitive\"", number);
  out->primitive = rlx_primitive_find(name);
  if (!out->primitive) {
    out->primitive = rlx_primitive_unknown(r->arena, name);
    return true;
  }
  r->where = name;
  const cJSON *arg;
  cJSON_ArrayForEach(arg, cJSON_GetObjectItemCaseSensitive(j, "args")) {
    int at = -1;
    for (int i = 0; i < rlx_primitive_param_count(out->primitive); i++)
      if (strcmp(out->primitive->params[i].name, arg->string) == 0) at = i;
    if (at < 0) {
      out->problem = rlx_arena_printf(r->arena, "there is no parameter `%s`", arg->string);
      continue;
    }
    if (!read_value(r, arg, &out->args[at])) return false;
  }
  read_intrinsic(r, j, out);
  out->target = text_of(r, j, "target");
  return true;
}

bool rlx_schedule_read_json(const char *text, size_t size, RlxTrace *out, RlxError *err) {
  *out = (RlxTrace){.arena = rlx_arena_new()};
  Reader r = {out->arena, err, ""};
  cJSON *root = cJSON_ParseWithLength(text, size);
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
