/// Traces as TVM itself writes them in JSON: [[[kind, inputs, attributes, outputs], …], [[number, decision], …]].
///
/// They become the text that TVM prints of the same trace, so that one reader knows what steps are. Values are texts there: names of what
/// earlier instructions gave ("l3"), numbers ("4"), "None", `"quoted"` texts, and index maps as graphs of objects.
#include "cli/tvm_trace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/schedule/schedule.h"
#include "base/json.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

enum { TEXT_MAX = 1 << 20, DEPTH_MAX = 64 };

typedef struct Instruction {
  const char *kind, *primitive, *inputs, *attributes;
  bool gives_list;
} Instruction;

static const Instruction instructions[] = {
#define LIST true
#define ONE  false
#define RLX_TVM_INSTRUCTION(kind, primitive, inputs, attributes, gives)                            \
  {#kind, #primitive, inputs, attributes, gives},
#include "cli/tvm_instructions.def"
#undef RLX_TVM_INSTRUCTION
#undef ONE
#undef LIST
};

typedef struct Converter {
  RlxBuf *out;
  RlxError *err;
  int number; ///< of the instruction, from 1
  const char *kind;
} Converter;

static bool fail(Converter *c, const char *what) {
  return rlx_error_set(c->err, "instruction %d of the trace (%s): %s", c->number, c->kind, what);
}

const cJSON *rlx_tvm_trace_in(const cJSON *root) {
  const cJSON *first = cJSON_GetArrayItem(root, 0);
  if (!cJSON_IsArray(root) || cJSON_GetArraySize(root) != 2) return NULL;
  if (cJSON_IsNumber(first)) // a record: [workload, [trace, run_secs, target, args_info]]
    return rlx_tvm_trace_in(cJSON_GetArrayItem(cJSON_GetArrayItem(root, 1), 0));
  const cJSON *one = cJSON_GetArrayItem(first, 0);
  bool is_trace = cJSON_IsArray(first) && cJSON_IsArray(cJSON_GetArrayItem(root, 1));
  return is_trace && (!one ||
                      (cJSON_GetArraySize(one) == 4 && cJSON_IsString(cJSON_GetArrayItem(one, 0))))
             ? root
             : NULL;
}

// ---- index maps

/// The nodes of a graph, and which of them are inputs.
typedef struct Graph {
  Vec(const cJSON *) nodes;
  RlxMap vars; ///< number of a node to which input it is
} Graph;

/// What node `at` of a graph is; NULL: there is none.
static const cJSON *node(const Graph *graph, const cJSON *at, const char **type) {
  const bool is_there =
      cJSON_IsNumber(at) && at->valuedouble >= 0 && at->valuedouble < graph->nodes.count;
  const cJSON *n = is_there ? graph->nodes.at[(uint32_t)at->valuedouble] : NULL;
  const cJSON *name = cJSON_GetObjectItemCaseSensitive(n, "type");
  *type = cJSON_IsString(name) ? name->valuestring : "";
  const char *dot = strrchr(*type, '.');
  if (dot) *type = dot + 1;
  return cJSON_GetObjectItemCaseSensitive(n, "data");
}

/// 4, T.int8(4), T.float32(0.5): a number of an index, or of what a padding holds.
static bool put_number(Converter *c, const cJSON *data) {
  const cJSON *value = cJSON_GetObjectItemCaseSensitive(data, "value"),
              *dtype = cJSON_GetObjectItemCaseSensitive(data, "dtype");
  const char *name = cJSON_IsString(dtype) ? dtype->valuestring : "";
  RlxDType read;
  bool is_index = strcmp(name, "int32") == 0 || strcmp(name, "int64") == 0;
  if (!cJSON_IsNumber(value) || !rlx_dtype_parse(name, strlen(name), &read))
    return fail(c, "a number of its index map cannot be read");
  RlxJson json = {.out = c->out};
  if (!is_index) rlx_buf_printf(c->out, "T.%s(", name);
  if (rlx_dtype_is_float(read))
    rlx_json_number(&json, value->valuedouble);
  else
    rlx_buf_printf(c->out, "%.0f", value->valuedouble);
  if (!is_index) rlx_buf_putc(c->out, ')');
  return true;
}

/// An index as an expression.
static bool put_index(Converter *c, const Graph *graph, const cJSON *at, int depth) {
  static const struct {
    const char *type, *sign;
  } binary[] = {{"Add", "+"}, {"Sub", "-"}, {"Mul", "*"}, {"FloorDiv", "//"}, {"FloorMod", "%"}};
  const char *type;
  const cJSON *data = node(graph, at, &type);
  if (depth > DEPTH_MAX || c->out->size > TEXT_MAX) return fail(c, "its index map is too large");
  if (strcmp(type, "Var") == 0) {
    uint64_t i;
    if (!rlx_map_get(&graph->vars, (uint64_t)at->valuedouble, &i))
      return fail(c, "its index map has a variable that is none of its inputs");
    rlx_buf_printf(c->out, "i%d", (int)i);
    return true;
  }
  if (strcmp(type, "IntImm") == 0 || strcmp(type, "FloatImm") == 0) return put_number(c, data);
  for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
    if (strcmp(type, binary[i].type) != 0) continue;
    rlx_buf_putc(c->out, '(');
    if (!put_index(c, graph, cJSON_GetObjectItemCaseSensitive(data, "a"), depth + 1)) return false;
    rlx_buf_printf(c->out, " %s ", binary[i].sign);
    if (!put_index(c, graph, cJSON_GetObjectItemCaseSensitive(data, "b"), depth + 1)) return false;
    rlx_buf_putc(c->out, ')');
    return true;
  }
  return fail(c, "its index map cannot be read");
}

/// Finds the nodes, and which of them the map's inputs are; the map's data, or NULL.
static const cJSON *read_graph(const cJSON *json, Graph *graph) {
  const cJSON *one, *vars;
  const char *type;
  cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(json, "nodes"))
      rlx_vec_push(&graph->nodes, one);
  const cJSON *map = node(graph, cJSON_GetObjectItemCaseSensitive(json, "root_index"), &type);
  if (!map || strcmp(type, "IndexMap") != 0) return NULL;
  vars = node(graph, cJSON_GetObjectItemCaseSensitive(map, "initial_indices"), &type);
  if (!cJSON_IsArray(vars)) return NULL;
  uint64_t i = 0;
  cJSON_ArrayForEach(one, vars) {
    const bool is_node = cJSON_IsNumber(one) && one->valuedouble >= 0 && one->valuedouble < 1e9;
    const uint64_t number = is_node ? (uint64_t)one->valuedouble : UINT64_MAX;
    if (is_node && !rlx_map_get(&graph->vars, number, NULL)) rlx_map_put(&graph->vars, number, i);
    i++;
  }
  return map;
}

static bool put_map(Converter *c, const Graph *graph, const cJSON *map) {
  const char *type;
  const cJSON *vars = node(graph, cJSON_GetObjectItemCaseSensitive(map, "initial_indices"), &type),
              *ends = node(graph, cJSON_GetObjectItemCaseSensitive(map, "final_indices"), &type),
              *end;
  if (!cJSON_IsArray(ends)) return fail(c, "its index map cannot be read");
  bool ok = true;
  int count = cJSON_GetArraySize(vars);
  rlx_buf_puts(c->out, "lambda ");
  for (int i = 0; i < count; i++) rlx_buf_printf(c->out, "%si%d", i ? ", " : "", i);
  rlx_buf_puts(c->out, ": (");
  cJSON_ArrayForEach(end, ends) {
    ok = ok && put_index(c, graph, end, 0);
    rlx_buf_puts(c->out, ", ");
  }
  rlx_buf_putc(c->out, ')');
  return ok;
}

/// {"root_index": 13, "nodes": […]} as a lambda; `{'key': 3}`, as Python writes it, is that.
static bool put_graph(Converter *c, const char *text) {
  cJSON *json = cJSON_Parse(text);
  if (!json) {
    rlx_buf_puts(c->out, text);
    return !strpbrk(text, "\r\n") || fail(c, "a value in it cannot be read");
  }
  Graph graph = {0};
  const cJSON *map = read_graph(json, &graph);
  bool ok = map ? put_map(c, &graph, map) : fail(c, "its index map cannot be read");
  rlx_vec_free(&graph.nodes);
  rlx_map_free(&graph.vars);
  cJSON_Delete(json);
  return ok;
}

// ---- values

static void put_quoted(Converter *c, const char *text) {
  RlxJson json = {.out = c->out};
  rlx_json_text(&json, text);
}

/// A text that is a value: `l3`, `-4`, `None`, `T.float32(0.5)`, `"quoted"`, an index map.
static bool put_text(Converter *c, const char *text) {
  if (*text == '{') return put_graph(c, text);
  if (*text == '"') {
    cJSON *inner = cJSON_Parse(text);
    bool ok = cJSON_IsString(inner);
    if (ok) put_quoted(c, inner->valuestring);
    cJSON_Delete(inner);
    return ok || fail(c, "a text in it cannot be read");
  }
  const char *open = strncmp(text, "T.", 2) == 0 ? strchr(text, '(') : NULL;
  size_t size = strlen(text);
  if (open && text[size - 1] == ')') {
    text = open + 1;
    size = strlen(text) - 1;
  }
  bool ok = size > 0 && size < 64;
  for (size_t i = 0; i < size; i++)
    ok = ok && (rlx_text_in_name(text[i]) || strchr("+-.", text[i]));
  if (ok) rlx_buf_putn(c->out, text, size);
  return ok || fail(c, "a value in it cannot be read");
}

static bool put_value(Converter *c, const cJSON *j, RlxTakes takes) {
  if (cJSON_IsArray(j)) {
    const cJSON *item = cJSON_GetArrayItem(j, 0);
    if (takes == RLX_TAKES_INTS && cJSON_GetArraySize(j) == 1 && cJSON_IsArray(item)) j = item;
    rlx_buf_putc(c->out, '[');
    cJSON_ArrayForEach(item, j) {
      if (!put_value(c, item, RLX_TAKES_ANY)) return false;
      rlx_buf_puts(c->out, ", ");
    }
    rlx_buf_putc(c->out, ']');
  } else if (cJSON_IsString(j)) {
    const char *text = j->valuestring;
    bool is_bit = takes == RLX_TAKES_BOOL && (*text == '0' || *text == '1') && !text[1];
    if (is_bit) text = *text == '1' ? "True" : "False";
    if (!rlx_takes_text(takes)) return put_text(c, text);
    put_quoted(c, j->valuestring);
  } else if (cJSON_IsNumber(j)) {
    RlxJson json = {.out = c->out};
    bool is_whole = fabs(j->valuedouble) < 9e15 && j->valuedouble == floor(j->valuedouble);
    if (takes == RLX_TAKES_BOOL)
      rlx_buf_puts(c->out, j->valuedouble != 0 ? "True" : "False");
    else if (is_whole)
      rlx_buf_printf(c->out, "%.0f", j->valuedouble);
    else
      rlx_json_number(&json, j->valuedouble);
  } else if (cJSON_IsObject(j)) {
    const cJSON *item;
    rlx_buf_putc(c->out, '{');
    cJSON_ArrayForEach(item, j) {
      put_quoted(c, item->string);
      rlx_buf_puts(c->out, ": ");
      if (!put_value(c, item, RLX_TAKES_ANY)) return false;
      rlx_buf_puts(c->out, ", ");
    }
    rlx_buf_putc(c->out, '}');
  } else if (cJSON_IsBool(j) || cJSON_IsNull(j))
    rlx_buf_puts(c->out, cJSON_IsNull(j) ? "None" : cJSON_IsTrue(j) ? "True" : "False");
  else
    return fail(c, "a value in it cannot be read");
  return true;
}

// ---- instructions

static RlxTakes takes_of(const Instruction *in, const char *name, size_t size) {
  const RlxPrimitive *p = rlx_primitive_find(in->primitive);
  for (int i = 0; p && i < rlx_primitive_param_count(p); i++)
    if (strlen(p->params[i].name) == size && memcmp(p->params[i].name, name, size) == 0)
      return (RlxTakes)p->params[i].takes;
  return RLX_TAKES_ANY;
}

static bool is_read(const cJSON *side) {
  return cJSON_IsNumber(side) ? side->valuedouble == 0
                              : cJSON_IsString(side) && strcmp(side->valuestring, "0") == 0;
}

/// Values of `list` under the names of `words`, "a b *c"; `comma`: something stands before.
static bool put_arguments(Converter *c, const Instruction *in, const char *words, const cJSON *list,
                          const char **comma) {
  int count = cJSON_GetArraySize(list), at = 0;
  for (const char *w = words; *w;) {
    size_t size = strcspn(w, " ");
    bool is_rest = *w == '*', is_pair = strncmp(w, "buffer side", 11) == 0;
    const char *name = w + is_rest;
    size_t length = size - is_rest;
    if (!is_rest && at >= count) break; // an older TVM had fewer
    rlx_buf_puts(c->out, *comma);
    *comma = ", ";
    if (length) rlx_buf_printf(c->out, "%.*s=", (int)length, name);
    if (is_pair) {
      rlx_buf_printf(c->out, "(\"%s\", ",
                     is_read(cJSON_GetArrayItem(list, at + 1)) ? "read" : "write");
      if (!put_value(c, cJSON_GetArrayItem(list, at), RLX_TAKES_ANY)) return false;
      rlx_buf_putc(c->out, ')');
      at += 2;
      size = strlen("buffer side");
    } else if (is_rest) {
      if (length) rlx_buf_putc(c->out, '[');
      const cJSON *item = cJSON_GetArrayItem(list, at);
      for (int first = at; at < count; at++, item = item->next) {
        if (at > first) rlx_buf_puts(c->out, ", ");
        if (!put_value(c, item, RLX_TAKES_ANY)) return false;
      }
      if (length) rlx_buf_putc(c->out, ']');
    } else {
      const cJSON *item = cJSON_GetArrayItem(list, at++);
      // No consumers named: all of them.
      bool is_none = cJSON_IsArray(item) && !cJSON_GetArraySize(item);
      if (is_none)
        rlx_buf_puts(c->out, "None");
      else if (!put_value(c, item, takes_of(in, name, length)))
        return false;
    }
    w += size + strspn(w + size, " ");
  }
  return true;
}

/// What was drawn, by the numbers of the instructions; of several for one the first counts.
static void read_decisions(const cJSON *decisions, RlxMap *out) {
  const cJSON *pair;
  cJSON_ArrayForEach(pair, decisions) {
    const cJSON *at = cJSON_GetArrayItem(pair, 0);
    double number = cJSON_IsNumber(at) ? at->valuedouble : -1;
    int read = -1;
    if (cJSON_IsString(at) && sscanf(at->valuestring, "%d", &read) == 1) number = read;
    const bool is_one = number >= 0 && number < 1e9 && number == floor(number);
    if (is_one && !rlx_map_get(out, (uint64_t)number, NULL))
      rlx_map_put(out, (uint64_t)number, (uintptr_t)cJSON_GetArrayItem(pair, 1));
  }
}

static bool put_outputs(Converter *c, const Instruction *in, const cJSON *outputs) {
  const cJSON *name;
  int count = cJSON_GetArraySize(outputs), i = 0;
  cJSON_ArrayForEach(name, outputs) {
    if (!cJSON_IsString(name)) return fail(c, "what it gives has no name");
    if (i++) rlx_buf_puts(c->out, ", ");
    if (!put_text(c, name->valuestring)) return false;
  }
  if (count) rlx_buf_puts(c->out, count == 1 && in->gives_list ? ", = " : " = ");
  return true;
}

static bool put_instruction(Converter *c, const cJSON *j, const cJSON *decision) {
  const cJSON *kind = cJSON_GetArrayItem(j, 0), *inputs = cJSON_GetArrayItem(j, 1),
              *attributes = cJSON_GetArrayItem(j, 2), *outputs = cJSON_GetArrayItem(j, 3);
  if (!cJSON_IsString(kind) || !cJSON_IsArray(inputs) || !cJSON_IsArray(attributes) ||
      !cJSON_IsArray(outputs))
    return fail(c, "an instruction is [kind, inputs, attributes, outputs]");
  c->kind = kind->valuestring;
  Instruction unknown = {c->kind, c->kind, "", "", false};
  const Instruction *in = &unknown;
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
    if (strcmp(instructions[i].kind, c->kind) == 0) in = &instructions[i];
  for (const char *t = c->kind; *t; t++)
    if (!rlx_text_in_name(*t)) return fail(c, "its kind is no name");
  const char *comma = "";
  if (!put_outputs(c, in, outputs)) return false;
  rlx_buf_printf(c->out, "sch.%s(", in->primitive);
  if (!put_arguments(c, in, in->inputs, inputs, &comma) ||
      !put_arguments(c, in, in->attributes, attributes, &comma))
    return false;
  if (decision) {
    rlx_buf_printf(c->out, "%sdecision=", comma);
    if (!put_value(c, decision, RLX_TAKES_ANY)) return false;
  }
  rlx_buf_puts(c->out, ")\n");
  return true;
}

bool rlx_tvm_trace_text(const cJSON *trace, RlxBuf *out, RlxError *err) {
  Converter c = {.out = out, .err = err, .kind = "?"};
  const cJSON *j;
  bool ok = true;
  RlxMap decisions = {0};
  read_decisions(cJSON_GetArrayItem(trace, 1), &decisions);
  cJSON_ArrayForEach(j, cJSON_GetArrayItem(trace, 0)) {
    uint64_t drawn = 0;
    rlx_map_get(&decisions, (uint64_t)c.number++, &drawn);
    ok = ok && put_instruction(&c, j, (const cJSON *)(uintptr_t)drawn);
  }
  rlx_map_free(&decisions);
  return ok;
}
