/// Every normal form of every script: done twice it is the same, it has no violation and no new
/// finding, t-anf has no two names for a value, names that stay keep their StructInfo, lines that need not change are there byte for
/// byte and in order, and what can be evaluated gives the same values for random inputs.
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/ask/flow.h"
#include "analyzer/rewrite/normalize.h"
#include "analyzer/symbolic/prim.h"
#include "base/hash.h"
#include "base/map.h"
#include "jit/runtime/format.h"
#include "jit/worker.h"
#include "tests/prop/scripts.h"

enum { ELEMENTS_MOST = 1 << 18, BAD_MOST = 30 };

static const struct Form {
  const char *name;
  uint8_t level;
  RlxNormalize how;
} forms[] = {
    {"anf", 1, {.t_anf = false}},
    {"t-anf", 2, {.t_anf = true}},
    {"canonicalize", 1, {.canonical = true}},
    {"canonicalize t-anf", 2, {.t_anf = true, .canonical = true}},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

/// What is known of one text.
typedef struct Text {
  RlxAnalyzer *analyzer;
  RlxFile *file;
  const char *text;
  uint32_t size, violations, errors;
  uint32_t by_row[RLX_DIAG_MAX];
  RlxFileDiags diags;
  RlxMap names;  ///< of functions and their variables
  RlxMap sinfos; ///< the same with each StructInfo it has
} Text;

static uint64_t key(RlxStore *store, RlxName function, RlxName name, const char *sinfo) {
  const char *f = rlx_store_text(store, function), *v = rlx_store_text(store, name);
  return rlx_hash_bytes(sinfo, strlen(sinfo),
                        rlx_hash_bytes(f, strlen(f), rlx_hash_bytes(v, strlen(v), 7)));
}

static void note(Text *t, RlxName function, const RlxVar *var, const RlxSInfo *sinfo) {
  RlxBuf text = {0};
  RlxStore *store = rlx_analyzer_store(t->analyzer);
  if (!sinfo) return;
  rlx_sinfo_print(store, sinfo, &text);
  rlx_map_put(&t->sinfos, key(store, function, var->name, rlx_buf_text(&text)), 1);
  rlx_buf_free(&text);
}

static void note_block(Text *t, RlxName function, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    RlxBinding *const *all;
    uint32_t count = 0;
    rlx_file_stmt_bindings(t->file, block->stmts[i], &all, &count);
    for (uint32_t k = 0; k < count; k++) {
      const RlxVar *var = all[k]->var;
      if (var->is_temporary) continue;
      rlx_map_put(&t->names, key(rlx_analyzer_store(t->analyzer), function, var->name, ""), 1);
      note(t, function, var, var->sinfo);
      note(t, function, var, all[k]->deduced); // an annotation that is coarser than a call goes
    }
    note_block(t, function, block->stmts[i]->body);
    note_block(t, function, block->stmts[i]->orelse);
  }
}

static bool is_of_form(const RlxFileDiag *d) {
  return strncmp(rlx_diag_row(d->diag->id)->code, "RLX05", 5) == 0;
}

/// T-ANF writes a tuple variable of call_tir as its fields, though that is an error of its own.
static bool is_tuple_variable(const RlxFileDiag *d) {
  return d->diag->id == RLX_DIAG_ID(TUPLE_INLINE);
}

static bool is_violation(const RlxFileDiag *d, const struct Form *form) {
  return is_of_form(d) || (form->how.t_anf && is_tuple_variable(d));
}

static Text open_text(const char *text, size_t size, const struct Form *form) {
  Text t = {.text = text, .size = (uint32_t)size};
  RlxSettings settings = {.normal_form = form->level};
  RlxFunctionViews views = {0};
  t.analyzer = rlx_analyzer_new(&settings);
  t.file = rlx_file_open(t.analyzer, text, t.size);
  rlx_file_diags(t.file, &t.diags);
  for (uint32_t i = 0; i < t.diags.count; i++) {
    const RlxFileDiag *d = &t.diags.at[i];
    t.violations += is_violation(d, form);
    t.errors += !is_violation(d, form) && d->diag->severity == RLX_ERROR;
    // Inlining shows what was dead before: a tuple read it. What is mended needs no suppression.
    if (!is_violation(d, form) && d->diag->id != RLX_DIAG_ID(UNUSED_BINDING) &&
        d->diag->id != RLX_DIAG_ID(SUPPRESSION_UNUSED))
      t.by_row[d->diag->id]++;
  }
  rlx_file_functions(t.file, &views);
  for (uint32_t i = 0; i < views.count; i++)
    if (views.at[i].kind == RLX_ISLAND_RELAX)
      note_block(&t, views.at[i].name, views.at[i].stmt->body);
  rlx_vec_free(&views);
  return t;
}

static void close_text(Text *t) {
  rlx_map_free(&t->names);
  rlx_map_free(&t->sinfos);
  rlx_vec_free(&t->diags);
  rlx_file_close(t->file);
  rlx_analyzer_free(t->analyzer);
}

// ---- names keep their StructInfo

static void find_changed(const Text *old, const Text *now, RlxName function, const RlxBlock *block,
                         RlxBuf *out) {
  RlxStore *store = rlx_analyzer_store(now->analyzer);
  for (uint32_t i = 0; block && i < block->count; i++) {
    RlxBinding *const *all;
    uint32_t count = 0;
    rlx_file_stmt_bindings(now->file, block->stmts[i], &all, &count);
    for (uint32_t k = 0; k < count && !out->size; k++) {
      const RlxVar *var = all[k]->var;
      RlxBuf text = {0};
      rlx_sinfo_print(store, var->sinfo, &text);
      if (!var->is_temporary &&
          rlx_map_get(&old->names, key(store, function, var->name, ""), NULL) &&
          !rlx_map_get(&old->sinfos, key(store, function, var->name, rlx_buf_text(&text)), NULL))
        rlx_buf_printf(out, "%s is %s", rlx_store_text(store, var->name), rlx_buf_text(&text));
      rlx_buf_free(&text);
    }
    find_changed(old, now, function, block->stmts[i]->body, out);
    find_changed(old, now, function, block->stmts[i]->orelse, out);
  }
}

// ---- t-anf has no aliases

/// The guarantee of t-anf: no two variables of a function hold the same value, calls that give their
/// argument aside. What remains: a match_cast, which says something else of the value, and the last
/// binding of a branch, which is what the branch gives.
static void find_alias(const Text *now, const RlxBlock *block, RlxBuf *out) {
  RlxStore *store = rlx_analyzer_store(now->analyzer);
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    RlxBinding *const *all;
    uint32_t count = 0;
    rlx_file_stmt_bindings(now->file, stmt, &all, &count);
    for (uint32_t k = 0; k < count && !out->size; k++) {
      const RlxVar *var = all[k]->var;
      RlxVars others = {0};
      bool may = var->is_temporary || all[k]->kind == RLX_BINDING_MATCH_CAST ||
                 stmt->index + 1 == block->count;
      if (!may) rlx_file_aliases(now->file, var, &others);
      for (uint32_t a = 0; a < others.count && !out->size; a++) // the one that came first
        if (others.at[a]->is_param ||
            (others.at[a]->stmt && others.at[a]->stmt->start < stmt->start))
          rlx_buf_printf(out, "%s and %s hold the same value", rlx_store_text(store, var->name),
                         rlx_store_text(store, others.at[a]->name));
      rlx_vec_free(&others);
    }
    find_alias(now, stmt->body, out);
    find_alias(now, stmt->orelse, out);
  }
}

// ---- lines stay

/// What a form did without: names, and the statements that bound them.
typedef struct Gone {
  RlxMap words;
  Vec(RlxSpan) statements;
} Gone;

/// Other names, and what canonical bindings do without as well.
static bool may_go(const RlxBinding *b) {
  return b->kind == RLX_BINDING_MATCH_CAST || b->value->kind == RLX_EXPR_VAR ||
         b->value->kind == RLX_EXPR_TUPLE || b->value->kind == RLX_EXPR_TUPLE_GET;
}

static void find_gone(const Text *old, const Text *now, const struct Form *form, RlxName function,
                      const RlxBlock *block, Gone *out) {
  RlxStore *store = rlx_analyzer_store(old->analyzer);
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    RlxBinding *const *all;
    uint32_t count = 0;
    rlx_file_stmt_bindings(old->file, stmt, &all, &count);
    for (uint32_t k = 0; k < count; k++) {
      const RlxVar *var = all[k]->var;
      const char *name = rlx_store_text(store, var->name);
      bool goes = (form->how.canonical || form->how.t_anf) && may_go(all[k]);
      if (var->is_temporary ||
          (!goes && rlx_map_get(&now->names, key(store, function, var->name, ""), NULL)))
        continue;
      rlx_map_put(&out->words, rlx_hash_bytes(name, strlen(name), 0), 1);
      rlx_vec_push(&out->statements, rlx_span(stmt->start, stmt->start + stmt->head_size));
    }
    find_gone(old, now, form, function, stmt->body, out);
    find_gone(old, now, form, function, stmt->orelse, out);
  }
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether a line has to change, or may: it violates the form, lets variables out of a block, or
/// names a variable that is no more.
static bool may_change(const Text *old, const Gone *gone, uint32_t start, uint32_t end) {
  const char *text = old->text;
  for (uint32_t i = 0; i < old->diags.count; i++) {
    const RlxFileDiag *d = &old->diags.at[i];
    if (!is_of_form(d) && !is_tuple_variable(d)) continue;
    if (d->span.start < end && d->span.end > start) return true;
    if (!d->stmt || !d->stmt->annotation) continue;
    RlxSpan span = rlx_stmt_absolute(d->stmt, d->stmt->annotation->span); // TVM would forget it
    if (span.start < end && span.end > start) return true;
  }
  for (uint32_t i = 0; i < gone->statements.count; i++)
    if (gone->statements.at[i].start < end && gone->statements.at[i].end > start) return true;
  for (uint32_t i = start; i < end;) {
    uint32_t from = i;
    while (i < end && is_word(text[i])) i++;
    uint64_t word = rlx_hash_bytes(text + from, i - from, 0);
    if (i > from && (rlx_map_get(&gone->words, word, NULL) ||
                     (i - from == 6 && memcmp(text + from, "output", 6) == 0)))
      return true;
    i += i == from;
  }
  return false;
}

static uint32_t line_end(const char *text, uint32_t size, uint32_t at) {
  const char *end = memchr(text + at, '\n', size - at);
  return end ? (uint32_t)(end - text) + 1 : size;
}

static uint32_t count_of(const Text *t, const char *what) {
  uint32_t count = 0;
  for (const char *at = t->text; (at = strstr(at, what)) != NULL; at++) count++;
  return count;
}

/// Lines of `old` that need not change stand in `now` in their order, as they were; where a block
/// was dissolved or an `elif` became an `else`, they may have moved sideways.
static void find_lost(const Text *old, const Text *now, const Gone *gone, RlxBuf *out) {
  bool moves = count_of(old, "dataflow()") != count_of(now, "dataflow()") ||
               count_of(old, "elif") != count_of(now, "elif");
  for (uint32_t at = 0, next, place = 0; at < old->size; at = next) {
    next = line_end(old->text, old->size, at);
    uint32_t from = at;
    while (moves && from < next && old->text[from] == ' ') from++;
    if (moves && (memmem(old->text + at, next - at, "dataflow()", 10) ||
                  memmem(old->text + at, next - at, "elif", 4)))
      continue;
    uint32_t search = place, found = UINT32_MAX;
    while (search < now->size && found == UINT32_MAX) {
      uint32_t end = line_end(now->text, now->size, search), begin = search;
      while (moves && begin < end && now->text[begin] == ' ') begin++;
      if (end - begin == next - from &&
          memcmp(now->text + begin, old->text + from, next - from) == 0)
        found = end;
      search = end;
    }
    if (found != UINT32_MAX && !may_change(old, gone, at, next))
      place = found;
    else if (found == UINT32_MAX && !may_change(old, gone, at, next)) {
      rlx_buf_printf(out, "lost: %.*s", (int)(next - at), old->text + at);
      return;
    }
  }
}

// ---- values stay

/// Sizes of the symbolic variables of one signature: small, different, the same in every form.
typedef struct Sizes {
  RlxStore *store;
  const RlxSymVar *vars[32];
  const RlxPrim *values[32];
  int count;
} Sizes;

static bool size_of(Sizes *s, const RlxPrim *dim, int64_t *out) {
  const RlxSymVar *vars[16];
  int count = 0;
  rlx_prim_vars(dim, vars, &count, 16);
  for (int i = 0; i < count; i++) {
    int known = 0;
    while (known < s->count && s->vars[known] != vars[i]) known++;
    if (known < s->count) continue;
    if (s->count == 32) return false;
    s->vars[s->count] = vars[i];
    s->values[s->count] = rlx_prim_int(s->store, 2 + s->count % 5);
    s->count++;
  }
  RlxSubst subst = {s->vars, s->values, s->count, false};
  return rlx_prim_is_const(rlx_prim_subst(s->store, dim, &subst, NULL), out) && *out >= 0;
}

/// A random value of a StructInfo; NULL: none is made.
static RlxObject *random_value(RlxHeap *heap, Sizes *s, const RlxSInfo *want, int seed) {
  RlxObject *fields[16] = {0}, *x = NULL;
  char dtype[RLX_DTYPE_TEXT_MAX];
  RlxError err = {0};
  RlxBuf text = {0};
  int64_t elements = 1, dims[8];
  if (!want) return NULL;
  if (want->kind == RLX_SINFO_TENSOR && want->ndim >= 0 && want->ndim < 8) {
    for (int i = 0; i < want->ndim; i++) {
      dims[i] = 2 + i;
      if (want->dims && !size_of(s, want->dims[i], &dims[i])) return NULL;
      elements *= dims[i];
      if (elements > ELEMENTS_MOST) return NULL;
    }
    for (int i = 0; i < want->ndim; i++)
      rlx_buf_printf(&text, "%s%lld", i ? "x" : "", (long long)dims[i]);
    rlx_dtype_text(rlx_dtype_known(want->dtype) ? want->dtype : RLX_FLOAT32, dtype);
    rlx_buf_printf(&text, ":%s:random(%d)", dtype, seed);
    x = rlx_object_parse(heap, rlx_buf_text(&text), rlx_dtype_unknown(), &err);
  } else if (want->kind == RLX_SINFO_SHAPE && want->dims && want->ndim < 8) {
    for (int i = 0; i < want->ndim; i++)
      if (!size_of(s, want->dims[i], &dims[i])) return NULL;
    x = rlx_shape_new(heap, dims, want->ndim);
  } else if (want->kind == RLX_SINFO_PRIM && rlx_dtype_is_int(want->dtype)) {
    dims[0] = 3;
    if (want->value && !size_of(s, want->value, &dims[0])) return NULL;
    x = rlx_int_new(heap, dims[0], want->dtype);
  } else if (want->kind == RLX_SINFO_TUPLE && want->count <= 16) {
    int made = 0;
    while (made < want->count &&
           (fields[made] = random_value(heap, s, want->fields[made], seed * 16 + made)) != NULL)
      made++;
    if (made == want->count) x = rlx_tuple_new(heap, fields, made);
    while (made) rlx_object_unref(fields[--made]);
  }
  rlx_buf_free(&text);
  return x;
}

/// Numbers of a value, for comparison.
static void write_value(const RlxObject *x, RlxBuf *out) {
  rlx_buf_printf(out, "%d:", (int)x->kind);
  if (x->kind == RLX_OBJECT_TENSOR) {
    rlx_object_print_sinfo(x, out);
    for (int64_t i = 0; i < rlx_tensor_count(x); i++) {
      double number = rlx_element_number(x->data, x->dtype, i);
      rlx_buf_putn(out, (const char *)&number, sizeof number);
    }
  } else if (x->kind == RLX_OBJECT_TUPLE)
    for (int i = 0; i < x->count; i++) write_value(x->fields[i], out);
  else
    rlx_object_print(x, out);
}

/// Value of one function; what went wrong instead starts with '!'.
static void evaluate(RlxJit *jit, RlxProgram *p, RlxStore *store, RlxName name, RlxBuf *out) {
  RlxObject *args[32] = {0};
  RlxRunError err = {0};
  Sizes sizes = {.store = store};
  int count, made = 0;
  if (!rlx_program_prepare(p, name, &err)) {
    rlx_buf_puts(out, "!not compiled");
    return;
  }
  count = rlx_program_param_count(p, name);
  while (made < count && made < 32) {
    const RlxSInfo *want = NULL;
    RlxDType dtype;
    rlx_program_param(p, name, made, &want, &dtype);
    args[made] = random_value(rlx_jit_heap(jit), &sizes, want, made + 1);
    if (!args[made]) break;
    made++;
  }
  if (made < count)
    rlx_buf_puts(out, "!no arguments");
  else {
    RlxWorkerOptions options = {.limit_seconds = 900};
    RlxWorkerResult result;
    rlx_worker_call(jit, p, name, args, made, &options, &result);
    if (result.outcome == RLX_OUTCOME_DONE)
      write_value(result.value, out);
    else
      rlx_buf_printf(out, "!%d %s", (int)result.outcome, result.error.error.text);
    rlx_object_unref(result.value);
  }
  while (made) rlx_object_unref(args[--made]);
}

typedef struct Values {
  RlxBuf *at;
  uint32_t count;
} Values;

/// Where texts are evaluated: what is the same in several of them is compiled once.
typedef struct Machine {
  RlxAnalyzer *analyzer;
  RlxJit *jit;
} Machine;

/// Of all Relax functions of a text, in order.
static Values values_of(const Machine *m, const char *text, size_t size) {
  Values values = {0};
  RlxStore *store = rlx_analyzer_store(m->analyzer);
  RlxFile *file = rlx_file_open(m->analyzer, text, (uint32_t)size);
  RlxProgram *p = rlx_program_new(m->jit, file);
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  values.at = calloc(views.count + 1, sizeof *values.at);
  for (uint32_t i = 0; i < views.count; i++)
    if (views.at[i].kind == RLX_ISLAND_RELAX && rlx_program_has(p, views.at[i].name))
      evaluate(m->jit, p, store, views.at[i].name, &values.at[values.count++]);
  rlx_vec_free(&views);
  rlx_program_free(p);
  rlx_file_close(file);
  return values;
}

static void values_free(Values *v) {
  for (uint32_t i = 0; i < v->count; i++) rlx_buf_free(&v->at[i]);
  free(v->at);
  *v = (Values){0};
}

typedef struct Run {
  uint32_t scripts, changed, evaluated, bad;
  bool has_llvm;
} Run;

static bool same_values(Run *run, const Values *a, const Values *b, RlxBuf *out) {
  if (a->count != b->count) return rlx_buf_puts(out, "another number of functions"), false;
  for (uint32_t i = 0; i < a->count; i++) {
    const RlxBuf *x = &a->at[i], *y = &b->at[i];
    if (strncmp(rlx_buf_text(x), "!3", 2) == 0 || strncmp(rlx_buf_text(y), "!3", 2) == 0)
      continue; // a busy machine
    if (*rlx_buf_text(x) == '!' &&
        (*rlx_buf_text(y) == '!' || strstr(rlx_buf_text(x), "annotation of")))
      continue; // names are other ones; what only an annotation claims goes with it
    if (x->size != y->size || memcmp(rlx_buf_text(x), rlx_buf_text(y), x->size) != 0)
      return rlx_buf_printf(out, "other values: %.40s, %.40s", rlx_buf_text(x), rlx_buf_text(y)),
             false;
    run->evaluated += *rlx_buf_text(x) != '!';
  }
  return true;
}

// ---- all of it

/// What is wrong with a form of a text; nothing: fine.
static void check(const struct Form *form, const Text *old, const char *text, size_t size,
                  RlxBuf *wrong) {
  Text now = open_text(text, size, form);
  RlxBuf twice = {0};
  RlxFunctionViews views = {0};
  rlx_file_functions(now.file, &views);
  if (old->errors && now.errors > old->errors) { // the command leaves such a file as it is
    rlx_vec_free(&views);
    close_text(&now);
    return;
  }
  if (rlx_file_normalize(now.file, &form->how, &twice)) rlx_buf_puts(wrong, "twice is not once");
  if (!wrong->size && now.violations && !old->errors) rlx_buf_puts(wrong, "violations are left");
  for (int i = 0; i < rlx_diag_count() && !wrong->size; i++)
    if (now.by_row[i] > old->by_row[i])
      rlx_buf_printf(wrong, "new %s", rlx_diag_row((RlxDiagId)i)->code);
  if (!wrong->size && !form->how.canonical && !old->violations)
    rlx_buf_puts(wrong, "changed, though it was in normal form");
  for (uint32_t i = 0; i < views.count && !wrong->size; i++)
    if (views.at[i].kind == RLX_ISLAND_RELAX)
      find_changed(old, &now, views.at[i].name, views.at[i].stmt->body, wrong);
  for (uint32_t i = 0; i < views.count && !wrong->size && form->how.t_anf && !old->errors; i++)
    if (views.at[i].kind == RLX_ISLAND_RELAX) find_alias(&now, views.at[i].stmt->body, wrong);
  rlx_vec_clear(&views);
  rlx_file_functions(old->file, &views);
  Gone gone = {0};
  for (uint32_t i = 0; i < views.count; i++)
    if (views.at[i].kind == RLX_ISLAND_RELAX)
      find_gone(old, &now, form, views.at[i].name, views.at[i].stmt->body, &gone);
  if (!wrong->size) find_lost(old, &now, &gone, wrong);
  rlx_map_free(&gone.words);
  rlx_vec_free(&gone.statements);
  rlx_vec_free(&views);
  rlx_buf_free(&twice);
  close_text(&now);
}

/// Whether a value depends on what is in memory: a PrimFunc leaves a part of its output as it is.
static bool is_arbitrary(const Machine *m, const RlxBuf *source) {
  Values seen[2];
  Run ignored = {0};
  RlxBuf wrong = {0};
  for (int k = 0; k < 2; k++) {
    rlx_heap_trim(rlx_jit_heap(m->jit));
    mallopt(M_PERTURB, k ? 0x3c : 0x41); // new memory is filled with it
    seen[k] = values_of(m, rlx_buf_text(source), source->size);
  }
  mallopt(M_PERTURB, 0);
  bool same = same_values(&ignored, &seen[0], &seen[1], &wrong);
  values_free(&seen[0]);
  values_free(&seen[1]);
  rlx_buf_free(&wrong);
  return !same;
}

/// One in so many scripts is evaluated; all of them when the corpus is taken whole.
/// What is read after it was overwritten has the value that the machine leaves there.
static bool is_evaluated(const Run *run, const Text *old) {
  return run->has_llvm && !old->errors && !old->by_row[RLX_DIAG_ID(OVERWRITTEN)] &&
         (scripts_whole() || run->scripts % 3 == 0);
}

static void one_form(Run *run, const Machine *m, const struct Form *form, const RlxBuf *source,
                     Values *before, const char *path) {
  Text old = open_text(rlx_buf_text(source), source->size, form);
  RlxBuf once = {0}, wrong = {0};
  if (rlx_file_normalize(old.file, &form->how, &once)) {
    run->changed++;
    check(form, &old, rlx_buf_text(&once), once.size, &wrong);
    if (!wrong.size && is_evaluated(run, &old)) {
      if (!before->at) *before = values_of(m, rlx_buf_text(source), source->size);
      Values after = values_of(m, rlx_buf_text(&once), once.size);
      if (!same_values(run, before, &after, &wrong) && is_arbitrary(m, source))
        rlx_buf_clear(&wrong);
      values_free(&after);
    }
  } else if (old.violations && !old.errors)
    rlx_buf_puts(&wrong, "violations are left as they are");
  if (wrong.size) {
    run->bad++;
    printf("%s: %s: %s\n", path, form->name, rlx_buf_text(&wrong));
    if (getenv("RLX_SHOW")) printf("%s\n", rlx_buf_text(&once));
  }
  rlx_buf_free(&once);
  rlx_buf_free(&wrong);
  close_text(&old);
}

static void one_script(Run *run, const char *path) {
  RlxBuf source = {0};
  Values before = {0};
  if (!scripts_read(path, &source)) return;
  Machine m = {.analyzer = rlx_analyzer_new(NULL)};
  m.jit = rlx_jit_new(rlx_analyzer_store(m.analyzer), NULL);
  run->scripts++;
  if (getenv("RLX_TRACE")) fprintf(stderr, "%s\n", path);
  for (int k = 0; k < FORMS && run->bad < BAD_MOST; k++)
    one_form(run, &m, &forms[k], &source, &before, path);
  values_free(&before);
  rlx_jit_free(m.jit);
  rlx_analyzer_free(m.analyzer);
  rlx_buf_free(&source);
}

static void normal_forms_of_scripts_keep_what_they_mean(void **state) {
  (void)state;
  RlxError err;
  Scripts scripts = {0};
  Run run = {.has_llvm = rlx_llvm_load(&err) != NULL};
  const char *only = getenv("RLX_FILE");
  if (only)
    rlx_vec_push(&scripts.paths, strdup(only));
  else {
    scripts_add(&scripts, "examples", 1);
    scripts_add(&scripts, "tests/golden/design",
                1); // what is suppressed is normalized all the same
    scripts_add(&scripts, "tests/golden/rules", scripts_whole() ? 1 : 4);
    scripts_add(&scripts, "../shared/corpus/relax", scripts_whole() ? 1 : 31);
  }
  for (uint32_t i = 0; i < scripts.paths.count && run.bad < BAD_MOST; i++)
    one_script(&run, scripts.paths.at[i]);
  printf("%u scripts in %d forms: %u changed, %u functions evaluated before and after\n",
         run.scripts, FORMS, run.changed, run.evaluated);
  assert_int_equal(run.bad, 0);
  assert_true(run.changed > 0);
  scripts_free(&scripts);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(normal_forms_of_scripts_keep_what_they_mean)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
