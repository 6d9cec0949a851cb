/// Arguments by name, tensors by their names, and random values for what nobody gives: `f(x, b=y)`, `f(x, **w)`,
/// `f(x, **random)`, `random(f)`.
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"
#include "jit/runtime/fill.h"
#include "repl/data.h"
#include "repl/results.h"
#include "repl/sugar_impl.h"

// ---- random values for parameters

typedef struct Lengths {
  const RlxFunction *function;
  Vec(RlxFillLength) all;
} Lengths;

/// Whether the node is the prompt's own function of that name.
static bool is_data(const RlxSugarWriter *w, const RlxAst *name, const char *data) {
  const char *text = rlx_store_text(w->repl->store, name->name);
  return !strcmp(text, data) && !rlx_sugar_variable(w, text) && !rlx_sugar_is_defined(w, text) &&
         !rlx_sugar_alias(w, text);
}

/// Whether the function's parameters have a symbolic dimension of that name.
static bool has_symbol(const RlxFunction *f, RlxName name) {
  enum { SYMBOLS_MAX = 64 };
  for (uint32_t i = 0; f && i < f->param_count; i++) {
    const RlxSymVar *vars[SYMBOLS_MAX];
    int count = 0;
    rlx_sinfo_vars(f->params[i]->sinfo, vars, &count, SYMBOLS_MAX);
    for (int k = 0; k < count; k++)
      if (vars[k]->name == name) return true;
  }
  return false;
}

/// The seed that a call of random() names, or the session's next. `lengths`: it may name those of the function's
/// symbolic dimensions, too.
static uint64_t seed_of(RlxSugarWriter *w, const RlxAst *call, Lengths *lengths) {
  const RlxAst *given = NULL;
  RlxReplNumber number;
  uint64_t seed = 0;
  for (uint32_t i = 1; call && i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind != RLX_AST_KEYWORD) continue;
    const char *name = rlx_store_text(w->repl->store, arg->name);
    const bool is_seed = !strcmp(name, "seed"),
               is_length = !is_seed && lengths && has_symbol(lengths->function, arg->name);
    if (!is_seed && !is_length)
      rlx_sugar_refuse(w, "random has no argument `%s` here%s", name,
                       lengths ? ": seed, and the symbolic dimensions of the parameters"
                               : ": seed");
    else if (!rlx_repl_number(w->repl, arg->children[0], &number) ||
             number.kind != RLX_NUMBER_INT || number.integer < 0)
      rlx_sugar_refuse(w, "random: the value of %s is no %s", name, is_seed ? "seed" : "length");
    else if (is_seed)
      given = arg, seed = (uint64_t)number.integer;
    else
      rlx_vec_push(&lengths->all, ((RlxFillLength){arg->name, number.integer}));
  }
  return given ? seed : rlx_repl_next_seed(w->repl);
}

typedef struct Filling {
  RlxHeap *heap;
  const RlxStore *store;
  const RlxFill *what;
} Filling;

/// A tuple of what is made.
static RlxObject *fill_in_worker(void *data, RlxError *err) {
  const Filling *f = data;
  Vec(RlxFillParam *) made = {0};
  for (uint32_t i = 0; i < f->what->count; i++)
    if (!f->what->params[i].value) rlx_vec_push(&made, &f->what->params[i]);
  RlxObject *all = NULL;
  if (rlx_fill(f->heap, f->store, f->what, err)) {
    Vec(RlxObject *) fields = {0};
    for (uint32_t i = 0; i < made.count; i++) rlx_vec_push(&fields, made.at[i]->value);
    all = rlx_tuple_new(f->heap, fields.at, (int)fields.count);
    rlx_vec_free(&fields);
  }
  rlx_vec_free(&made);
  return all;
}

/// Makes what has no value, apart: Ctrl-C ends it. False after a message.
static bool fill(RlxSugarWriter *w, const RlxFill *what) {
  Filling filling = {rlx_jit_heap(w->repl->jit), w->repl->store, what};
  RlxError err = {0};
  RlxObject *made = rlx_repl_made_apart(w->repl, "random", fill_in_worker, &filling, false, &err);
  int32_t k = 0;
  for (uint32_t i = 0; i < what->count; i++) k += !what->params[i].value;
  if (made && (made->kind != RLX_OBJECT_TUPLE || made->count != k)) {
    rlx_error_set(&err, "random: what the worker handed over is something else");
    rlx_object_unref(made);
    made = NULL;
  }
  if (!made) return rlx_sugar_fail(w, &err), false;
  k = 0;
  for (uint32_t i = 0; i < what->count; i++)
    if (!what->params[i].value) what->params[i].value = rlx_object_ref(made->fields[k++]);
  rlx_object_unref(made);
  return true;
}

// ---- fields with names

bool rlx_sugar_field(RlxSugarWriter *w, const char *base, const char *key, const RlxAst *typed,
                     RlxBuf *out) {
  RlxObject *tuple = rlx_sugar_variable(w, base);
  char *const *names = tuple ? rlx_repl_field_names(w->repl, tuple) : NULL;
  RlxNearest nearest = rlx_nearest_start(key);
  if (!names) return false;
  for (int i = 0; i < tuple->count; i++) {
    rlx_nearest_try(&nearest, names[i]);
    if (strcmp(names[i], key) != 0) continue;
    RlxBuf stem = {0};
    if (!rlx_text_starts_name(*key)) rlx_buf_puts(&stem, "field_");
    for (const char *p = key; *p; p++)
      rlx_buf_putc(&stem, rlx_text_in_name(*p) && !(*p & 0x80) ? *p : '_');
    rlx_sugar_put_temp(w, rlx_buf_text(&stem), rlx_object_ref(tuple->fields[i]), typed, out);
    rlx_buf_free(&stem);
    return true;
  }
  const bool is_own = rlx_repl_find(w->repl, base, strlen(base)) != NULL;
  RlxBuf hint = {0};
  if (nearest.best)
    rlx_buf_printf(&hint, "; did you mean \"%s\"?", nearest.best);
  else if (is_own)
    rlx_buf_printf(&hint, ": `%s` alone lists the names", base);
  rlx_sugar_refuse(w, "there is no tensor \"%.200s\"%s%s%s%s", key, is_own ? " in `" : "",
                   is_own ? base : "", is_own ? "`" : "", rlx_buf_text(&hint));
  rlx_buf_free(&hint);
  return true;
}

// ---- arguments by name

/// What a parameter of the user's function is given.
typedef struct Given {
  RlxName name;
  const RlxSInfo *want;
  const RlxAst *value;    ///< an argument, or NULL
  RlxObject *field;       ///< borrowed: of `**w`; or NULL
  const char *field_name; ///< borrowed: its name
  const RlxAst *fields;   ///< the node `w`
  RlxBuf text;            ///< the argument as Relax
} Given;
typedef struct Givens {
  Vec(Given);
  bool is_filled; ///< `**random`: what nothing else gives
  uint64_t seed;  ///< for that
} Givens;

/// Whether a tensor of a file, "fc.weight", is the one for this parameter: `fc_weight`, or `p_fc_weight` as TVM
/// calls the parameters of an exported program.
static bool is_field_for(const char *field, const char *parameter) {
  for (int turn = 0; turn < 2; turn++) {
    const char *a = field, *b = parameter;
    if (turn && strncmp(b, "p_", 2) != 0) return false;
    if (turn) b += 2;
    while (*a && (*a == *b || (*b == '_' && !rlx_text_in_name(*a)))) a++, b++;
    if (!*a && !*b) return true;
  }
  return false;
}

/// `**w`: tensors by their names, for parameters that nothing else gives.
static bool give_fields(RlxSugarWriter *w, const RlxAst *ast, Givens *all) {
  RlxBuf text = {0};
  rlx_sugar_put(w, ast, &text);
  RlxObject *tuple = rlx_sugar_variable(w, rlx_buf_text(&text));
  char *const *names = tuple ? rlx_repl_field_names(w->repl, tuple) : NULL;
  rlx_buf_free(&text);
  if (!names && !w->failed)
    rlx_sugar_refuse(w,
                     "what stands behind `**` is `random`, or what load() or random(f) gave: `w = "
                     "load(\"weights.npz\")`");
  for (uint32_t i = 0; names && i < all->count; i++)
    for (int k = 0; k < tuple->count && !all->at[i].value && !all->at[i].field; k++)
      if (is_field_for(names[k], rlx_store_text(w->repl->store, all->at[i].name))) {
        all->at[i].field = tuple->fields[k];
        all->at[i].field_name = names[k];
        all->at[i].fields = ast;
      }
  return !w->failed;
}

static bool give_keyword(RlxSugarWriter *w, const char *function, const RlxAst *arg, Givens *all) {
  const char *name = rlx_store_text(w->repl->store, arg->name);
  RlxNearest nearest = rlx_nearest_start(name);
  for (uint32_t i = 0; i < all->count; i++) {
    Given *given = &all->at[i];
    rlx_nearest_try(&nearest, rlx_store_text(w->repl->store, given->name));
    if (given->name != arg->name) continue;
    if (given->value) rlx_sugar_refuse(w, "%s: `%s` is given twice", function, name);
    given->value = arg->children[0];
    return !w->failed;
  }
  rlx_sugar_refuse(w, "%s has no parameter `%s`%s%s%s", function, name,
                   nearest.best ? "; did you mean `" : "", nearest.best ? nearest.best : "",
                   nearest.best ? "`?" : "");
  return false;
}

/// `**random`, `**random(seed=3)`. False: it is none of these.
static bool give_random(RlxSugarWriter *w, const RlxAst *ast, Givens *all) {
  const bool is_call = ast->kind == RLX_AST_CALL;
  const RlxAst *root = is_call ? ast->children[0] : ast;
  if (root->kind != RLX_AST_NAME || !is_data(w, root, "random")) return false;
  if (is_call && ast->child_count > 1 && ast->children[1]->kind != RLX_AST_KEYWORD) return false;
  all->is_filled = true;
  all->seed = seed_of(w, is_call ? ast : NULL, NULL);
  return true;
}

/// Finds what each parameter is given; all that is missing is said at once.
static bool give_all(RlxSugarWriter *w, const char *function, const RlxAst *call, Givens *all) {
  uint32_t at = 0;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD || arg->kind == RLX_AST_DOUBLE_STARRED) continue;
    if (arg->kind == RLX_AST_STARRED || at == all->count) {
      rlx_sugar_refuse(w, "%s: %s", function,
                       at == all->count ? "more arguments than parameters"
                                        : "`*t` does not stand beside arguments by name");
      return false;
    }
    all->at[at++].value = arg;
  }
  for (uint32_t i = 1; i < call->child_count; i++)
    if (call->children[i]->kind == RLX_AST_KEYWORD &&
        !give_keyword(w, function, call->children[i], all))
      return false;
  for (uint32_t i = 1; i < call->child_count; i++)
    if (call->children[i]->kind == RLX_AST_DOUBLE_STARRED &&
        !give_random(w, call->children[i]->children[0], all) &&
        !give_fields(w, call->children[i]->children[0], all))
      return false;
  RlxBuf missing = {0};
  for (uint32_t i = 0; i < all->count; i++)
    if (!all->is_filled && !all->at[i].value && !all->at[i].field)
      rlx_buf_printf(&missing, "%s`%s`", missing.size ? ", " : "",
                     rlx_store_text(w->repl->store, all->at[i].name));
  if (missing.size)
    rlx_sugar_refuse(
        w, "%s: nothing is given for %.600s; `**random` behind the others fills what is missing",
        function, rlx_buf_text(&missing));
  rlx_buf_free(&missing);
  return !w->failed;
}

/// A tensor of `**w`, known as `w["name"]`.
static void write_field(RlxSugarWriter *w, const Given *given, RlxBuf *out) {
  const uint32_t before = w->repl->temps.count;
  rlx_sugar_put_temp(w, rlx_store_text(w->repl->store, given->name), rlx_object_ref(given->field),
                     NULL, out);
  if (w->repl->temps.count == before) return; // it has a name already
  RlxBuf typed = {0};
  rlx_sugar_copy(w, given->fields->span.start, given->fields->span.end, &typed);
  rlx_buf_printf(&typed, "[\"%s\"]", given->field_name);
  rlx_vec_last(&w->repl->temps).typed = rlx_buf_steal(&typed);
}

/// The value of a given argument, which is evaluated for it; borrowed.
static RlxObject *value_of(RlxSugarWriter *w, Given *given) {
  RlxObject *value = rlx_sugar_variable(w, rlx_buf_text(&given->text));
  if (value) return value;
  value = rlx_sugar_evaluate(w, rlx_buf_text(&given->text));
  rlx_buf_clear(&given->text);
  if (value)
    rlx_sugar_put_temp(w, rlx_store_text(w->repl->store, given->name), value, given->value,
                       &given->text);
  return value;
}

/// Makes what nothing gives, of the lengths that the given values have.
static void fill_rest(RlxSugarWriter *w, Givens *all) {
  Vec(RlxFillParam) params = {0};
  uint32_t missing = 0;
  for (uint32_t i = 0; i < all->count; i++) missing += !all->at[i].text.size;
  for (uint32_t i = 0; missing && i < all->count && !w->failed; i++) {
    Given *given = &all->at[i];
    RlxFillParam p = {.name = given->name, .want = given->want, .dtype = given->want->dtype};
    if (given->text.size && given->want->has_symbols) p.value = value_of(w, given);
    rlx_vec_push(&params, p);
  }
  // What is given and says nothing of a length is not made either.
  Vec(RlxFillParam) asked = {0};
  for (uint32_t i = 0; i < params.count; i++)
    if (params.at[i].value || !all->at[i].text.size) rlx_vec_push(&asked, params.at[i]);
  const RlxFill what = {.params = asked.at, .count = asked.count, .seed = all->seed};
  if (missing && !w->failed && fill(w, &what))
    for (uint32_t i = 0, k = 0; i < all->count; i++) {
      Given *given = &all->at[i];
      const bool is_made = !given->text.size;
      if (is_made)
        rlx_sugar_put_temp(w, rlx_store_text(w->repl->store, given->name), asked.at[k].value, NULL,
                           &given->text);
      k += is_made || params.at[i].value;
    }
  rlx_vec_free(&asked);
  rlx_vec_free(&params);
}

void rlx_sugar_named(RlxSugarWriter *w, const RlxFunctionView *view, const RlxAst *call,
                     RlxBuf *out) {
  const RlxFunction *function = view->function;
  RlxBuf callee = {0};
  Givens all = {0}; // the StructInfos outlive the next question, the function does not
  for (uint32_t i = 0; i < function->param_count; i++)
    rlx_vec_push(&all,
                 ((Given){.name = function->params[i]->name, .want = function->params[i]->sinfo}));
  rlx_sugar_put_callee(w, call->children[0], view, &callee);
  const bool ok = give_all(w, rlx_buf_text(&callee), call, &all);
  for (uint32_t i = 0; ok && i < all.count; i++) {
    Given *given = &all.at[i];
    if (given->field)
      write_field(w, given, &given->text);
    else if (given->value)
      rlx_sugar_argument(w, given->value, given->want, &given->text);
  }
  if (ok && all.is_filled && !w->failed) fill_rest(w, &all);
  rlx_buf_printf(out, "%s(", rlx_buf_text(&callee));
  for (uint32_t i = 0; i < all.count; i++) {
    rlx_buf_printf(out, "%s%s", i ? ", " : "", rlx_buf_text(&all.at[i].text));
    rlx_buf_free(&all.at[i].text);
  }
  rlx_buf_putc(out, ')');
  rlx_vec_free(&all);
  rlx_buf_free(&callee);
}

// ---- random(f)

bool rlx_sugar_random(RlxSugarWriter *w, const RlxAst *call, RlxBuf *out) {
  const RlxAst *first = call->child_count > 1 ? call->children[1] : NULL;
  if (!first || (first->kind != RLX_AST_NAME && first->kind != RLX_AST_ATTRIBUTE)) return false;
  const RlxFunctionView f = rlx_sugar_callee(w, first);
  if (f.kind == RLX_ISLAND_PRIM_FUNC)
    return rlx_sugar_refuse(w,
                            "random: %s is a PrimFunc; `random(2, 3)` makes a tensor for a buffer",
                            rlx_store_text(w->repl->store, f.name)),
           true;
  if (!f.function) return false;
  Lengths lengths = {.function = f.function};
  Vec(RlxFillParam) params = {0};
  Vec(RlxObject *) fields = {0};
  const uint64_t seed = seed_of(w, call, &lengths);
  if (call->child_count > 2 && call->children[2]->kind != RLX_AST_KEYWORD)
    rlx_sugar_refuse(
        w, "random(f) takes seed, and the symbolic dimensions of the parameters, by name");
  for (uint32_t i = 0; i < f.function->param_count; i++) {
    const RlxSInfo *want = f.function->params[i]->sinfo;
    rlx_vec_push(
        &params,
        ((RlxFillParam){.name = f.function->params[i]->name, .want = want, .dtype = want->dtype}));
  }
  const RlxFill what = {params.at, params.count, lengths.all.at, lengths.all.count, seed};
  if (!w->failed && fill(w, &what)) {
    char **names = rlx_mem_zeroed((size_t)params.count + 1, sizeof *names);
    for (uint32_t i = 0; i < params.count; i++) {
      names[i] = rlx_mem_strdup(rlx_store_text(w->repl->store, params.at[i].name));
      rlx_vec_push(&fields, params.at[i].value);
    }
    RlxObject *tuple = rlx_tuple_new(rlx_jit_heap(w->repl->jit), fields.at, (int)fields.count);
    for (uint32_t i = 0; i < fields.count; i++) rlx_object_unref(fields.at[i]);
    rlx_repl_name_fields(w->repl, tuple, names, (int)fields.count);
    rlx_sugar_put_temp(w, "random", tuple, call, out);
  }
  rlx_vec_free(&fields);
  rlx_vec_free(&params);
  rlx_vec_free(&lengths.all);
  return true;
}
