/// `rlx prove`: questions to the prover (spec 1.2), with the reason or numbers that decide
/// otherwise.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/ask/place_facts.h"
#include "analyzer/struct_info/sinfo.h"
#include "analyzer/symbolic/prove.h"
#include "analyzer/words/prim_read.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "cli/source.h"
#include "config/modules.h"

enum { PROVE_VARS = 16 };

typedef struct Question {
  RlxStore *store;
  RlxArgs givens, integers;
  const RlxPrim *goal;
  Vec(RlxFacts) facts; // reserved before the first is linked, so they do not move
  const RlxFacts *newest;
  uint64_t scope;       // of the names: 1, or a function's
  bool may_be_negative; // names that no buffer's shape has
} Question;

/// A name is a dimension, so >= 0, unless --integer names it.
static const RlxPrim *resolve(RlxStore *store, RlxName name, void *data) {
  const Question *q = data;
  const RlxPrim *var = rlx_prim_var(store, rlx_symvar(store, q->scope, name, RLX_INT64, false));
  if (q->may_be_negative) return var;
  for (uint32_t i = 0; i < q->integers.count; i++)
    if (strcmp(q->integers.at[i], rlx_store_text(store, name)) == 0) return var;
  rlx_sinfo_shape(store, &var, 1); // marks it as a dimension
  return var;
}

/// Reads one expression; reports to standard error.
static const RlxPrim *read_text(Question *q, const RlxUsage *usage, const char *text) {
  RlxError err = {0};
  const RlxPrim *p = rlx_prim_read(q->store, text, resolve, q, &err);
  if (!p) rlx_usage_error(usage, "cannot read '%.200s': %s", text, err.text);
  return p;
}

static bool read_givens(Question *q, const RlxUsage *usage) {
  rlx_vec_reserve(&q->facts, q->givens.count);
  for (uint32_t i = 0; i < q->givens.count; i++) {
    const RlxPrim *given = read_text(q, usage, q->givens.at[i]);
    if (!given) return false;
    if (!rlx_dtype_is_bool(given->dtype)) {
      rlx_usage_error(usage, "--given '%.200s' is not a condition", q->givens.at[i]);
      return false;
    }
    if (rlx_prove(q->store, q->newest, given) == RLX_NO) {
      rlx_usage_error(usage, "--given '%.200s' cannot hold", q->givens.at[i]);
      return false;
    }
    rlx_vec_push(&q->facts, (RlxFacts){q->newest, given, NULL});
    q->newest = &rlx_vec_last(&q->facts);
  }
  return true;
}

static const char *answer_text(RlxProof answer) {
  switch (answer) {
  case RLX_YES: return "yes";
  case RLX_NO: return "no";
  case RLX_UNKNOWN: break;
  }
  return "unknown";
}

static void put_prim(Question *q, RlxJson *json, const char *key, const RlxPrim *p) {
  RlxBuf text = {0};
  rlx_prim_print(q->store, p, &text);
  rlx_json_key_text(json, key, rlx_buf_text(&text));
  rlx_buf_free(&text);
}

/// The values of an example as an object, or null.
static void put_example(Question *q, RlxJson *json, const char *key, bool value) {
  const RlxSymVar *vars[PROVE_VARS];
  int64_t values[PROVE_VARS];
  int count = rlx_prove_example(q->store, q->newest, q->goal, value, vars, values, PROVE_VARS);
  rlx_json_key(json, key);
  if (count < 0) {
    rlx_json_null(json);
    return;
  }
  rlx_json_begin(json, '{');
  for (int i = 0; i < count; i++)
    rlx_json_key_int(json, rlx_store_text(q->store, vars[i]->name), values[i]);
  rlx_json_end(json, '}');
}

static void put_lines(RlxJson *json, const char *text) {
  rlx_json_begin(json, '[');
  while (*text) {
    size_t size = strcspn(text, "\n");
    rlx_json_textn(json, text, size);
    text += size + (text[size] == '\n');
  }
  rlx_json_end(json, ']');
}

static void put_bound(RlxJson *json, const char *key, int64_t value, int64_t none) {
  rlx_json_key(json, key);
  if (value == none)
    rlx_json_null(json);
  else
    rlx_json_int(json, value);
}

static void print_json(Question *q, bool is_condition, RlxProof answer, const char *reason) {
  RlxBuf out = {0};
  RlxJson json = {.out = &out};
  rlx_json_begin(&json, '{');
  rlx_json_key_int(&json, "rlx", 1);
  put_prim(q, &json, "expression", q->goal);
  rlx_json_key(&json, "given");
  rlx_json_begin(&json, '[');
  for (uint32_t i = 0; i < q->givens.count; i++) rlx_json_text(&json, q->givens.at[i]);
  rlx_json_end(&json, ']');
  put_prim(q, &json, "simplified", rlx_prim_simplify(q->store, q->goal));
  if (is_condition) {
    rlx_json_key_text(&json, "answer", answer_text(answer));
    rlx_json_key(&json, "reason");
    put_lines(&json, reason);
    put_example(q, &json, "example", true);
    put_example(q, &json, "counterexample", false);
  } else {
    int64_t min, max;
    rlx_prim_bounds(q->store, q->newest, q->goal, &min, &max);
    put_bound(&json, "min", min, INT64_MIN);
    put_bound(&json, "max", max, INT64_MAX);
  }
  rlx_json_end(&json, '}');
  puts(rlx_buf_text(&out));
  rlx_buf_free(&out);
}

static void print_text(Question *q, bool is_condition, RlxProof answer, const char *reason) {
  if (is_condition) {
    puts(answer_text(answer));
    for (const char *at = reason; *at;) {
      size_t size = strcspn(at, "\n");
      printf("  %.*s\n", (int)size, at);
      at += size + (at[size] == '\n');
    }
    return;
  }
  RlxBuf text = {0};
  int64_t min, max;
  rlx_prim_print(q->store, rlx_prim_simplify(q->store, q->goal), &text);
  puts(rlx_buf_text(&text));
  rlx_buf_free(&text);
  rlx_prim_bounds(q->store, q->newest, q->goal, &min, &max);
  if (min != INT64_MIN) printf("  at least %lld\n", (long long)min);
  if (max != INT64_MAX) printf("  at most %lld\n", (long long)max);
}

static int answer_question(Question *q, const RlxUsage *usage, const char *text, bool as_json) {
  if (!read_givens(q, usage)) return RLX_EXIT_USAGE;
  q->goal = read_text(q, usage, text);
  if (!q->goal) return RLX_EXIT_USAGE;
  bool is_condition = rlx_dtype_is_bool(q->goal->dtype);
  RlxBuf reason = {0};
  RlxProof answer = RLX_YES;
  if (is_condition) answer = rlx_prove_explain(q->store, q->newest, q->goal, &reason);
  if (as_json)
    print_json(q, is_condition, answer, rlx_buf_text(&reason));
  else
    print_text(q, is_condition, answer, rlx_buf_text(&reason));
  rlx_buf_free(&reason);
  return answer == RLX_YES ? RLX_EXIT_OK : RLX_EXIT_FINDINGS;
}

/// The question under what holds at FILE:LINE.
static int answer_at(Question *q, const RlxUsage *usage, RlxAnalyzer *analyzer, const char *at,
                     const char *text, bool as_json) {
  const char *colon = strrchr(at, ':');
  char *end = NULL;
  unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
  if (!colon || colon == at || end == colon + 1 || *end || !line)
    return rlx_usage_error(usage, "--at takes FILE:LINE, not '%.200s'", at);
  char *path = rlx_mem_strndup(at, (size_t)(colon - at));
  RlxBuf content = {0};
  RlxError err = {0};
  int code = RLX_EXIT_USAGE;
  if (!rlx_source_read(path, &content, &err))
    rlx_text_say(stderr, "rlx prove: %s", err.text);
  else {
    RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&content), (uint32_t)content.size);
    RlxProject project;
    rlx_project_attach(&project, file, path, NULL);
    RlxArena *arena = rlx_arena_new();
    RlxPlaceFacts place;
    const RlxLines *lines = rlx_document_lines(rlx_file_document(file));
    uint32_t start = line <= rlx_lines_count(lines) ? rlx_lines_start(lines, (uint32_t)line - 1)
                                                    : (uint32_t)content.size;
    while (start < content.size && (content.at[start] == ' ' || content.at[start] == '\t')) start++;
    if (!rlx_file_place_facts(file, start, arena, &place))
      code = rlx_usage_error(usage, "there is no function at '%.200s'", at);
    else {
      q->newest = place.facts;
      q->scope = place.scope;
      q->may_be_negative = !place.names_are_dimensions;
      code = answer_question(q, usage, text, as_json);
    }
    rlx_arena_free(arena);
    rlx_file_close(file);
    rlx_project_deinit(&project);
  }
  rlx_buf_free(&content);
  free(path);
  return code;
}

int rlx_cmd_prove(int argc, char **argv) {
  static const char *const formats[] = {"text", "json", NULL};
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  Question q = {.store = rlx_analyzer_store(analyzer), .scope = 1};
  const char *at = NULL;
  int format = 0, code = RLX_EXIT_OK;
  const RlxOption options[] = {
      rlx_option_list("given", &q.givens, "CONDITION", "assume it; may be repeated"),
      rlx_option_list("integer", &q.integers, "NAME", "this name may be negative; may be repeated"),
      rlx_option_text(
          "at", &at, "FILE:LINE",
          "assume what holds before this line: loops, block axes, assertions, match_casts"),
      rlx_option_choice("format", &format, NULL, formats, "how to print"),
  };
  RlxUsage usage = {
      "prove", "EXPR",
      "Proves or refutes a condition over symbolic integers: yes (it always holds), no (there are\n"
      "numbers for which it does not) or unknown, and why.\n"
      "Names are dimensions, so at least 0. An expression that is no condition is simplified.\n"
      "Exit code: 0 for yes, 1 for no and unknown.",
      options, sizeof options / sizeof options[0]};
  RlxArgs args = {0};
  if (rlx_options_parse(&usage, argc, argv, &args, &code)) {
    if (args.count != 1)
      code = rlx_usage_error(&usage, "needs one expression");
    else if (at)
      code = answer_at(&q, &usage, analyzer, at, args.at[0], format == 1);
    else
      code = answer_question(&q, &usage, args.at[0], format == 1);
  }
  rlx_args_free(&args);
  rlx_args_free(&q.givens);
  rlx_args_free(&q.integers);
  rlx_vec_free(&q.facts);
  rlx_analyzer_free(analyzer);
  return code;
}
