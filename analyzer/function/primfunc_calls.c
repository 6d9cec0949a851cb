/// What a PrimFunc asks of the namespace T: names that its dialect does not have, calls whose
/// arguments do not bind, blocks in a PrimFunc that does not say `s_tir=True`. Looks at the syntax
/// alone, so that what the reader of TensorIR does not understand is looked at, too.
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/function/function.h"
#include "analyzer/function/kinds.h"
#include "analyzer/state/state.h"
#include "analyzer/words/prim_names.h"
#include "analyzer/words/ptx.h"
#include "analyzer/words/script_bind.h"
#include "analyzer/words/spell.h"
#include "base/nearest.h"

enum { MAX_DEPTH = 200 };

typedef struct Look {
  RlxFn *fn;
  const RlxStore *store;
  const RlxStmt *stmt; ///< whose expressions are looked at
  bool
      names_only; ///< of an older dialect, whose names are not listed: slips in them are all that is told
  bool is_s_tir;       ///< the PrimFunc may have blocks, or it is not known
  bool is_lax;         ///< nobody verifies the function
  bool is_told;        ///< that it may not
  RlxName asked;       ///< the name that was looked up last, at this statement; 0: none
  bool is_asked_space; ///< it is the namespace T
} Look;

// ---- names

/// Whether the PrimFunc binds `name` for this statement.
static bool is_bound(Look *l, RlxName name) {
  RlxSpan span;
  return rlx_prim_name_definition(&l->fn->file->prim_names, l->fn->stmt, l->stmt, name, &span);
}

static bool look_up_namespace(Look *l, RlxName name) {
  const char *text = rlx_store_text(l->store, name);
  if (strcmp(text, "T") != 0 && strcmp(text, "tirx") != 0) return false;
  RlxValue value;
  if (is_bound(l, name)) return false;
  if (!rlx_outer_lookup(l->fn->file, l->fn->stmt, name, &value)) return text[0] == 'T';
  return value.kind == RLX_VALUE_NAMESPACE &&
         strcmp(rlx_store_text(l->store, value.string), "T") == 0;
}

/// Whether `name` is the namespace T in this statement.
static bool is_namespace(Look *l, RlxName name) {
  if (l->asked == name) return l->is_asked_space;
  l->is_asked_space = look_up_namespace(l, name);
  l->asked = name;
  return l->is_asked_space;
}

/// The dotted path behind the namespace T ("axis.spatial"); false when `ast` is no such chain, or
/// when T is something else here.
static bool path_of(Look *l, const RlxAst *ast, char *out) {
  const RlxAst *space = rlx_ast_dotted(l->store, ast, out);
  return space && is_namespace(l, space->name);
}

static RlxSpan in_def(const Look *l, RlxSpan span) {
  uint32_t at = l->stmt->start - l->fn->stmt->start;
  return rlx_span(at + span.start, at + span.end);
}

/// Only the names directly in T and those of T.axis are known to be all that there are.
static void check_name(Look *l, const RlxAst *ast, const char *path) {
  char root[RLX_AST_DOTTED_MAX];
  const char *dot = strchr(path, '.');
  bool is_axis = strncmp(path, "axis.", 5) == 0;
  size_t size = dot && !is_axis ? (size_t)(dot - path) : strlen(path);
  if (size >= sizeof root) return;
  memcpy(root, path, size);
  root[size] = '\0';
  const char *slip = l->names_only ? rlx_script_name_slip(l->fn, root, l->fn->end.arena) : NULL;
  if ((!slip && rlx_fn_may_have_name(l->fn, root)) || rlx_spelling_is_old_float8(root)) return;
  while (dot && !is_axis && ast->children[0]->kind == RLX_AST_ATTRIBUTE) ast = ast->children[0];
  if (slip) {
    rlx_script_slip_report(&l->fn->end, in_def(l, ast->name_span), root, slip, false);
    return;
  }
  rlx_script_name_report(&l->fn->end, in_def(l, ast->name_span), root, (RlxDialect)l->fn->dialect);
}

// ---- the package

/// Whether `ast` is the package, `tirx` or `tvm.tirx` under whatever name, and not the namespace T.
static bool is_package(Look *l, const RlxAst *ast) {
  RlxValue value;
  if (ast->kind == RLX_AST_ATTRIBUTE && ast->children[0]->kind == RLX_AST_NAME) {
    const RlxAst *head = ast->children[0];
    if (is_bound(l, head->name) ||
        !rlx_outer_lookup(l->fn->file, l->fn->stmt, head->name, &value) ||
        value.kind != RLX_VALUE_NAMESPACE)
      return false;
    value = rlx_names_attribute(&l->fn->file->analyzer->words, value.string, ast->name);
  } else if (ast->kind != RLX_AST_NAME || is_bound(l, ast->name) ||
             !rlx_outer_lookup(l->fn->file, l->fn->stmt, ast->name, &value)) {
    return false;
  }
  return value.kind == RLX_VALUE_NAMESPACE &&
         strcmp(rlx_store_text(l->store, value.string), "tir") == 0;
}

/// Reports `tirx.cast(…)`, which neither 0.25 nor 0.27 has; false: it is nothing of the kind.
static bool check_package(Look *l, const RlxAst *ast) {
  const char *name = rlx_store_text(l->store, ast->name);
  if (!rlx_script_name_is_alone(name) || !is_package(l, ast->children[0])) return false;
  RlxSink *sink = &l->fn->end;
  RlxDiag *diag =
      rlx_reportf(sink, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), in_def(l, ast->span), "ss",
                  rlx_arena_printf(sink->arena, "tirx.%s", name),
                  rlx_arena_printf(sink->arena, "; the script's namespace has it: `T.%s`", name));
  RlxName t = rlx_intern_text(rlx_store_names(l->fn->file->store), "T");
  RlxValue value;
  if (rlx_outer_lookup(l->fn->file, l->fn->stmt, t, &value) && is_namespace(l, t))
    rlx_diag_fix(sink, diag, rlx_arena_printf(sink->arena, "change to `T.%s`", name),
                 in_def(l, ast->children[0]->span), "T");
  return true;
}

// ---- arguments

/// Reports the first mistake in how the arguments bind to the parameters of `row`.
static void check_arguments(Look *l, const RlxAst *call, const RlxScriptName *row) {
  RlxSink *sink = &l->fn->end;
  const int count = (int)call->child_count - 1;
  RlxScriptArg *args = rlx_arena_array(sink->arena, RlxScriptArg, count + 1);
  for (int i = 0; i < count; i++) {
    const RlxAst *arg = call->children[i + 1];
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED ||
        arg->kind == RLX_AST_HOLE)
      return;
    const bool is_keyword = arg->kind == RLX_AST_KEYWORD;
    args[i].keyword = is_keyword ? rlx_store_text(l->store, arg->name) : NULL;
    args[i].is_none = (is_keyword ? arg->children[0] : arg)->kind == RLX_AST_NONE;
  }
  RlxScriptBinding binding;
  if (!rlx_script_bind(row, args, count, &binding)) return;
  // The reader of TensorIR counts the arguments of these.
  const bool is_axis = strncmp(row->name, "axis.", 5) == 0 && strcmp(row->name, "axis.remap") != 0;
  if (is_axis && (binding.fault == RLX_SCRIPT_TOO_MANY || binding.fault == RLX_SCRIPT_MISSING))
    return;
  const RlxAst *at = binding.at >= 0 ? call->children[binding.at + 1] : call;
  rlx_script_bind_report(sink, &binding, rlx_arena_printf(sink->arena, "T.%s", row->name),
                         in_def(l, binding.fault == RLX_SCRIPT_UNKNOWN ? at->name_span : at->span));
}

// ---- blocks

/// Reports that the PrimFunc has blocks and does not say so; `ast` is the first that tells.
static void lacks_s_tir(Look *l, const RlxAst *ast, const char *path) {
  const RlxStmt *def = l->fn->stmt;
  RlxSink *sink = &l->fn->end;
  l->is_told = true;
  RlxDiag *diag = rlx_reportf(sink, RLX_DIAG_ID(BLOCK_UNDECLARED), in_def(l, ast->span), "s", path);
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *d = def->decorators[i];
    bool is_call = d->kind == RLX_AST_CALL;
    if (strcmp(rlx_ast_last_name(l->store, is_call ? d->children[0] : d), "prim_func") != 0)
      continue;
    uint32_t at = d->span.end - is_call;
    const char *text = !is_call             ? "(s_tir=True)"
                       : d->child_count > 1 ? ", s_tir=True"
                                            : "s_tir=True";
    for (uint32_t k = 1; is_call && k < d->child_count; k++) // s_tir=False
      if (d->children[k]->kind == RLX_AST_KEYWORD &&
          strcmp(rlx_store_text(l->store, d->children[k]->name), "s_tir") == 0)
        return;
    rlx_diag_fix(sink, diag, "add `s_tir=True`", rlx_span(at, at), text);
  }
}

static void check_block_word(Look *l, const RlxAst *ast, const char *path) {
  if (l->is_s_tir || l->is_told) return;
  bool allocates = strcmp(path, "sblock_alloc_buffer") == 0;
  if (allocates || (strcmp(path, "sblock") == 0 && !l->is_lax)) lacks_s_tir(l, ast, path);
}

/// The keyword `name` of a decorator: 1 and 0 for True and False, -1 when it is not there, 2 for
/// anything else. Of a function's decorator TVM's parser reads the keywords that are written, of a
/// class's Python gives it all.
static int flag_of(const RlxStore *store, const RlxStmt *stmt, const char *name) {
  for (uint32_t i = 0; stmt && i < stmt->decorator_count; i++) {
    const RlxAst *d = stmt->decorators[i];
    for (uint32_t k = 1; d->kind == RLX_AST_CALL && k < d->child_count; k++) {
      const RlxAst *arg = d->children[k];
      if (arg->kind == RLX_AST_DOUBLE_STARRED && stmt->kind == RLX_STMT_CLASS) return 2;
      if (arg->kind != RLX_AST_KEYWORD || strcmp(rlx_store_text(store, arg->name), name) != 0)
        continue;
      const int flag = rlx_ast_flag(arg->children[0]);
      return flag < 0 ? 2 : flag;
    }
  }
  return -1;
}

/// Whether `function` is called somewhere in the expression.
static bool is_called_in(const RlxAst *ast, const RlxAst *function) {
  if (ast->kind == RLX_AST_CALL && ast->children[0] == function) return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (is_called_in(ast->children[i], function)) return true;
  return false;
}

/// Whether a decorator is another expression than a name or its call, and its value is a call: it may have flags that TVM's parser does not see.
static bool has_odd_decorator(const RlxStmt *def) {
  bool is_odd = false;
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *d = def->decorators[i], *head = d->kind == RLX_AST_CALL ? d->children[0] : d;
    is_odd |= head->kind != RLX_AST_ATTRIBUTE && head->kind != RLX_AST_NAME &&
              (head->kind == RLX_AST_CALL || is_called_in(head, rlx_decorator_function(d)));
  }
  return is_odd;
}

/// Reports what the function's own dialect refuses, unless another that it may be written in takes it.
static void check_call(Look *l, const RlxAst *call, const char *path) {
  RlxDialect own = (RlxDialect)l->fn->dialect,
             other = own == RLX_DIALECT_025 ? RLX_DIALECT_027 : RLX_DIALECT_025;
  const RlxScriptName *row = rlx_script_name(path, own),
                      *other_row =
                          rlx_fn_may_be(l->fn, other) ? rlx_script_name(path, other) : NULL;
  RlxSink *sink = &l->fn->end;
  uint32_t before = sink->diags.count;
  if (row) check_arguments(l, call, row);
  uint32_t after = sink->diags.count;
  if (after == before || other_row == row || !rlx_fn_may_be(l->fn, other)) return;
  if (other_row) check_arguments(l, call, other_row);
  sink->diags.count = sink->diags.count == after ? before : after;
}

// ---- instructions of T.ptx

/// What is to be seen of an argument alone.
static RlxPtxOperand ptx_operand(Look *l, const RlxAst *arg) {
  char path[RLX_AST_DOTTED_MAX];
  const RlxPtxOperand any = {.kind = RLX_PTX_ANY}, value = {.kind = RLX_PTX_VALUE};
  if (arg->kind == RLX_AST_INT) return (RlxPtxOperand){.kind = RLX_PTX_INT};
  if (arg->kind == RLX_AST_FLOAT) return (RlxPtxOperand){.kind = RLX_PTX_FLOAT};
  if (arg->kind == RLX_AST_COMPARE) return value;
  const bool is_call = arg->kind == RLX_AST_CALL;
  const RlxAst *head = is_call ? arg->children[0] : arg;
  if (head->kind != RLX_AST_ATTRIBUTE || !path_of(l, head, path)) return any;
  const RlxPtxKind special = rlx_ptx_special(path, is_call);
  if (special != RLX_PTX_ANY) return (RlxPtxOperand){.kind = special};
  RlxDType dtype;
  const bool is_value =
      is_call && rlx_dtype_parse(path, strlen(path), &dtype) && arg->child_count == 2 &&
      (arg->children[1]->kind == RLX_AST_INT || arg->children[1]->kind == RLX_AST_FLOAT);
  return is_value ? value : any;
}

/// The operands of a call of T.ptx; NULL where they are not all written here.
static const RlxPtxOperand *ptx_operands(Look *l, const RlxAst *call, uint32_t *count) {
  RlxPtxOperand *operands = rlx_arena_array(l->fn->end.arena, RlxPtxOperand, call->child_count + 1);
  *count = 0;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD) continue;
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED ||
        arg->kind == RLX_AST_HOLE)
      return NULL;
    operands[(*count)++] = ptx_operand(l, arg);
  }
  return operands;
}

/// The first keyword that calls of T.ptx do not take, or NULL.
static const RlxAst *ptx_wrong_keyword(const Look *l, const RlxAst *call) {
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    const char *name = arg->kind == RLX_AST_KEYWORD ? rlx_store_text(l->store, arg->name) : "pred";
    if (strcmp(name, "pred") != 0 && strcmp(name, "preserve_dst") != 0) return arg;
  }
  return NULL;
}

/// `T.ptx.…(…)` and `T.ptx["…"](…)`: `words` stand behind `T.ptx`. In 0.27 a table of instructions
/// decides; 0.25 has functions, which check_call knows.
static void check_ptx(Look *l, const RlxAst *call, const char *words) {
  char why[RLX_PTX_TEXT_MAX] = "0.27 has it, 0.25 has not";
  if (rlx_ptx_is_helper(words)) return;
  for (uint32_t i = 1; i < call->child_count;
       i++) // TVM prints the words as texts behind the operands
    if (call->children[i]->kind == RLX_AST_STRING) return;
  RlxSink *sink = &l->fn->end;
  if (rlx_fn_may_be(l->fn, RLX_DIALECT_025) &&
      rlx_script_name(rlx_arena_printf(sink->arena, "ptx.%s", words), RLX_DIALECT_025))
    return;
  uint32_t count;
  const RlxPtxOperand *operands = ptx_operands(l, call, &count);
  bool is_027 = rlx_fn_may_be(l->fn, RLX_DIALECT_027);
  if (!is_027 || !rlx_ptx_takes(words, operands, count, why)) {
    rlx_reportf(sink, RLX_DIAG_ID(PTX_FORM), in_def(l, call->children[0]->span), "ss", words, why);
    return;
  }
  const RlxAst *wrong = ptx_wrong_keyword(l, call);
  if (wrong)
    rlx_reportf(sink, RLX_DIAG_ID(ARGUMENT_UNKNOWN), in_def(l, wrong->name_span), "sss",
                rlx_arena_printf(sink->arena, "T.ptx.%s", words),
                rlx_store_text(l->store, wrong->name), "");
}

// ---- calls of the module's functions

/// What TVM's parser refuses of `Module.f(…)`, and a call that gives a PrimFunc another number of
/// arguments than it takes.
static void check_sibling_call(Look *l, const RlxAst *call) {
  const RlxAst *head = call->children[0];
  const RlxModule *module = l->fn->module;
  if (!module || head->children[0]->kind != RLX_AST_NAME ||
      head->children[0]->name != module->name || is_bound(l, module->name))
    return;
  RlxSink *sink = &l->fn->end;
  const char *name = rlx_store_text(l->store, head->name);
  rlx_vec_push(&l->fn->outer_reads, head->name);
  const RlxFn *callee = rlx_module_fn(module, head->name);
  if (!callee) {
    l->fn->has_volatile = true;
    if (l->fn->file->broken_places || rlx_map_get(&module->infos, head->name, NULL)) return;
    const char *nearest = rlx_missing_sibling(module, name);
    rlx_reportf(sink, RLX_DIAG_ID(FUNCTION_UNDEFINED), in_def(l, head->name_span), "sss",
                rlx_store_text(l->store, module->name), name,
                nearest ? rlx_arena_printf(sink->arena, "; did you mean `%s`?", nearest) : "");
    return;
  }
  const RlxParams takes = rlx_taken_params(callee->stmt);
  if (callee->kind != RLX_ISLAND_PRIM_FUNC) return;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD) {
      rlx_reportf(sink, RLX_DIAG_ID(ARGUMENT_UNKNOWN), in_def(l, arg->name_span), "sss", name,
                  rlx_store_text(l->store, arg->name), "; the call of a PrimFunc has no keywords");
      return;
    }
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED ||
        arg->kind == RLX_AST_HOLE)
      return;
  }
  uint32_t given = call->child_count - 1;
  if (given > takes.count)
    rlx_reportf(sink, RLX_DIAG_ID(ARGUMENT_COUNT), in_def(l, call->span), "siis", name,
                (int)takes.count, (int)given, takes.count == 1 ? "" : "s");
  else if (given < takes.count)
    rlx_reportf(sink, RLX_DIAG_ID(ARGUMENT_MISSING), in_def(l, call->span), "ss", name,
                rlx_store_text(l->store, takes.at[given].name));
}

// ---- the walk

static void look_at(Look *l, const RlxAst *ast, int depth) {
  if (!ast || depth > MAX_DEPTH) return;
  char path[RLX_AST_DOTTED_MAX];
  const RlxAst *callee = ast->kind == RLX_AST_CALL ? ast->children[0] : NULL;
  bool is_text = callee && callee->kind == RLX_AST_SUBSCRIPT && callee->child_count == 2 &&
                 callee->children[1]->kind == RLX_AST_STRING;
  if (is_text && !l->names_only && path_of(l, callee->children[0], path) &&
      strcmp(path, "ptx") == 0)
    check_ptx(l, ast, callee->children[1]->text);
  if (l->names_only) {
    // what calls take is not known
  } else if (callee && callee->kind == RLX_AST_ATTRIBUTE && path_of(l, callee, path)) {
    check_call(l, ast, path);
    if (strncmp(path, "ptx.", 4) == 0) check_ptx(l, ast, path + 4);
  } else if (callee && callee->kind == RLX_AST_ATTRIBUTE)
    check_sibling_call(l, ast);
  if (ast->kind == RLX_AST_ATTRIBUTE && path_of(l, ast, path)) {
    check_name(l, ast, path);
    if (!l->names_only) check_block_word(l, ast, path);
    return;
  }
  if (ast->kind == RLX_AST_ATTRIBUTE && !l->names_only && check_package(l, ast)) return;
  if (ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION) return; // Python's own
  for (uint32_t i = 0; i < ast->child_count; i++) look_at(l, ast->children[i], depth + 1);
}

static void look_at_stmt(Look *l, const RlxStmt *stmt, int depth);

static void look_at_suite(Look *l, const RlxBlock *suite, int depth) {
  for (uint32_t i = 0; suite && i < suite->count; i++) look_at_stmt(l, suite->stmts[i], depth);
}

/// Whether a statement of the suite mentions the name: not one of another function in it, which need not be called.
static bool mentions(const RlxBlock *suite, RlxName name, int depth) {
  for (uint32_t i = 0; suite && i < suite->count; i++) {
    const RlxStmt *stmt = suite->stmts[i];
    if (depth > MAX_DEPTH) return true;
    if (stmt->kind == RLX_STMT_DEF) continue;
    bool found = rlx_ast_names(stmt->value, name) || mentions(stmt->body, name, depth + 1) ||
                 mentions(stmt->orelse, name, depth + 1);
    for (uint32_t k = 0; k < stmt->target_count && !found; k++)
      found = rlx_ast_names(stmt->targets[k], name);
    if (found) return true;
  }
  return false;
}

/// Whether the statement is a function of the PrimFunc that T.inline decorates and that is called: TVM reads it then.
static bool is_inlined(Look *l, const RlxStmt *stmt) {
  char path[RLX_AST_DOTTED_MAX];
  if (stmt->kind != RLX_STMT_DEF || stmt->decorator_count != 1) return false;
  const RlxAst *decorator = stmt->decorators[0];
  if (decorator->kind == RLX_AST_CALL) decorator = decorator->children[0];
  return path_of(l, decorator, path) && rlx_text_is_among(path, "inline macro") &&
         mentions(l->fn->stmt->body, stmt->name, 0);
}

static void look_at_stmt(Look *l, const RlxStmt *stmt, int depth) {
  if (depth > MAX_DEPTH || stmt->kind == RLX_STMT_CLASS) return;
  l->stmt = stmt;
  l->asked = 0;
  if (stmt->kind == RLX_STMT_DEF) {
    if (is_inlined(l, stmt)) look_at_suite(l, stmt->body, depth + 1);
    return;
  }
  for (uint32_t i = 0; i < stmt->target_count; i++) look_at(l, stmt->targets[i], 0);
  look_at(l, stmt->annotation, 0);
  look_at(l, stmt->value, 0);
  look_at(l, stmt->message, 0);
  for (uint32_t i = 0; i < stmt->item_count; i++) look_at(l, stmt->items[i].value, 0);
  look_at_suite(l, stmt->body, depth + 1);
  const bool is_loop = stmt->kind == RLX_STMT_FOR || stmt->kind == RLX_STMT_WHILE;
  if (!is_loop) look_at_suite(l, stmt->orelse, depth + 1); // TVM reads no `else` of a loop
}

void rlx_primfunc_check_calls(RlxFn *fn) {
  const RlxStmt *def = fn->stmt;
  const RlxModule *module = fn->module;
  int own = flag_of(fn->file->store, def, "s_tir"),
      of_module = module && fn->dialect == RLX_DIALECT_025
                      ? flag_of(fn->file->store, module->stmt, "s_tir")
                      : -1;
  Look l = {.fn = fn,
            .store = fn->file->store,
            .stmt = def,
            .names_only = !rlx_script_names_cover((RlxDialect)fn->dialect),
            // 0.25 verifies a function that stands alone as Python calls its decorator.
            .is_s_tir = own > 0 ||
                        (!module && rlx_fn_may_be(fn, RLX_DIALECT_025) && has_odd_decorator(def)),
            .is_lax =
                of_module > 0 || !(module ? module->check_well_formed : fn->check_well_formed)};
  for (uint32_t i = 0; i < def->decorator_count; i++) look_at(&l, def->decorators[i], 0);
  for (uint32_t i = 0; i < def->param_count; i++) look_at(&l, def->params[i].annotation, 0);
  look_at(&l, def->annotation, 0);
  look_at_suite(&l, def->body, 0);
}

static int dialects_of(const RlxFn *fn) {
  return (rlx_fn_may_be(fn, RLX_DIALECT_025) ? IN_025 : 0) |
         (rlx_fn_may_be(fn, RLX_DIALECT_027) ? IN_027 : 0);
}

/// Whether the function stands in a module that says `s_tir=True`, and 0.25 verifies its PrimFuncs.
static bool is_module_s_tir(const RlxFn *fn) {
  return fn->module && flag_of(fn->file->store, fn->module->stmt, "s_tir") == 1;
}

bool rlx_primfunc_is_verified(const RlxFn *fn) {
  const RlxModule *module = fn->module;
  const RlxStore *store = fn->file->store;
  if (!(module ? module->check_well_formed : fn->check_well_formed)) return false;
  return !(dialects_of(fn) & IN_025) || flag_of(store, fn->stmt, "s_tir") == 1 ||
         is_module_s_tir(fn);
}

/// Whether TVM verifies the kernels behind T.device_entry: where `check_well_formed` is not off, and
/// nothing is `s_tir=True`.
static bool has_kernels(const RlxFn *fn) {
  const RlxModule *module = fn->module;
  const RlxStore *store = fn->file->store;
  return (module ? module->check_well_formed : fn->check_well_formed) &&
         flag_of(store, fn->stmt, "s_tir") != 1 && !is_module_s_tir(fn);
}

void rlx_primfunc_check_values(RlxFn *fn) {
  if (!rlx_script_names_cover((RlxDialect)fn->dialect)) return;
  rlx_primfunc_check_kinds(fn, dialects_of(fn), !rlx_primfunc_is_verified(fn), has_kernels(fn),
                           flag_of(fn->file->store, fn->stmt, "s_tir") == 1, is_module_s_tir(fn));
}
