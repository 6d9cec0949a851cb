/// Loop bindings: the rule against what TVM finds (../shared/corpus/tir/itermap, where it is
/// there), and verdicts with their witnesses; random bindings against counting instances.
#include "tests/test.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "analyzer/tir/iter_map.h"
#include "analyzer/words/prim_read.h"
#include "base/buf.h"
#include "base/file.h"

enum { LIST_MAX = 16 };

typedef struct Names { // the variables of one case
  RlxStore *store;
  uint64_t scope;
  const RlxSymVar *units[LIST_MAX]; // loops that run once, and where
  const RlxPrim *unit_values[LIST_MAX];
  int unit_count;
} Names;

static const RlxPrim *by_name(RlxStore *store, RlxName name, void *data) {
  const Names *n = data;
  return rlx_prim_var(store, rlx_symvar(store, n->scope, name, RLX_INT64, false));
}

static const RlxPrim *read_prim(Names *n, const char *text) {
  RlxBuf buf = {0};
  for (const char *at = text; *at; at++) { // integer division is printed as T.Div
    if (strncmp(at, "T.Div(", 6) == 0) {
      rlx_buf_puts(&buf, "T.floordiv(");
      at += 5;
    } else {
      rlx_buf_putc(&buf, *at);
    }
  }
  RlxError err = {0};
  const RlxPrim *p = rlx_prim_read(n->store, rlx_buf_text(&buf), by_name, n, &err);
  rlx_buf_free(&buf);
  return p;
}

static const RlxSymVar *var_named(Names *n, const char *name) {
  return rlx_symvar(n->store, n->scope, rlx_store_intern(n->store, name, strlen(name)), RLX_INT64,
                    false);
}

// ---- TVM's results

static const char *text_at(const cJSON *object, const char *key) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, key));
  return text ? text : "";
}

static bool same(Names *n, const RlxFacts *facts, const RlxPrim *p, const char *text) {
  const RlxPrim *wanted = read_prim(n, text);
  RlxSubst units = {n->units, n->unit_values, n->unit_count, false};
  if (wanted) wanted = rlx_prim_subst(n->store, wanted, &units, NULL);
  return wanted && rlx_prove_equal(n->store, facts, p, wanted) == RLX_YES;
}

static bool sum_agrees(Names *n, const RlxFacts *facts, const RlxIterSum *sum,
                       const cJSON *wanted) {
  const cJSON *splits = cJSON_GetObjectItem(wanted, "sum");
  if (cJSON_GetArraySize(splits) != sum->split_count ||
      !same(n, facts, sum->base, text_at(wanted, "base")))
    return false;
  for (int i = 0; i < sum->split_count; i++) {
    const RlxIterSplit *s = &sum->splits[i];
    const cJSON *w = cJSON_GetArrayItem(splits, i), *source = cJSON_GetObjectItem(w, "source");
    if (!same(n, facts, s->lower_factor, text_at(w, "lower_factor")) ||
        !same(n, facts, s->extent, text_at(w, "extent")) ||
        !same(n, facts, s->scale, text_at(w, "scale")) ||
        !same(n, facts, s->source->extent, text_at(w, "source_extent")))
      return false;
    if (cJSON_IsString(source) != (s->source->leaf != NULL)) return false;
    if (s->source->leaf ? !same(n, facts, s->source->leaf, source->valuestring)
                        : !sum_agrees(n, facts, &s->source->sum, source))
      return false;
  }
  return true;
}

/// Does our map of one recorded call agree with TVM's?
static bool call_agrees(RlxStore *store, uint64_t scope, const cJSON *call) {
  Names n = {.store = store, .scope = scope};
  RlxArena *arena = rlx_arena_new();
  const cJSON *indices = cJSON_GetObjectItem(call, "indices");
  const cJSON *iters = cJSON_GetObjectItem(call, "iters");
  const cJSON *result = cJSON_GetObjectItem(call, "result");
  const RlxPrim *values[LIST_MAX];
  RlxLoopRange loops[LIST_MAX];
  RlxFacts facts[2 * LIST_MAX], *known = NULL;
  RlxIterQuery q = {.indices = values, .loops = loops};
  bool readable = true;
  for (const cJSON *i = indices->child; i; i = i->next) {
    values[q.index_count] = read_prim(&n, i->valuestring);
    readable = readable && values[q.index_count++];
  }
  for (const cJSON *i = iters->child; i; i = i->next) {
    RlxLoopRange *loop = &loops[q.loop_count];
    *loop = (RlxLoopRange){var_named(&n, text_at(i, "var")), read_prim(&n, text_at(i, "min")),
                           read_prim(&n, text_at(i, "extent"))};
    const RlxPrim *var = rlx_prim_var(store, loop->var);
    if (rlx_prim_simplify(store, loop->extent) == rlx_prim_int(store, 1)) {
      n.units[n.unit_count] = loop->var;
      n.unit_values[n.unit_count++] = loop->min;
    }
    RlxFacts *f = &facts[2 * q.loop_count++];
    f[0] = (RlxFacts){known, rlx_prim_binary(store, RLX_PRIM_LE, loop->min, var), NULL};
    f[1] = (RlxFacts){
        &f[0],
        rlx_prim_binary(store, RLX_PRIM_LT, var, rlx_prim_add(store, loop->min, loop->extent)),
        NULL};
    known = &f[1];
  }
  if (cJSON_IsFalse(
          cJSON_GetObjectItem(cJSON_GetObjectItem(call, "options"), "simplify_trivial_iterators")))
    n.unit_count = 0;
  const char *predicate = text_at(call, "predicate"), *level = text_at(call, "check_level");
  if (strcmp(predicate, "True") != 0) q.predicate = read_prim(&n, predicate);
  q.level = strcmp(level, "bijective") == 0    ? RLX_ITER_BIJECTIVE
            : strcmp(level, "surjective") == 0 ? RLX_ITER_SURJECTIVE
                                               : RLX_ITER_NO_CHECK;
  q.keeps_unit_loops = cJSON_IsFalse(
      cJSON_GetObjectItem(cJSON_GetObjectItem(call, "options"), "simplify_trivial_iterators"));
  RlxIterMap map = {0};
  if (readable) map = rlx_iter_map_detect(store, arena, &q);
  bool agrees = (map.sums == NULL) == (cJSON_GetArraySize(result) == 0);
  for (int i = 0; agrees && map.sums && i < q.index_count; i++)
    agrees = sum_agrees(&n, known, &map.sums[i], cJSON_GetArrayItem(result, i));
  if (!agrees) {
    RlxBuf buf = {0};
    for (int i = 0; map.sums && i < q.index_count; i++) {
      rlx_buf_puts(&buf, "\n    ");
      rlx_prim_print(store, rlx_iter_sum_prim(store, &map.sums[i]), &buf);
    }
    char *asked = cJSON_PrintUnformatted(indices), *wanted = cJSON_PrintUnformatted(result);
    printf("  %s\n    %s%s\n    TVM %s\n", asked, map.error ? map.error : "", rlx_buf_text(&buf),
           wanted);
    free(asked);
    free(wanted);
    rlx_buf_free(&buf);
  }
  rlx_arena_free(arena);
  return agrees;
}

static void maps_agree_with_tvm(void **state) {
  (void)state;
  RlxBuf file = {0};
  if (!rlx_file_read("../shared/corpus/tir/itermap/detect_iter_map.jsonl", &file, NULL)) {
    printf("no ../shared/corpus: skipped\n");
    skip();
  }
  RlxStore *store = rlx_store_new();
  int calls = 0, failed = 0;
  for (char *line = file.at; line && *line;) {
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    cJSON *call = cJSON_Parse(line);
    if (call) failed += !call_agrees(store, (uint64_t)++calls, call);
    cJSON_Delete(call);
    line = end ? end + 1 : NULL;
  }
  printf("%d of %d iterator maps as TVM\n", calls - failed, calls);
  assert_true(calls > 60);
  assert_int_equal(failed, 0);
  rlx_store_free(store);
  rlx_buf_free(&file);
}

// ---- own cases

/// Reads "i:4 j:0:16" (name, minimum if not 0, extent).
static int read_ranges(Names *n, const char *text, RlxLoopRange *out) {
  int count = 0;
  char word[64];
  int used;
  while (sscanf(text, "%63s%n", word, &used) == 1) {
    text += used;
    char *first = strchr(word, ':'), *second = strchr(first + 1, ':');
    *first = 0;
    if (second) *second = 0;
    out[count++] = (RlxLoopRange){var_named(n, word), read_prim(n, second ? first + 1 : "0"),
                                  read_prim(n, second ? second + 1 : first + 1)};
  }
  return count;
}

static RlxBindingVerdict check(RlxStore *store, RlxArena *arena, const char *loops,
                               const char *vars, const char *const *values, const char *predicate) {
  Names n = {.store = store, .scope = 1};
  RlxLoopRange ranges[LIST_MAX], domains[LIST_MAX];
  RlxTirBinding bindings[LIST_MAX];
  RlxBindingQuery q = {.loops = ranges, .vars = bindings};
  rlx_prim_mark_dimension(store, rlx_prim_var(store, var_named(&n, "n")));
  q.loop_count = read_ranges(&n, loops, ranges);
  q.var_count = read_ranges(&n, vars, domains);
  for (int i = 0; i < q.var_count; i++)
    bindings[i] = (RlxTirBinding){domains[i].var, domains[i].min, domains[i].extent,
                                  read_prim(&n, values[i]), false};
  if (predicate) q.predicate = read_prim(&n, predicate);
  return rlx_binding_check(store, arena, &q);
}

typedef struct Case {
  const char *loops, *vars, *values[3], *predicate;
  char wanted;         // 'r' proved by the rule, 's' by sets, 'n' refuted, '?' unknown
  const char *witness; // of 'n'
} Case;

static const Case cases[] = {
    {"i:16 j:16", "vi:16 vj:16", {"i", "j"}, NULL, 'r', NULL},
    {"i:16 j:16",
     "vj:16",
     {"j"},
     NULL,
     'n',
     "instance vj = 0 runs at (i, j) = (0, 0) and again at (1, 0)"},
    {"i0:4 i1:4", "vi:16", {"i0 * 4 + i1"}, NULL, 'r', NULL},
    {"i:256", "vi:16 vj:16", {"i // 16", "i % 16"}, NULL, 'r', NULL},
    {"i0:4 i1:4", "vi:15", {"i0 * 4 + i1"}, "i0 * 4 + i1 < 15", 'r', NULL},
    {"i0:4 i1:4",
     "vi:15",
     {"i0 * 4 + i1"},
     NULL,
     'n',
     "instance vi = 15 runs at (i0, i1) = (3, 3), outside of its domain"},
    {"i0:4 i1:4", "vi:17", {"i0 * 4 + i1"}, NULL, 'n', "instance vi = 16 never runs"},
    {"i0:4 i1:4", "vi:16", {"i0 * 4 + i1"}, "i0 * 4 + i1 < 15", 'n', "instance vi = 15 never runs"},
    {"i:16", "vi:1:16", {"i + 1"}, NULL, 'r', NULL},
    {"i:16", "vi:16", {"15 - i"}, NULL, 's', NULL},
    {"i:16", "vi:16", {"(i + 1) % 16"}, NULL, 's', NULL},
    {"i:16",
     "vi:4 vj:4",
     {"(i + 1) // 4", "(i + 1) % 4"},
     NULL,
     'n',
     "instance (vi, vj) = (4, 0) runs at i = 15, outside of its domain"},
    {"i:2:4", "vi:2:4", {"i"}, NULL, 'r', NULL},
    {"i:n", "vi:n", {"i"}, NULL, 'r', NULL},
    {"i0:n i1:32", "vi:n*32", {"i0 * 32 + i1"}, NULL, 'r', NULL},
    {"i0:(n+31)//32 i1:32", "vi:n", {"i0 * 32 + i1"}, "i0 * 32 + i1 < n", 'r', NULL},
    {"i0:(n+31)//32 i1:32",
     "vi:n",
     {"i0 * 32 + i1"},
     NULL,
     'n',
     "for n = 1, instance vi = 1 runs at (i0, i1) = (0, 1), outside of its domain"},
    {"i:n j:4",
     "vi:n",
     {"i"},
     NULL,
     'n',
     "for n = 1, instance vi = 0 runs at (i, j) = (0, 0) and again at (0, 1)"},
    {"i:8 j:8", "vi:8 vj:8", {"i", "(i + j) % 8"}, NULL, 's', NULL},
    {"i:8 j:8",
     "vi:15",
     {"i + j"},
     NULL,
     'n',
     "instance vi = 1 runs at (i, j) = (0, 1) and again at (1, 0)"},
    {"i:8 j:8",
     "vi:64",
     {"i * j"},
     NULL,
     'n',
     "instance vi = 0 runs at (i, j) = (0, 0) and again at (0, 1)"},
    // A product of loops is nothing for isl; trying values shows what is near.
    {"i:8 j:8", "vi:512", {"i * i * 8 + j"}, NULL, 'n', "instance vi = 16 never runs"},
    {"i:64 j:64", "vi:262144", {"i * i * 64 + j"}, NULL, '?', NULL},
    {"i:4", "vi:4 u:1", {"i", "0"}, NULL, 'r', NULL},
    // A bound over two loops that the block variables take apart holds back an instance.
    {"i:4 j:4",
     "vi:4 vj:2 vk:2",
     {"i", "j // 2", "j % 2"},
     "i * 4 + j < 15",
     'n',
     "instance (vi, vj, vk) = (3, 1, 1) never runs"},
};

static void verdicts_have_witnesses(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  int failed = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const Case *c = &cases[i];
    RlxArena *arena = rlx_arena_new();
    RlxBindingVerdict v = check(store, arena, c->loops, c->vars, c->values, c->predicate);
    char got = v.proof == RLX_YES ? (v.by_rule ? 'r' : 's') : v.proof == RLX_NO ? 'n' : '?';
    const char *witness = v.witness ? v.witness : "", *wanted = c->witness ? c->witness : "";
    if (got != c->wanted || strcmp(witness, wanted) != 0) {
      printf("  %s -> %s: %c (%s) %s\n", c->loops, c->values[0], got, v.reason, witness);
      failed++;
    }
    rlx_arena_free(arena);
  }
  assert_int_equal(failed, 0);
  rlx_store_free(store);
}

// ---- random bindings

typedef struct Random {
  RlxTestRandom r;
  int extents[3], count;
} Random;

static void put_random(Random *r, RlxBuf *out, int depth) {
  uint32_t what = rlx_test_below(&r->r, depth ? 7 : 1);
  int loop = (int)rlx_test_below(&r->r, (uint32_t)r->count);
  if (what == 0) {
    rlx_buf_printf(out, "%c", "xyz"[loop]);
  } else if (what <= 2) { // a fuse that fits
    rlx_buf_printf(out, "(%c * %d + ", "xyz"[loop], r -> extents[(loop + 1) % r->count]);
    rlx_buf_printf(out, "%c)", "xyz"[(loop + 1) % r->count]);
  } else if (what == 3 || what == 4) {
    rlx_buf_putc(out, '(');
    put_random(r, out, depth - 1);
    rlx_buf_printf(out, ") %s %d", what == 3 ? "//" : "%", 2 + (int)rlx_test_below(&r->r, 3));
  } else {
    rlx_buf_putc(out, '(');
    put_random(r, out, depth - 1);
    rlx_buf_printf(out, " %c ", what == 5 ? '+' : '-');
    put_random(r, out, depth - 1);
    rlx_buf_putc(out, ')');
  }
}

typedef struct Values {
  const RlxSymVar *vars[3];
  int64_t at[3];
} Values;

static bool value_of(const RlxSymVar *var, int64_t *out, void *data) {
  const Values *v = data;
  for (int i = 0; i < 3; i++)
    if (v->vars[i] == var) return *out = v->at[i], true;
  return false;
}

/// Counts how often each instance of [0, a) x [0, b) runs.
static bool is_bijection(Names *n, const Random *r, const RlxPrim *const *values,
                         const RlxPrim *predicate, const int *domains) {
  int seen[256] = {0}, total = 0;
  Values v = {{var_named(n, "x"), var_named(n, "y"), var_named(n, "z")}, {0}};
  int64_t ez = r->count > 2 ? r->extents[2] : 1, ey = r->count > 1 ? r->extents[1] : 1;
  for (v.at[0] = 0; v.at[0] < r->extents[0]; v.at[0]++)
    for (v.at[1] = 0; v.at[1] < ey; v.at[1]++)
      for (v.at[2] = 0; v.at[2] < ez; v.at[2]++) {
        int64_t a, b, runs = 1;
        if (predicate) assert_true(rlx_prim_eval(predicate, value_of, &v, &runs));
        if (!runs) continue;
        assert_true(rlx_prim_eval(values[0], value_of, &v, &a));
        assert_true(rlx_prim_eval(values[1], value_of, &v, &b));
        if (a < 0 || a >= domains[0] || b < 0 || b >= domains[1]) return false;
        if (seen[a * domains[1] + b]++) return false;
        total++;
      }
  return total == domains[0] * domains[1];
}

static void random_bindings_are_judged_right(void **state) {
  (void)state;
  RlxStore *store = rlx_store_new();
  Names n = {.store = store, .scope = 1};
  Random r = {rlx_test_random(5), {0}, 0};
  int counts[3] = {0}, by_rule = 0;
  for (int round = 0; round < 600; round++) {
    r.count = 1 + (int)rlx_test_below(&r.r, 3);
    int total = 1;
    RlxBuf loops = {0}, vars = {0}, texts[3] = {{0}};
    for (int i = 0; i < r.count; i++) {
      total *= r.extents[i] = 1 + (int)rlx_test_below(&r.r, 5);
      rlx_buf_printf(&loops, "%c:%d ", "xyz"[i], r.extents[i]);
    }
    for (int i = 0; i < 2; i++) put_random(&r, &texts[i], 2);
    int domains[2];
    domains[0] = 1 + (int)rlx_test_below(&r.r, 8);
    if (round % 2) domains[0] = r.extents[0];
    domains[1] = total / domains[0] < 1 ? 1 : total / domains[0] > 30 ? 30 : total / domains[0];
    if (round % 4 == 1) { // mostly bijections
      rlx_buf_clear(&texts[0]);
      rlx_buf_putc(&texts[0], 'x');
      if (r.count > 2) {
        rlx_buf_clear(&texts[1]);
        rlx_buf_printf(&texts[1], "y * %d + z", r.extents[2]);
      }
    }
    for (int i = 0; i < 2; i++) rlx_buf_printf(&vars, "%c:%d ", "ab"[i], domains[i]);
    if (round % 3 == 0) {
      put_random(&r, &texts[2], 1);
      rlx_buf_printf(&texts[2], " < %d", 1 + (int)rlx_test_below(&r.r, 9));
    }
    const char *values[2] = {rlx_buf_text(&texts[0]), rlx_buf_text(&texts[1])};
    const char *predicate = texts[2].size ? rlx_buf_text(&texts[2]) : NULL;
    RlxArena *arena = rlx_arena_new();
    RlxBindingVerdict v =
        check(store, arena, rlx_buf_text(&loops), rlx_buf_text(&vars), values, predicate);
    const RlxPrim *prims[2] = {read_prim(&n, values[0]), read_prim(&n, values[1])};
    bool truth = is_bijection(&n, &r, prims, predicate ? read_prim(&n, predicate) : NULL, domains);
    counts[v.proof]++;
    by_rule += v.by_rule;
    if (v.proof != RLX_UNKNOWN && (v.proof == RLX_YES) != truth) {
      printf("loops %s vars %s = %s, %s where %s: %s, %s\n", rlx_buf_text(&loops),
             rlx_buf_text(&vars), values[0], values[1], predicate ? predicate : "-", v.reason,
             v.witness ? v.witness : "");
      fail();
    }
    rlx_arena_free(arena);
    rlx_buf_free(&loops);
    rlx_buf_free(&vars);
    for (int i = 0; i < 3; i++) rlx_buf_free(&texts[i]);
  }
  printf("%d proved (%d by the rule), %d refuted, %d unknown\n", counts[RLX_YES], by_rule,
         counts[RLX_NO], counts[RLX_UNKNOWN]);
  assert_true(counts[RLX_YES] > 50 && counts[RLX_UNKNOWN] < 6);
  rlx_store_free(store);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_agree_with_tvm),
      cmocka_unit_test(verdicts_have_witnesses),
      cmocka_unit_test(random_bindings_are_judged_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
