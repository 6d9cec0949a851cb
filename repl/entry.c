/// Entries: which kind each is, when it is whole, its evaluation in a worker, what Tab offers.
///
/// Always true: an entry that fails changes nothing.
#include "analyzer/schedule/schedule.h"
#include "base/text.h"
#include "repl/about.h"
#include "repl/bindings.h"
#include "repl/commands.h"
#include "repl/follow.h"
#include "repl/numbers.h"
#include "repl/python.h"
#include "repl/reader.h"
#include "repl/sched.h"
#include "repl/session.h"
#include "repl/split.h"
#include "repl/sugar.h"
#include "repl/values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/words/spell.h"
#include "base/file.h"
#include "base/mem.h"
#include "jit/runtime/format.h"

typedef Vec(RlxName) Names;

// ---- statements

/// A copy of the bytes [start, end) of the entries' text.
static char *text_of(const RlxSplit *split, uint32_t start, uint32_t end) {
  return rlx_mem_strndup(rlx_buf_text(&split->text) + start, end - start);
}

/// What stands behind the "=" of a binding, up to its end; the caller frees it.
static char *right_side(const RlxSplit *split, const RlxEntry *entry) {
  const RlxStmt *stmt = entry->stmt;
  const RlxAst *last = stmt->annotation ? stmt->annotation : stmt->targets[stmt->target_count - 1];
  const char *text = rlx_buf_text(&split->text), *p = text + stmt->start + last->span.end;
  p = memchr(p, '=', (size_t)(text + entry->end - p));
  p = p ? p + 1 : text + stmt->start + stmt->value->span.start;
  while (isspace((unsigned char)*p) || (*p == '\\' && p[1] == '\n')) p++;
  return text_of(split, (uint32_t)(p - text), entry->end);
}

/// Binds a target of an assignment to a value, fields to the names of a tuple.
static bool bind(RlxRepl *repl, const RlxAst *target, RlxObject *value) {
  if (target->kind == RLX_AST_NAME) {
    const char *name = rlx_store_text(repl->store, target->name);
    rlx_repl_bind_value(repl, name, rlx_object_ref(value));
    return true;
  }
  if (target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST)
    return printf(target->kind == RLX_AST_SUBSCRIPT
                      ? "error: elements are assigned to alone: `x[0] = 1`\n"
                  : target->kind == RLX_AST_ATTRIBUTE
                      ? "error: attributes of values cannot be set; `x = x.reshape(2, 3)` makes x "
                        "another value\n"
                      : "error: only names, and tuples of them, can be bound\n"),
           false;
  const bool is_shape = value->kind == RLX_OBJECT_SHAPE,
             fits = (is_shape || value->kind == RLX_OBJECT_TUPLE) &&
                    value->count == (int32_t)target->child_count;
  if (!fits) {
    rlx_text_say(stdout,
                 "error: %u names for a value that is not a tuple or shape of so many fields",
                 target->child_count);
    return false;
  }
  bool ok = true;
  for (uint32_t i = 0; ok && i < target->child_count; i++) {
    RlxObject *field = is_shape ? rlx_int_new(rlx_jit_heap(repl->jit), value->dims[i], RLX_INT64)
                                : rlx_object_ref(value->fields[i]);
    ok = bind(repl, target->children[i], field);
    rlx_object_unref(field);
  }
  return ok;
}

/// Whether the expression calls R.match_cast.
static bool casts(const RlxRepl *repl, const RlxAst *x) {
  if (x->kind == RLX_AST_ATTRIBUTE && !strcmp(rlx_store_text(repl->store, x->name), "match_cast"))
    return true;
  for (uint32_t i = 0; i < x->child_count; i++)
    if (casts(repl, x->children[i])) return true;
  return false;
}

/// Appends the name that an `if` gives: the last one that its first branch binds.
static void names_of_branch(const RlxBlock *block, Names *out) {
  if (!block || !block->count) return;
  const RlxStmt *last = block->stmts[block->count - 1];
  if (last->kind == RLX_STMT_IF)
    names_of_branch(last->body, out);
  else if (last->target_count && last->targets[0]->kind == RLX_AST_NAME)
    rlx_vec_push(out, last->targets[0]->name);
}

/// Appends the names that R.output hands out of a dataflow block.
static void names_of_output(const RlxRepl *repl, const RlxBlock *block, Names *out) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxAst *call = block->stmts[i]->value;
    if (block->stmts[i]->kind != RLX_STMT_EXPR || call->kind != RLX_AST_CALL) continue;
    const RlxAst *callee = call->children[0];
    if (callee->kind != RLX_AST_ATTRIBUTE ||
        strcmp(rlx_store_text(repl->store, callee->name), "output") != 0)
      continue;
    for (uint32_t k = 1; k < call->child_count; k++)
      if (call->children[k]->kind == RLX_AST_NAME) rlx_vec_push(out, call->children[k]->name);
  }
}

/// Symbolic dimensions without a value that `text` mentions.
static void symbols_of(RlxRepl *repl, const char *text, Names *out) {
  RlxReplNames names = {0};
  rlx_repl_names_in(repl, text, &names);
  rlx_repl_once(&names);
  for (uint32_t i = 0; i < names.count; i++) {
    const RlxReplDef *def = rlx_repl_def_of(repl, names.at[i]);
    if (def && def->is_symbol) rlx_vec_push(out, names.at[i]);
  }
  rlx_vec_free(&names);
}

/// The expression that gives a statement's names and, as a shape behind them, its dimensions.
static void put_result(const RlxRepl *repl, const Names *names, const Names *symbols, RlxBuf *out) {
  if (!names->count && !symbols->count) {
    rlx_buf_puts(out, "R.tuple()");
    return;
  }
  rlx_buf_putc(out, '(');
  for (uint32_t i = 0; i < names->count; i++)
    rlx_buf_printf(out, "%s, ", rlx_store_text(repl->store, names->at[i]));
  for (uint32_t i = 0; i < symbols->count; i++)
    rlx_buf_printf(out, "%s%s%s", i ? ", " : "R.shape([",
                   rlx_store_text(repl->store, symbols->at[i]), i + 1 < symbols->count ? "" : "])");
  rlx_buf_putc(out, ')');
}

/// Evaluates a statement that binds `names`, and binds them. `gives_symbols`: its R.match_cast gives
/// the symbolic dimensions in it their values.
static bool run_statement(RlxRepl *repl, const RlxStmt *stmt, const char *text, const Names *names,
                          bool gives_symbols) {
  Names symbols = {0};
  RlxBuf result = {0};
  RlxReplArgs args = {0};
  RlxName function = 0;
  RlxObject *value = NULL;
  if (gives_symbols) symbols_of(repl, text, &symbols);
  const bool is_one = names->count == 1 && !symbols.count;
  if (is_one)
    rlx_buf_puts(&result, rlx_store_text(repl->store, names->at[0]));
  else
    put_result(repl, names, &symbols, &result);
  const bool is_plain = repl->nesting || stmt->has_error; // a file keeps TVM's rules
  const char *relax = is_plain ? text : rlx_repl_plain_statement(repl, stmt, text);
  RlxProgram *program = NULL;
  if (relax)
    program = rlx_repl_program_of(repl, relax, !strcmp(relax, text), rlx_buf_text(&result),
                                  &function, &args);
  if (relax && !is_plain) repl->plain_done(repl);
  const bool ok = rlx_repl_call(repl, program, function, &args, &value);
  for (uint32_t i = 0; ok && i < names->count; i++) {
    const char *name = rlx_store_text(repl->store, names->at[i]);
    rlx_repl_bind_value(repl, name, rlx_object_ref(is_one ? value : value->fields[i]));
  }
  for (uint32_t i = 0; ok && i < symbols.count; i++) {
    const char *name = rlx_store_text(repl->store, symbols.at[i]);
    rlx_repl_stage_extent(repl, name, value->fields[names->count]->dims[i]);
  }
  rlx_object_unref(value);
  rlx_program_free(program);
  rlx_vec_free(&args);
  rlx_vec_free(&symbols);
  rlx_buf_free(&result);
  return ok && rlx_repl_settle(repl);
}

// ---- what is Python's own

/// Whether the expression, in a script that is loaded, is Python's own and no value of the session:
/// it calls nothing but Python and numpy, and names no variable.
static bool is_python(RlxRepl *repl, const RlxAst *x) {
  if (x->kind == RLX_AST_NAME) {
    const char *name = rlx_store_text(repl->store, x->name);
    return !rlx_repl_find(repl, name, strlen(name));
  }
  if (x->kind == RLX_AST_CALL) {
    const RlxAst *first = x->children[0];
    const bool is_plain = first->kind == RLX_AST_NAME;
    while (first->kind == RLX_AST_ATTRIBUTE ||
           first->kind == RLX_AST_CALL) // np.arange(6).reshape(2, 3)
      first = first->children[0];
    if (first->kind != RLX_AST_NAME) return false;
    const char *name = rlx_store_text(repl->store, first->name);
    if (is_plain ? !rlx_names_is_builtin(name) : !rlx_text_is_among(name, "np numpy tvm tir T"))
      return false;
  }
  for (uint32_t i = 0; i < x->child_count; i++)
    if (!is_python(repl, x->children[i])) return false;
  return true;
}

/// Whether the expression is a number, text or tuple known from the text alone: a constant of the
/// module, which annotations may name.
static bool is_constant(RlxRepl *repl, const RlxAst *x) {
  switch (x->kind) {
  case RLX_AST_INT:
  case RLX_AST_FLOAT:
  case RLX_AST_TRUE:
  case RLX_AST_FALSE:
  case RLX_AST_STRING: return true;
  case RLX_AST_NAME: {
    const char *name = rlx_store_text(repl->store, x->name);
    const RlxReplDef *def = rlx_repl_find_def(repl, name, strlen(name));
    const char *rest = def ? def->text + strlen(name) : "";
    return def && !def->is_symbol && (!strncmp(rest, " =", 2) || *rest == ':');
  }
  case RLX_AST_TUPLE:
  case RLX_AST_UNARY:
  case RLX_AST_BINARY:
    for (uint32_t i = 0; i < x->child_count; i++)
      if (!is_constant(repl, x->children[i])) return false;
    return true;
  default: return false;
  }
}

/// Whether the expression declares a symbolic dimension: T.int64().
static bool is_symbol(const RlxRepl *repl, const RlxAst *x) {
  char rest[RLX_AST_DOTTED_MAX];
  if (x->kind != RLX_AST_CALL) return false;
  for (uint32_t i = 1; i < x->child_count; i++)
    if (x->children[i]->kind != RLX_AST_KEYWORD) return false;
  const RlxAst *first = rlx_ast_dotted(repl->store, x->children[0], rest);
  return first && rlx_text_is_among(rlx_store_text(repl->store, first->name), "T tir") &&
         rlx_text_is_among(rest, "int64 int32");
}

/// Whether the expression declares a symbolic dimension as 0.27 prints it: TypeVar("n").
static bool is_type_var(const RlxRepl *repl, const RlxAst *x) {
  return x->kind == RLX_AST_CALL && x->child_count == 2 && x->children[1]->kind == RLX_AST_STRING &&
         !strcmp(rlx_ast_last_name(repl->store, x->children[0]), "TypeVar");
}

/// Statements of a module that bind nothing of the session: its docstring, its main part.
static bool is_aside(RlxRepl *repl, const RlxStmt *stmt) {
  switch (stmt->kind) {
  case RLX_STMT_EXPR:
    return stmt->value->kind == RLX_AST_STRING ||
           (stmt->value->kind == RLX_AST_CALL && is_python(repl, stmt->value));
  case RLX_STMT_IF: return is_python(repl, stmt->value);
  case RLX_STMT_WITH: return is_python(repl, stmt->items[0].value);
  case RLX_STMT_FOR:
  case RLX_STMT_WHILE:
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH:
  case RLX_STMT_DELETE:
  case RLX_STMT_ASSERT:
  case RLX_STMT_GLOBAL: return true;
  default: return false;
  }
}

/// Whether the import binds no name but those that a session has from the start.
static bool is_there(const RlxRepl *repl, const RlxStmt *stmt) {
  for (uint32_t i = 0; i < stmt->import_count; i++)
    if (!stmt->imports[i].name ||
        !rlx_text_is_among(rlx_store_text(repl->store, stmt->imports[i].name), "I R T"))
      return false;
  return true;
}

/// An import: kept as a definition, but for TVM's own names that are there.
static void take_import(RlxRepl *repl, const RlxStmt *stmt, const char *text) {
  const char *module =
      stmt->import_count ? rlx_store_text(repl->store, stmt->imports[0].module) : "";
  const bool is_tvm = !strncmp(module, "tvm", 3) && !rlx_text_in_name(module[3]);
  if ((is_tvm && is_there(repl, stmt)) || !strcmp(module, "__future__")) return;
  rlx_repl_stage(repl, text, strlen(text), text, strlen(text));
  const bool is_numpy = !strcmp(module, "numpy");
  if (!is_tvm && repl->is_typed && !repl->nesting)
    printf("note: no module of Python is run here%s; `load(\"x.npy\")`, `random(2, 3)` and "
           "`zeros(2, 3)` give tensors, `R.` and Tab lists what computes with them\n",
           is_numpy ? ", but arrays of constants are known (`np.eye(3)`), and what Relax has under "
                      "numpy's name (`np.exp(x)`)"
                    : "");
}

// ---- one entry

/// Whether the annotation of a constant is a type of Python's; NULL, none, is fine, too.
static bool is_python_type(const RlxRepl *repl, const RlxAst *x) {
  if (x && x->kind == RLX_AST_SUBSCRIPT) x = x->children[0]; // tuple[int, int]
  return !x || (x->kind == RLX_AST_NAME && rlx_text_is_among(rlx_store_text(repl->store, x->name),
                                                             "int float bool str tuple"));
}

/// Whether nothing can be wrong with the constant: nothing is computed.
static bool is_sound(const RlxAst *x) {
  for (uint32_t i = 0; i < x->child_count; i++)
    if (!is_sound(x->children[i])) return false;
  return x->kind != RLX_AST_BINARY &&
         (x->kind != RLX_AST_UNARY || x->children[0]->kind == RLX_AST_INT ||
          x->children[0]->kind == RLX_AST_FLOAT);
}

/// Keeps a constant of the module as it is written; one that is made of what it was before as its number.
static void stage_constant(RlxRepl *repl, const RlxStmt *stmt, const char *text) {
  const char *name = rlx_store_text(repl->store, stmt->targets[0]->name);
  RlxReplNumber number;
  RlxBuf own = {0};
  if (rlx_repl_mentions(text + stmt->value->span.start, name) &&
      rlx_repl_number(repl, stmt->value, &number)) {
    rlx_buf_printf(&own, "%s = ", name);
    rlx_repl_put_number(&number, &own);
    text = rlx_buf_text(&own);
  }
  const bool is_sum = !stmt->annotation && !is_sound(stmt->value) &&
                      rlx_repl_number(repl, stmt->value, &number) && isfinite(number.value);
  if (is_sum || (!stmt->annotation && is_sound(stmt->value)))
    rlx_repl_stage_plain(repl, name, strlen(name), text);
  else
    rlx_repl_stage(repl, name, strlen(name), text, strlen(text));
  if (is_sum) rlx_repl_number_brief(repl, rlx_repl_find_def(repl, name, strlen(name)), &number);
  rlx_buf_free(&own);
}

/// `x[0] = 5` makes x what it is then.
static bool assign_elements(RlxRepl *repl, const RlxAst *target, const char *text) {
  RlxObject *value;
  if (!rlx_repl_value(repl, text, &value) || !value) return false;
  const char *name = rlx_store_text(repl->store, target->children[0]->name);
  rlx_repl_bind_value(repl, name, value);
  return true;
}

/// An assignment of what is evaluated.
static bool assign_value(RlxRepl *repl, const RlxSplit *split, const RlxEntry *entry,
                         const char *text) {
  const RlxStmt *stmt = entry->stmt;
  const RlxAst *target = stmt->targets[0];
  const bool is_name = target->kind == RLX_AST_NAME && stmt->target_count == 1;
  const char *name = is_name ? rlx_store_text(repl->store, target->name) : NULL;
  if (target->kind == RLX_AST_SUBSCRIPT && stmt->target_count == 1 && !repl->nesting)
    return assign_elements(repl, target, text);
  if (is_name && (stmt->annotation || casts(repl, stmt->value))) {
    Names names = {0};
    rlx_vec_push(&names, target->name);
    const bool ok = run_statement(repl, stmt, text, &names, casts(repl, stmt->value));
    rlx_vec_free(&names);
    return ok;
  }
  char *expression = right_side(split, entry);
  RlxObject *value;
  if (is_name && !repl->nesting && rlx_repl_alias(repl, name, strlen(name), expression)) {
    free(expression);
    return true;
  }
  bool ok = rlx_repl_value(repl, expression, &value) && value;
  for (uint32_t i = 0; ok && i < stmt->target_count; i++) ok = bind(repl, stmt->targets[i], value);
  rlx_object_unref(value);
  free(expression);
  return ok;
}

/// Whether the expression is `tvm.ir.load_json("…")`: what is printed with its metadata begins so.
static bool is_metadata(const RlxRepl *repl, const RlxAst *x) {
  return x->kind == RLX_AST_CALL && x->child_count == 2 && x->children[1]->kind == RLX_AST_STRING &&
         !strcmp(rlx_ast_last_name(repl->store, x->children[0]), "load_json");
}

/// Whether the expression calls a function of TVM's own module.
static bool calls_tvm(const RlxRepl *repl, const RlxAst *x) {
  char rest[RLX_AST_DOTTED_MAX];
  const RlxAst *root =
      x->kind == RLX_AST_CALL ? rlx_ast_dotted(repl->store, x->children[0], rest) : NULL;
  return root && root->kind == RLX_AST_NAME &&
         !strcmp(rlx_store_text(repl->store, root->name), "tvm");
}

/// Keeps an assignment of what is Python's own as it is written.
static void stage_python(RlxRepl *repl, const RlxStmt *stmt, const char *text) {
  const RlxAst *target = stmt->targets[0];
  const bool is_name = target->kind == RLX_AST_NAME && stmt->target_count == 1;
  const char *name = is_name ? rlx_store_text(repl->store, target->name) : text;
  rlx_repl_stage(repl, name, is_name ? strlen(name) : target->span.end - target->span.start, text,
                 strlen(text));
}

/// `tvm.s_tir.Schedule(mod)`
static bool makes_schedule(RlxRepl *repl, const RlxAst *value) {
  const RlxAst *callee = value->kind == RLX_AST_CALL ? value->children[0] : NULL;
  return callee && callee->kind == RLX_AST_ATTRIBUTE && calls_tvm(repl, value) &&
         strcmp(rlx_store_text(repl->store, callee->name), "Schedule") == 0;
}

static bool assign(RlxRepl *repl, const RlxSplit *split, const RlxEntry *entry, const char *text) {
  const RlxStmt *stmt = entry->stmt;
  const RlxAst *target = stmt->targets[0];
  const bool is_name = target->kind == RLX_AST_NAME && stmt->target_count == 1;
  const char *name = is_name ? rlx_store_text(repl->store, target->name) : NULL;
  if (!stmt->value)
    return rlx_text_say(stdout, "error: a binding has a value: `%s = …`", name ? name : "name"),
           false;
  if (is_name && is_symbol(repl, stmt->value)) {
    rlx_repl_stage_symbol(repl, name, strlen(name), text);
    return true;
  }
  if (is_name && is_type_var(repl, stmt->value)) {
    rlx_repl_stage_plain(repl, name, strlen(name), text);
    return true;
  }
  if (!repl->nesting && is_name && is_python_type(repl, stmt->annotation) &&
      is_constant(repl, stmt->value)) {
    stage_constant(repl, stmt, text);
    return true;
  }
  if (repl->nesting && is_python(repl, stmt->value)) {
    stage_python(repl, stmt, text);
    return true;
  }
  if (is_name && is_metadata(repl, stmt->value)) {
    rlx_repl_stage(repl, name, strlen(name), text, strlen(text));
    return true;
  }
  if (!repl->nesting && name && makes_schedule(repl, stmt->value)) {
    printf("note: a schedule has a prompt of its own here: `:sched NAME`, a PrimFunc's; steps go "
           "in there\n");
    return true;
  }
  if (!repl->nesting && name && calls_tvm(repl, stmt->value)) {
    printf("note: TVM's own functions are not run here: constants of `%s` have no values\n", name);
    return true;
  }
  const bool settled = rlx_repl_settle(repl);
  if (!settled && repl->nesting) return false;
  repl->takes_unknown = repl->nesting > 0;
  repl->was_unknown = false;
  bool ok = assign_value(repl, split, entry, text);
  repl->takes_unknown = false;
  if (!ok && repl->was_unknown) { // `int(os.environ["N"])`: a module may, and `rlx check` takes it
    stage_python(repl, stmt, text);
    ok = true;
  }
  return ok && settled;
}

/// `x += 1` at the prompt is `x = x + (1)`; the same of elements: `x[0] += 1`.
static bool augment(RlxRepl *repl, const RlxStmt *stmt, const char *text) {
  const RlxAst *target = stmt->targets[0];
  if (target->kind != RLX_AST_NAME && target->kind != RLX_AST_SUBSCRIPT)
    return printf("error: only names and elements (`x[0] += 1`) can be changed\n"), false;
  const char *op = text + target->span.end, *left = text + target->span.start;
  const int size = (int)(target->span.end - target->span.start);
  op += strspn(op, " \t");
  RlxBuf out = {0};
  rlx_buf_printf(&out, "%.*s = %.*s %.*s (%s)", size, left, size, left, (int)strcspn(op, "="), op,
                 text + stmt->value->span.start);
  const bool ok = rlx_repl_enter(repl, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return ok;
}

/// A block, whose names it binds; what is no Relax is refused by the analysis.
static bool run_block(RlxRepl *repl, const RlxStmt *stmt, const char *text) {
  Names names = {0};
  if (stmt->kind == RLX_STMT_IF)
    names_of_branch(stmt->body, &names);
  else if (stmt->kind == RLX_STMT_WITH)
    names_of_output(repl, stmt->body, &names);
  const bool ok = run_statement(repl, stmt, text, &names, false);
  rlx_vec_free(&names);
  return ok;
}

static bool delete_names(RlxRepl *repl, const char *text) {
  bool ok = true;
  if (text[3 + strcspn(text + 3, "[.")])
    return printf("error: names are deleted, and no parts of values\n"), false;
  for (const char *p = text + 3; *p;) { // behind "del"
    while (*p && !rlx_text_starts_name(*p)) p++;
    size_t n = 0;
    while (rlx_text_in_name(p[n])) n++;
    char *name = rlx_mem_strndup(p, n);
    if (n) ok &= rlx_repl_del(repl, name);
    free(name);
    p += n;
  }
  return ok;
}

/// A statement that is no definition and no assignment.
static bool evaluate_statement(RlxRepl *repl, const RlxStmt *stmt, const char *text) {
  const RlxStmtKind kind = stmt->kind;
  if (kind == RLX_STMT_AUGMENTED && !stmt->has_error && !repl->nesting && !repl->walk)
    return augment(repl, stmt, text);
  if (repl->walk && !repl->nesting) return rlx_repl_walk_enter(repl, text);
  if (repl->nesting && is_aside(repl, stmt)) return true;
  const char *instead = repl->nesting || stmt->has_error ? NULL : rlx_repl_python_instead(stmt);
  if (instead) return rlx_text_say(stdout, "error: %s", instead), false;
  RlxRegistered intrinsic;
  if (rlx_schedule_registers(repl->store, stmt, &intrinsic)) // for steps of schedules
    return rlx_repl_stage(repl, text, strlen(text), text, strlen(text)), true;
  if (kind == RLX_STMT_PASS) return true;
  if (kind == RLX_STMT_DELETE) return delete_names(repl, text);
  if (kind == RLX_STMT_HOLE && *text == '@')
    return printf("error: a decorator must be followed by a def or class\n"), false;
  if (kind == RLX_STMT_EXPR && stmt->value->kind == RLX_AST_STRING && !repl->is_typed)
    return true; // a docstring
  if (kind == RLX_STMT_EXPR && stmt->value->kind == RLX_AST_NONE && !repl->nesting)
    return true; // as Python's prompt
  if (kind == RLX_STMT_RETURN && stmt->value)
    return rlx_repl_show_value(repl, text + stmt->value->span.start);
  bool ok;
  if (kind == RLX_STMT_EXPR && rlx_repl_python_entry(repl, stmt, text, &ok)) return ok;
  if (kind == RLX_STMT_EXPR) return rlx_repl_show_value(repl, text);
  if (kind == RLX_STMT_IF && strstr(text, "__name__")) return true; // the main part of a script
  return run_block(repl, stmt, text);
}

static bool enter_statement(RlxRepl *repl, const RlxSplit *split, const RlxEntry *entry,
                            const char *text) {
  const RlxStmt *stmt = entry->stmt;
  const RlxStmtKind kind = stmt->kind;
  if (kind == RLX_STMT_IMPORT) return take_import(repl, stmt, text), true;
  if ((kind == RLX_STMT_DEF || kind == RLX_STMT_CLASS) && stmt->name) {
    const char *name = rlx_store_text(repl->store, stmt->name);
    if (kind == RLX_STMT_DEF && !stmt->decorator_count && !repl->nesting && !stmt->has_error)
      printf("note: " RLX_REPL_NO_DECORATOR "\n", name);
    rlx_repl_stage(repl, name, strlen(name), text, strlen(text));
    return true;
  }
  if ((kind == RLX_STMT_ASSIGN || kind == RLX_STMT_ANNOTATED) && !stmt->has_error)
    return assign(repl, split, entry, text);
  // Behind a definition that is refused the others are entered all the same, but in a file.
  const bool settled = rlx_repl_settle(repl);
  return (settled || !repl->nesting) && evaluate_statement(repl, stmt, text) && settled;
}

/// Whether a semicolon ends the line behind the entry: its value is not shown then, as in IPython and Julia.
static bool is_hushed(const RlxSplit *split, const RlxEntry *entry) {
  const char *start = rlx_buf_text(&split->text), *p = start + entry->end, *before = p;
  while (before > start && strchr(" \t", before[-1])) before--;
  p += strspn(p, " \t");
  if (before[-(before > start)] != ';') { // it may belong to the entry
    if (*p != ';') return false;
    p += 1 + strspn(p + 1, " \t");
  }
  return !*p || *p == '\n' || *p == '#';
}

static bool enter_all(RlxRepl *repl, const char *text);

static bool enter_one(RlxRepl *repl, const RlxSplit *split, const RlxEntry *entry) {
  bool ok = true;
  repl->is_hushed = !repl->nesting && is_hushed(split, entry);
  char *text = text_of(split, entry->start, entry->end);
  if (repl->sched || !entry->stmt) ok = rlx_repl_settle(repl);
  if (repl->sched) {
    RlxBuf next = {0};
    ok = rlx_repl_sched_enter(repl, text, &next);
    if (ok && next.size) ok = rlx_repl_enter(repl, rlx_buf_text(&next));
    rlx_buf_free(&next);
  } else if (entry->is_rest) // by itself it says what is wrong with it
    ok = enter_all(repl, text) && ok;
  else if (!entry->stmt && *text == ':')
    ok &= rlx_repl_command(repl, text);
  else if (!entry->stmt)
    ok = rlx_repl_shortcut(repl, text, false, &ok) && ok;
  else
    ok = enter_statement(repl, split, entry, text);
  free(text);
  return ok;
}

/// `x?` and `!command` are lines of their own, and no Python.
static bool take_shortcut(RlxRepl *repl, const char *text, bool *ok) {
  while (isspace((unsigned char)*text)) text++;
  size_t size = strlen(text);
  while (size && isspace((unsigned char)text[size - 1])) size--;
  if (repl->nesting || repl->sched || memchr(text, '\n', size)) return false;
  char *line = rlx_mem_strndup(text, size);
  const bool taken = rlx_repl_shortcut(repl, line, repl->is_typed, ok);
  free(line);
  fflush(stdout);
  return taken;
}

/// The line of entry `i`, from 1.
static int line_of(const RlxSplit *split, uint32_t i) {
  const char *at = rlx_buf_text(&split->text), *end = at + split->entries.at[i].start;
  int line = 1;
  for (; at < end; at++) line += *at == '\n';
  return line;
}

/// After entry `i`: whether a Ctrl-C ended the text there. Says so, and of a file what was not read.
static bool is_cut(RlxRepl *repl, const RlxSplit *split, uint32_t i) {
  const bool is_told = repl->was_interrupted; // by the entry itself
  if (!is_told && (i + 1 == split->entries.count || !repl->interrupted || !*repl->interrupted))
    return false;
  if (!is_told) rlx_repl_tell_interrupted(repl);
  if (repl->loading)
    rlx_text_say(stdout, "# %s: line %d and what is below it was not read", repl->loading,
                 line_of(split, is_told ? i : i + 1));
  return true;
}

/// What was copied from a session, with its prompts.
static bool take_transcript(RlxRepl *repl, const char *text, bool *ok) {
  RlxBuf own = {0};
  uint32_t printed;
  if (repl->nesting || repl->sched || !rlx_entry_transcript(text, &own, &printed)) return false;
  if (printed)
    printf("# %u line%s without a prompt %s taken for what was printed\n", printed,
           printed == 1 ? "" : "s", printed == 1 ? "is" : "are");
  *ok = rlx_repl_enter(repl, rlx_buf_text(&own));
  rlx_buf_free(&own);
  return true;
}

/// Handles all entries of a text; in a file the first error ends it. What is staged then is not judged yet.
static bool enter_all(RlxRepl *repl, const char *text) {
  RlxSplit split;
  bool ok = true;
  if (take_shortcut(repl, text, &ok) || take_transcript(repl, text, &ok)) return ok;
  rlx_split(repl->store, text, &split);
  const bool is_typed = repl->is_typed;
  repl->is_typed &= split.entries.count == 1;
  repl->was_interrupted = false;
  uint32_t alone = 0;
  for (uint32_t i = 0; i < split.entries.count && !repl->quit && !repl->was_interrupted; i++) {
    if (!repl->nesting) repl->entry++;
    const uint32_t run = rlx_repl_bind_run(repl, &split, i, &alone, &ok);
    if (run)
      i += run - 1;
    else
      ok &= enter_one(repl, &split, &split.entries.at[i]);
    const bool was_cut = is_cut(repl, &split, i);
    if (was_cut) ok = false;
    if (ok || !repl->nesting) continue;
    if (!was_cut && repl->loading)
      rlx_text_say(stdout, "# %s: stopped at line %d; what is below it was not read", repl->loading,
                   line_of(&split, i));
    break;
  }
  repl->is_typed = is_typed;
  rlx_split_free(&split);
  return ok;
}

/// Judges what is staged, behind all of a text.
static bool finish(RlxRepl *repl) {
  const bool ok = rlx_repl_settle(repl);
  rlx_repl_trim_undo(repl);
  fflush(stdout);
  return ok;
}

bool rlx_repl_enter(RlxRepl *repl, const char *text) {
  const bool ok = enter_all(repl, text);
  return finish(repl) && ok;
}

/// Marks what was read from the file before.
static void mark_old(RlxRepl *repl, const char *path) {
  const RlxName origin = rlx_store_intern(repl->store, path, strlen(path));
  uint32_t at = 0;
  for (RlxReplDef *def; (def = rlx_repl_next_def(repl, &at));)
    def->is_old = def->origin && !strcmp(def->origin, path);
  at = 0;
  for (RlxReplVar *var; (var = rlx_repl_next_var(repl, &at));) var->is_old = var->origin == origin;
}

/// Drops the definitions and values that were read from the file before and are not in it now.
static void drop_old(RlxRepl *repl) {
  for (uint32_t i = repl->vars.count; i-- > 0;) {
    RlxReplVar *var = &repl->vars.at[i];
    if (!var->name || !var->is_old) continue;
    printf("%s is gone\n", var->name);
    rlx_repl_note(repl, false, var->name, NULL, var->value);
    rlx_repl_remove_var(repl, var);
  }
  for (uint32_t i = repl->defs.count; i-- > 0;) {
    RlxReplDef *def = &repl->defs.at[i];
    if (!def->name || !def->is_old) continue;
    if (!strchr(def->name, ' ')) printf("%s is gone\n", def->name); // no import
    rlx_repl_note(repl, true, def->name, def->text, NULL);
    rlx_vec_last(&repl->changes).was_symbol = def->is_symbol;
    rlx_repl_remove_def(repl, def);
  }
}

bool rlx_repl_read_script(RlxRepl *repl, const char *path) {
  if (!rlx_repl_may_read(repl, path)) return false;
  RlxBuf source = {0};
  RlxError err;
  bool (*read)(const char *path, RlxBuf *out, RlxError *err) = repl->options->read;
  bool ok = (read ? read : rlx_file_read)(path, &source, &err);
  repl->is_unread = !ok;
  if (!ok)
    rlx_text_say(stdout, "error: %s", err.text);
  else
    ok = rlx_repl_settle(repl);
  if (!ok) return rlx_buf_free(&source), false;
  if (repl->options->attach) repl->options->attach(repl->options->attach_data, repl->file, path);
  if (!repl->nesting++) repl->entry++;
  char *copy = rlx_mem_strdup(path);
  const char *outer = repl->loading;
  const RlxReplReading here = {copy, repl->reading};
  mark_old(repl, path);
  repl->loading = copy;
  repl->readings = here.outer ? repl->readings + 1 : 1;
  repl->reading = &here;
  ok = enter_all(repl, rlx_buf_text(&source));
  if (ok) drop_old(repl); // before it is judged: users of both are told once
  ok &= finish(repl);
  repl->loading = outer;
  repl->reading = here.outer;
  repl->nesting--;
  rlx_buf_free(&source);
  free(repl->script);
  repl->script = copy;
  return ok;
}

bool rlx_repl_load(RlxRepl *repl, const char *path) {
  const uint32_t before = repl->changes.count;
  if (!rlx_repl_read_script(repl, path)) return false;
  if (repl->nesting) return true;
  uint32_t definitions = 0, values = 0, at = 0;
  for (const RlxReplDef *def; (def = rlx_repl_next_def(repl, &at));)
    definitions += def->origin && !strcmp(def->origin, path) && !strchr(def->name, ' ');
  for (uint32_t i = before; i < repl->changes.count; i++) values += !repl->changes.at[i].is_def;
  printf("# %s: ", path);
  if (definitions || !values)
    printf("%u definition%s%s", definitions, definitions == 1 ? "" : "s", values ? ", " : "");
  if (values) printf("%u value%s", values, values == 1 ? "" : "s");
  putchar('\n');
  return true;
}
