/// Completion and signature help. What is offered comes from the text before the cursor: behind
/// `R.` operators and StructInfo constructors, behind `cls.` functions, inside dtype strings
/// dtypes, else variables in scope and the call's parameters.
#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/dialect_at.h"
#include "analyzer/words/dialect.h"
#include "base/mem.h"
#include "server/methods/methods.h"
#include "server/words/describe.h"

enum {
  KIND_METHOD = 2,
  KIND_FUNCTION = 3,
  KIND_VARIABLE = 6,
  KIND_CLASS = 7,
  KIND_MODULE = 9,
  KIND_PROPERTY = 10,
  KIND_VALUE = 12,
  KIND_SNIPPET = 15
}; // LSP's

static bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c & 0x80);
}

enum { VARIABLES_MAX = 120 }; // in one answer

typedef struct Context {
  const char *prefix; ///< dotted text before the cursor: "R.nn.re"
  uint32_t size;
  bool in_string;
} Context;

static Context context_at(const char *text, uint32_t offset) {
  Context c = {0};
  uint32_t line = offset;
  while (line && text[line - 1] != '\n') line--;
  char quote = 0;
  for (uint32_t i = line; i < offset; i++) {
    if (quote && text[i] == quote)
      quote = 0;
    else if (!quote && (text[i] == '"' || text[i] == '\''))
      quote = text[i];
  }
  uint32_t start = offset;
  while (start > line && (is_word(text[start - 1]) || text[start - 1] == '.')) start--;
  c.prefix = text + start;
  c.size = offset - start;
  c.in_string = quote != 0;
  return c;
}

static void begin_item(RlxJson *json, const char *label, size_t size, int kind) {
  rlx_json_begin(json, '{');
  rlx_json_key(json, "label");
  rlx_json_textn(json, label, size);
  rlx_json_key(json, "kind");
  rlx_json_int(json, kind);
}

/// Names of the next level below `R.<inner>`: operators whose spelling starts with `inner`, and
/// inner namespaces once.
static void complete_ops(const char *inner, uint32_t size, RlxJson *json) {
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  Vec(const char *) spaces = {0};
  for (int i = 0; i < count; i++) {
    for (const char *at = rows[i].script; *at;) {
      size_t length = strcspn(at, " ");
      if (length > size && !strncmp(at, inner, size)) {
        const char *rest = at + size;
        size_t dot = strcspn(rest, ". ");
        if (rest[dot] == '.') {
          bool seen = false;
          for (uint32_t k = 0; k < spaces.count; k++) seen |= !strncmp(spaces.at[k], rest, dot + 1);
          if (!seen) {
            rlx_vec_push(&spaces, rest);
            begin_item(json, rest, dot, KIND_MODULE);
            rlx_json_end(json, '}');
          }
        } else {
          RlxBuf signature = {0};
          rlx_describe_signature(&rows[i], &signature, NULL);
          begin_item(json, rest, dot, KIND_FUNCTION);
          rlx_json_key(json, "detail");
          rlx_json_text(json, rlx_buf_text(&signature));
          rlx_json_key(json, "data");
          rlx_json_begin(json, '{');
          rlx_json_key(json, "op");
          rlx_json_textn(json, at, length);
          rlx_json_end(json, '}');
          rlx_json_end(json, '}');
          rlx_buf_free(&signature);
        }
      }
      at += length;
      while (*at == ' ') at++;
    }
  }
  rlx_vec_free(&spaces);
}

typedef struct Word {
  const char *label, *detail;
  int kind;
} Word;

static const Word relax_words[] = {
    {"Tensor", "StructInfo of a tensor", KIND_CLASS},
    {"Shape", "StructInfo of a shape", KIND_CLASS},
    {"Prim", "StructInfo of a scalar", KIND_CLASS},
    {"Tuple", "StructInfo of a tuple", KIND_CLASS},
    {"Callable", "StructInfo of a function", KIND_CLASS},
    {"Object", "StructInfo of anything", KIND_CLASS},
    {"function", "a Relax function", KIND_METHOD},
    {"dataflow", "a dataflow block", KIND_METHOD},
    {"output", "outputs of a dataflow block", KIND_METHOD},
    {"const", "a constant tensor", KIND_METHOD},
    {"shape", "a shape value", KIND_METHOD},
    {"prim_value", "a scalar value", KIND_METHOD},
    {"tuple", "a tuple value", KIND_METHOD},
    {"func_attr", "attributes of the function", KIND_METHOD},
    {"str", "a string value", KIND_METHOD},
    {"dtype", "a dtype value", KIND_METHOD},
};
static const Word module_words[] = {{"ir_module", "a module", KIND_METHOD},
                                    {"module_attrs", "attributes of the module", KIND_METHOD},
                                    {"module_global_infos", "devices and meshes", KIND_METHOD},
                                    {"vdevice", "a virtual device", KIND_METHOD},
                                    {"pyfunc", "a Python function", KIND_METHOD}};
static const Word dtype_words[] = {
    {"float32", NULL, KIND_VALUE}, {"float16", NULL, KIND_VALUE}, {"bfloat16", NULL, KIND_VALUE},
    {"float64", NULL, KIND_VALUE}, {"int8", NULL, KIND_VALUE},    {"int16", NULL, KIND_VALUE},
    {"int32", NULL, KIND_VALUE},   {"int64", NULL, KIND_VALUE},   {"uint8", NULL, KIND_VALUE},
    {"uint16", NULL, KIND_VALUE},  {"uint32", NULL, KIND_VALUE},  {"uint64", NULL, KIND_VALUE},
    {"bool", NULL, KIND_VALUE}};

static void complete_words(const Word *words, size_t count, RlxJson *json) {
  for (size_t i = 0; i < count; i++) {
    begin_item(json, words[i].label, strlen(words[i].label), words[i].kind);
    if (words[i].detail) {
      rlx_json_key(json, "detail");
      rlx_json_text(json, words[i].detail);
    }
    rlx_json_end(json, '}');
  }
}
#define complete_table(table, json) complete_words((table), sizeof(table) / sizeof *(table), (json))

/// Words with root `root` that the dialect of the place has and not all dialects, so far as `known`
/// does not list them.
static void complete_dialect(RlxDialect dialect, char root, const Word *known, size_t known_count,
                             RlxJson *json) {
  for (int i = 0; i < RLX_SPELLING_COUNT; i++) {
    const RlxSpellingRow *row = rlx_spelling_row((RlxSpellingId)i);
    const char *cell = row->cells[dialect];
    for (size_t n = 0; row->kind == RLX_SPELLING_PATH && *cell; cell += n + (cell[n] == ' ')) {
      n = strcspn(cell, " ");
      bool is_known = n < 3 || cell[0] != root || memchr(cell + 2, '.', n - 2) ||
                      (root == 'R' && rlx_op_find(cell + 2, n - 2));
      for (size_t k = 0; k < known_count; k++)
        is_known |= strlen(known[k].label) == n - 2 && !memcmp(known[k].label, cell + 2, n - 2);
      if (is_known) continue;
      begin_item(json, cell + 2, n - 2, KIND_METHOD);
      rlx_json_key(json, "detail");
      rlx_json_text(json, row->meaning);
      rlx_json_end(json, '}');
    }
  }
}

static void complete_functions(RlxServer *server, RlxOpenFile *file, RlxJson *json) {
  RlxFunctionViews views = {0};
  rlx_file_functions(file->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    const char *name = rlx_store_text(rlx_analyzer_store(server->analyzer), views.at[i].name);
    begin_item(json, name, strlen(name), KIND_FUNCTION);
    rlx_json_end(json, '}');
  }
  rlx_vec_free(&views);
}

/// The variables in scope that begin as the word before the cursor does, nearest first. True when
/// there were too many: the client asks again with a longer word.
static bool complete_variables(RlxServer *server, RlxOpenFile *file, uint32_t offset,
                               const Context *c, RlxJson *json) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  RlxVars vars = {0};
  rlx_file_scope_at(file->file, offset, c->prefix, c->size, VARIABLES_MAX, &vars);
  bool is_cut = vars.count == VARIABLES_MAX;
  for (uint32_t i = 0; i < vars.count; i++) {
    const char *name = rlx_store_text(store, vars.at[i]->name);
    if (!*name) continue;
    RlxBuf detail = {0};
    if (vars.at[i]->sinfo) rlx_sinfo_print(store, vars.at[i]->sinfo, &detail);
    begin_item(json, name, strlen(name), KIND_VARIABLE);
    rlx_json_key(json, "detail");
    rlx_json_text(json, rlx_buf_text(&detail));
    rlx_json_end(json, '}');
    rlx_buf_free(&detail);
  }
  rlx_vec_free(&vars);
  static const Word namespaces[] = {
      {"R", "Relax", KIND_MODULE}, {"T", "TensorIR", KIND_MODULE}, {"I", "modules", KIND_MODULE}};
  complete_table(namespaces, json);
  return is_cut;
}

static const RlxOpRow *open_call(const char *text, uint32_t offset, int *argument,
                                 RlxSpan *keyword);

/// `axis=` and the other parameters of the operator whose call the cursor is in, unless it is
/// behind a `name=`.
static void complete_keywords(const char *text, uint32_t offset, RlxJson *json) {
  int argument;
  RlxSpan keyword;
  const RlxOpRow *row = open_call(text, offset, &argument, &keyword);
  for (int i = 0; row && !keyword.end && i < row->param_count; i++) {
    RlxBuf label = {0};
    rlx_buf_puts(&label, row->params[i].name);
    rlx_buf_puts(&label, "=");
    begin_item(json, rlx_buf_text(&label), label.size, KIND_PROPERTY);
    if (row->params[i].meaning) {
      rlx_json_key(json, "detail");
      rlx_json_text(json, row->params[i].meaning);
    }
    rlx_json_end(json, '}');
    rlx_buf_free(&label);
  }
}

RlxRpcCode rlx_lsp_completion(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file;
  uint32_t offset, size;
  RlxRpcCode code = rlx_server_at(server, params, &file, &offset);
  if (code != RLX_RPC_OK) return code;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  Context c = context_at(text, offset);
  uint32_t inner = c.size; // up to and with the last dot
  while (inner && c.prefix[inner - 1] != '.') inner--;
  uint32_t head = 0; // the first component
  while (head < c.size && c.prefix[head] != '.') head++;
  bool is_relax = (head == 1 && *c.prefix == 'R') || (head == 5 && !strncmp(c.prefix, "relax", 5));
  rlx_json_begin(result, '{');
  bool is_cut = false;
  rlx_json_key(result, "items");
  rlx_json_begin(result, '[');
  if (c.in_string) {
    complete_table(dtype_words, result);
  } else if (inner && is_relax) {
    if (inner == head + 1) {
      complete_table(relax_words, result);
      complete_dialect(rlx_file_dialect_at(file->file, offset), 'R', relax_words,
                       sizeof relax_words / sizeof *relax_words, result);
    }
    complete_ops(c.prefix + head + 1, inner - head - 1, result);
  } else if (inner == 2 && *c.prefix == 'I') {
    complete_table(module_words, result);
  } else if (inner == 2 && *c.prefix == 'T') {
    complete_table(dtype_words, result);
    complete_dialect(rlx_file_dialect_at(file->file, offset), 'T', NULL, 0, result);
  } else if (inner) {
    complete_functions(server, file, result);
  } else {
    complete_keywords(text, offset, result);
    is_cut = complete_variables(server, file, offset, &c, result);
  }
  rlx_json_end(result, ']');
  rlx_json_key(result, "isIncomplete");
  rlx_json_bool(result, is_cut);
  rlx_json_end(result, '}');
  return RLX_RPC_OK;
}

/// The item again, with the operator's page.
RlxRpcCode rlx_lsp_completion_resolve(RlxServer *server, const cJSON *params, RlxJson *result) {
  if (!cJSON_IsObject(params)) return RLX_RPC_INVALID_PARAMS;
  const char *name = rlx_json_string(rlx_json_get(params, "data"), "op");
  const RlxOpRow *row = name ? rlx_op_find(name, strlen(name)) : NULL;
  char *item = cJSON_PrintUnformatted(params);
  size_t size = strlen(item);
  if (row && size) {
    RlxBuf text = {0};
    rlx_describe_op(row, &text);
    rlx_buf_putn(result->out, item, size - 1); // without its closing brace
    RlxJson rest = {.out = result->out, .needs_comma = size > 2};
    rlx_json_key(&rest, "documentation");
    if (server->can_markdown_items) {
      rlx_json_begin(&rest, '{');
      rlx_json_key(&rest, "kind");
      rlx_json_text(&rest, "markdown");
      rlx_json_key(&rest, "value");
      rlx_json_text(&rest, rlx_buf_text(&text));
      rlx_json_end(&rest, '}');
    } else {
      rlx_json_text(&rest, rlx_buf_text(&text));
    }
    rlx_json_end(&rest, '}');
    rlx_buf_free(&text);
  } else {
    rlx_json_raw(result, item, size);
  }
  cJSON_free(item);
  return RLX_RPC_OK;
}

// ------------------------------------------------------------------ signature help

/// The operator call around `offset`: walks back over the text to the open parenthesis; `*argument`
/// counts commas.
static const RlxOpRow *open_call(const char *text, uint32_t offset, int *argument,
                                 RlxSpan *keyword) {
  int depth = 0;
  *argument = 0;
  *keyword = rlx_span(0, 0);
  uint32_t limit = offset > 8192 ? offset - 8192 : 0, word_end = 0;
  for (uint32_t i = offset; i-- > limit;) {
    char ch = text[i];
    if (ch == ')' || ch == ']' || ch == '}')
      depth++;
    else if ((ch == '[' || ch == '{') && depth)
      depth--;
    else if (ch == ',' && !depth)
      (*argument)++;
    else if (ch == '=' && !depth && !*argument)
      word_end = i;
    else if (ch == '(' && depth)
      depth--;
    else if (ch == '(') {
      uint32_t start = i;
      while (start > limit && (is_word(text[start - 1]) || text[start - 1] == '.')) start--;
      if (word_end) {
        uint32_t from = word_end;
        while (from > limit && is_word(text[from - 1])) from--;
        *keyword = rlx_span(from, word_end);
      }
      if (i - start > 2 && text[start] == 'R' && text[start + 1] == '.')
        return rlx_op_find(text + start + 2, i - start - 2);
      return NULL;
    }
  }
  return NULL;
}

RlxRpcCode rlx_lsp_signature_help(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file;
  uint32_t offset, size;
  RlxRpcCode code = rlx_server_at(server, params, &file, &offset);
  if (code != RLX_RPC_OK) return code;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  int argument;
  RlxSpan keyword;
  const RlxOpRow *row = open_call(text, offset, &argument, &keyword);
  if (!row) return RLX_RPC_OK;
  for (int i = 0; keyword.end && i < row->param_count; i++) {
    if (strlen(row->params[i].name) == keyword.end - keyword.start &&
        !strncmp(row->params[i].name, text + keyword.start, keyword.end - keyword.start))
      argument = i;
  }
  RlxBuf label = {0};
  RlxSpan *parts = rlx_mem_zeroed((size_t)row->param_count + 1, sizeof *parts);
  rlx_describe_signature(row, &label, parts);
  rlx_json_begin(result, '{');
  rlx_json_key(result, "signatures");
  rlx_json_begin(result, '[');
  rlx_json_begin(result, '{');
  rlx_json_key(result, "label");
  rlx_json_text(result, rlx_buf_text(&label));
  rlx_json_key(result, "documentation");
  rlx_json_textn(result, row->doc, strcspn(row->doc, "\n"));
  rlx_json_key(result, "parameters");
  rlx_json_begin(result, '[');
  for (int i = 0; parts && i < row->param_count; i++) {
    rlx_json_begin(result, '{');
    rlx_json_key(result, "label"); // the spelling is ASCII: bytes are units in every encoding
    rlx_json_begin(result, '[');
    rlx_json_int(result, parts[i].start);
    rlx_json_int(result, parts[i].end);
    rlx_json_end(result, ']');
    if (row->params[i].meaning) {
      rlx_json_key(result, "documentation");
      rlx_json_text(result, row->params[i].meaning);
    }
    rlx_json_end(result, '}');
  }
  rlx_json_end(result, ']');
  rlx_json_end(result, '}');
  rlx_json_end(result, ']');
  rlx_json_key(result, "activeSignature");
  rlx_json_int(result, 0);
  rlx_json_key(result, "activeParameter");
  rlx_json_int(result, argument < row->param_count ? argument
                       : row->param_count          ? row->param_count - 1
                                                   : 0);
  rlx_json_end(result, '}');
  free(parts);
  rlx_buf_free(&label);
  return RLX_RPC_OK;
}
