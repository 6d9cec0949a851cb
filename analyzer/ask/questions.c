/// What stands at a place: for hover, definition, references, rename, completion. Names are resolved
/// as the analysis resolved them, those around islands by Python's scopes. Costs what the statement
/// holds; a scan of the function for names that the analysis did not get to.
#include <string.h>

#include "analyzer/ask/symbols.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/files.h"
#include "analyzer/words/prim_names.h"
#include "base/hash.h"

static const RlxAnalysis *unit_of(const RlxStmt *stmt) { return stmt->analysis; }

static RlxModule *module_around(RlxFile *file, const RlxStmt *stmt) {
  const RlxFn *fn = rlx_fn_outermost(rlx_fn_around(stmt));
  if (fn && fn->module) return fn->module;
  for (; stmt; stmt = stmt->block ? stmt->block->parent : NULL) {
    RlxModule *module = rlx_module_of(file, stmt);
    if (module) return module;
  }
  return NULL;
}

const RlxSymVar *rlx_symbol_symvar_of(const RlxValue *v) {
  return v->kind == RLX_VALUE_PRIM ? rlx_prim_as_var(v->prim) : NULL;
}

const RlxVar *rlx_symbol_var_of(const RlxValue *v) {
  return v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_VAR ? v->expr->var : NULL;
}

// ------------------------------------------------------------------ definitions

/// The last definition of `name` that `stmt` leaves behind, those of the suites in it included.
static const RlxDef *def_in(const RlxStmt *stmt, RlxName name) {
  const RlxAnalysis *unit = unit_of(stmt);
  if (unit && unit->fn && !unit->owner) return NULL;
  bool is_def = unit && unit->fn;
  const RlxDef *found = NULL;
  if (!is_def && stmt->orelse) found = rlx_symbol_last_def(stmt->orelse, stmt->orelse->count, name);
  if (!found && !is_def && stmt->body)
    found = rlx_symbol_last_def(stmt->body, stmt->body->count, name);
  for (uint32_t i = unit ? unit->def_count : 0; !found && i-- > 0;) {
    bool is_one = unit->defs[i].name == name && !unit->defs[i].is_value;
    if (is_one && !unit->defs[i].is_missing) found = &unit->defs[i];
  }
  return found;
}

const RlxDef *rlx_symbol_last_def(const RlxBlock *block, uint32_t end, RlxName name) {
  for (uint32_t i = end; i-- > 0;) {
    const RlxDef *def = def_in(block->stmts[i], name);
    if (def) return def;
  }
  return NULL;
}

static const RlxDef *def_of_name(const RlxDef *defs, uint32_t count, RlxName name) {
  for (uint32_t i = count; i-- > 0;)
    if (defs[i].name == name && !defs[i].is_missing) return &defs[i];
  return NULL;
}

/// The definition of `name` by one of a row.
typedef const RlxDef *DefOf(const void *row, uint32_t i, RlxName name);

static const RlxDef *def_of_statement(const void *block, uint32_t i, RlxName name) {
  return def_in(((const RlxBlock *)block)->stmts[i], name);
}

static const RlxDef *def_of_odd(const void *fn, uint32_t i, RlxName name) {
  const RlxAnalysis *unit = ((const RlxFn *)fn)->odd.at[i];
  return def_of_name(unit->defs, unit->def_count, name);
}

/// The last definition of `name` by the `end` first of a row: of a long one, which is asked for one place after another,
/// what was found for one says where to begin for the next.
static const RlxDef *last_of_row(RlxFile *file, const void *row, DefOf *def_of, uint32_t end,
                                 RlxName name) {
  enum { SHORT = 64, KEPT = sizeof file->last_defs / sizeof *file->last_defs };
  if (file->last_defs_round != file->round) memset(file->last_defs, 0, sizeof file->last_defs);
  file->last_defs_round = file->round;
  struct RlxLastDef unkept = {0}, *known = &unkept;
  if (end >= SHORT && !file->is_stale)
    known = &file->last_defs[rlx_hash_mix(rlx_hash_u64((uint64_t)(uintptr_t)row), name) % KEPT];
  const bool is_it = known->row == row && known->name == name;
  if (is_it && end <= known->end && (known->at == UINT32_MAX || known->at < end)) return known->def;
  const uint32_t from = is_it && end > known->end ? known->end : 0;
  if (!from) *known = (struct RlxLastDef){.row = row, .name = name, .at = UINT32_MAX};
  known->end = end;
  for (uint32_t i = end; i-- > from;) {
    const RlxDef *def = def_of(row, i, name);
    if (!def) continue;
    known->def = def;
    known->at = i;
    break;
  }
  return known->def;
}

/// How many of the function's odd units stand before `start`.
static uint32_t odd_before(const RlxFn *fn, uint32_t start) {
  uint32_t low = 0, high = fn->odd.count; // in the order of the text
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (fn->odd.at[middle]->stmt->start < start)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The definition of `name` as read by `stmt`: by a search from the statement back.
static const RlxDef *search(const RlxStmt *stmt, RlxName name) {
  while (stmt && stmt->block) {
    const RlxAnalysis *unit = unit_of(stmt);
    if (unit && unit->fn) { // the header of a function
      if (unit->owner && stmt->name == name && unit->def_count)
        return &unit->defs[unit->def_count - 1]; // a local function, which may call itself
      const RlxFn *fn = unit->fn;
      for (uint32_t i = rlx_fn_first_param(fn, name); i < fn->params.count; i++)
        if (fn->params.at[i].name == name && !fn->params.at[i].is_missing)
          return &fn->params.at[i]; // a dimension where the name also stands for nothing
      if (!unit->owner) return NULL;
    }
    const RlxFn *fn = rlx_fn_around(stmt);
    if (!fn) return NULL;                // only statements of functions have units with definitions
    if (!fn->body && stmt != fn->stmt) { // nothing in a PrimFunc is a definition of its units
      stmt = fn->stmt;
      continue;
    }
    const RlxDef *def = last_of_row(fn->file, stmt->block, def_of_statement, stmt->index, name);
    if (def) return def;
    stmt = stmt->block->parent;
  }
  return NULL;
}

/// The parameter of `fn` that is the variable; by name alone where none is.
static const RlxDef *def_of_param(RlxFn *fn, const RlxVar *var, RlxName name) {
  uint32_t count = fn->params.count, first = rlx_fn_first_param(fn, name);
  for (uint32_t i = first; i < count; i++) {
    const RlxDef *def = &fn->params.at[i];
    if (def->name == name && !def->is_missing && rlx_symbol_var_of(&def->value) == var) return def;
  }
  return def_of_name(fn->params.at + first, count - first, name);
}

/// The definition of `name` in `fn` that made `read`, by what it stands for; NULL: look for it.
static const RlxDef *def_of_read(RlxFn *fn, const RlxStmt *stmt, const RlxRead *read) {
  if ((uint8_t)read->flags == RLX_VALUE_EXPR && read->thing) {
    const RlxVar *var = read->thing;
    const RlxAnalysis *unit = var->stmt ? unit_of(var->stmt) : NULL;
    if (var->is_param) return def_of_param(fn, var, read->name);
    return unit ? def_of_name(unit->defs, unit->def_count, read->name) : NULL;
  }
  const RlxDef *def =
      last_of_row(fn->file, fn, def_of_odd, odd_before(fn, stmt->start), read->name);
  if (def) return def;
  uint32_t first = rlx_fn_first_param(fn, read->name);
  return def_of_name(fn->params.at + first, fn->params.count - first, read->name);
}

/// The definition of `name` as read by `stmt`. What the analysis noted when it read the name is
/// asked first.
static const RlxDef *resolve(const RlxStmt *stmt, RlxName name) {
  const RlxStmt *reader = stmt;
  for (;;) {
    const RlxAnalysis *unit = stmt ? unit_of(stmt) : NULL;
    RlxFn *fn = unit ? unit->owner : NULL;
    const RlxRead *read = NULL;
    if (!fn || unit->fn) return search(stmt, name);
    for (uint32_t i = 0; i < unit->read_count && !read; i++)
      if (unit->reads[i].name == name) read = &unit->reads[i];
    if (!read) return search(stmt, name);
    if (read->thing || read->flags) {
      const RlxDef *def = def_of_read(fn, stmt, read);
      return def ? def : search(stmt, name);
    }
    if (!fn->outer) return search(reader, name); // not visible here: of another dataflow block
    stmt = fn->stmt;
  }
}

/// The place among the unit's definitions before which none stands at `start`. `y = y = y…` has as many
/// as its line has room for.
static uint32_t first_at(const RlxAnalysis *unit, uint32_t start) {
  uint32_t low = 0, high = unit->defs_in_order ? unit->def_count : 0;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (unit->defs[middle].span.start < start)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The definition that stands at `span` of `stmt` itself.
static const RlxDef *def_at(const RlxStmt *stmt, RlxName name, RlxSpan span) {
  const RlxAnalysis *unit = unit_of(stmt);
  for (uint32_t i = unit ? first_at(unit, span.start) : 0; unit && i < unit->def_count; i++) {
    const RlxDef *def = &unit->defs[i];
    if (unit->defs_in_order && def->span.start > span.start) break;
    bool is_one = def->name == name && !def->is_value && !def->is_missing;
    if (is_one && def->stmt == stmt && def->span.start == span.start) return def;
  }
  const RlxFn *fn = unit ? unit->fn : NULL;
  for (uint32_t i = fn ? rlx_fn_first_param(fn, name) : 0; fn && i < fn->params.count; i++) {
    const RlxDef *def = &fn->params.at[i];
    if (def->name == name && !def->is_missing && def->span.start == span.start) return def;
  }
  return NULL;
}

// ------------------------------------------------------------------ symbols

static void fill_def(RlxSymbol *out, const RlxDef *def) {
  out->def_stmt = def->stmt;
  out->def_span = rlx_stmt_absolute(def->stmt, def->span);
  const RlxVar *var = rlx_symbol_var_of(&def->value);
  const RlxSymVar *symvar = rlx_symbol_symvar_of(&def->value);
  if (symvar) {
    out->kind = RLX_SYMBOL_SYMVAR;
    out->symvar = symvar;
  } else if (var) {
    out->kind = RLX_SYMBOL_VAR;
    out->var = var;
    out->sinfo = var->sinfo;
    if (var->stmt && !var->is_temporary &&
        var->name == def->name) { // an alias or output: where the variable is bound
      out->def_stmt = var->named_in;
      out->def_span = rlx_stmt_absolute(var->named_in, var->span);
    }
  } else if (def->value.kind == (uint8_t)RLX_VALUE_CLASS) {
    out->kind = RLX_SYMBOL_ALIAS;
  } else {
    out->kind = RLX_SYMBOL_NONE;
  }
}

RlxModule *rlx_symbol_outer_module(RlxFile *file, const RlxStmt *stmt, RlxName name) {
  RlxModule *module = module_around(file, stmt);
  if (module && module->name == name) return module;
  RlxSymbol outer = {0};
  bool is_module =
      rlx_symbol_outer(file, stmt, name, false, &outer) && outer.kind == RLX_SYMBOL_MODULE;
  return is_module ? rlx_module_of(file, outer.def_stmt) : NULL;
}

/// The module that `name` stands for, under its own name or another one; NULL: none.
static RlxModule *module_named(RlxFile *file, const RlxStmt *stmt, RlxName name) {
  const RlxDef *def = resolve(stmt, name);
  if (!def) return rlx_symbol_outer_module(file, stmt, name);
  if (def->value.kind != (uint8_t)RLX_VALUE_CLASS) return NULL;
  return def->value.thing ? (RlxModule *)(uintptr_t)def->value.thing : module_around(file, stmt);
}

static bool symbol_function(RlxFn *fn, RlxSymbol *out) {
  out->kind = RLX_SYMBOL_FUNCTION;
  out->name = fn->stmt->name;
  out->def_stmt = fn->stmt;
  out->def_span = rlx_stmt_absolute(fn->stmt, fn->stmt->name_span);
  out->sinfo = fn->function.sinfo;
  return true;
}

/// `R.nn.relu` around an attribute: the operator whose whole name it is.
const RlxOpRow *rlx_symbol_op(RlxFile *file, const RlxAst *ast, RlxSpan *span) {
  const char *parts[8];
  int count = 0;
  const RlxAst *at = ast;
  for (; at->kind == RLX_AST_ATTRIBUTE && count < 8; at = at->children[0])
    parts[count++] = rlx_store_text(file->store, at->name);
  if (at->kind != RLX_AST_NAME) return NULL;
  const char *head = rlx_store_text(file->store, at->name);
  if (strcmp(head, "R") != 0 && strcmp(head, "relax") != 0 && strcmp(head, "rx") != 0) return NULL;
  char spelling[128];
  size_t used = 0;
  while (count-- > 0) {
    size_t n = strlen(parts[count]);
    if (used + n + 2 > sizeof spelling) return NULL;
    memcpy(spelling + used, parts[count], n);
    used += n;
    if (count) spelling[used++] = '.';
  }
  *span = ast->span;
  return rlx_op_find(spelling, used);
}

/// StructInfo of the call whose operator's name covers `offset` (relative).
static const RlxSInfo *call_sinfo(const RlxStmt *stmt, RlxSpan name) {
  const RlxAnalysis *unit = unit_of(stmt);
  for (uint32_t i = 0; unit && i < unit->binding_count; i++) {
    const RlxBinding *b = unit->bindings[i];
    if (b->value && b->value->kind == RLX_EXPR_CALL &&
        b->value->call->name_span.start <= name.start && b->value->call->name_span.end >= name.end)
      return b->deduced;
  }
  return NULL;
}

bool rlx_symbol_of_attribute(RlxFile *file, const RlxStmt *stmt, const RlxAst *const *path,
                             uint32_t depth, RlxSymbol *out) {
  const RlxAst *ast = path[depth];
  for (uint32_t i = depth + 1; i-- > 0;) { // the widest chain that is an operator's name
    if (path[i]->kind != RLX_AST_ATTRIBUTE) break;
    RlxSpan span;
    const RlxOpRow *row = rlx_symbol_op(file, path[i], &span);
    if (!row) continue;
    out->kind = RLX_SYMBOL_OP;
    out->op = row;
    out->span = rlx_stmt_absolute(stmt, span);
    out->sinfo = call_sinfo(stmt, span);
    return true;
  }
  if (ast->children[0]->kind != RLX_AST_NAME) return false;
  RlxModule *module = module_named(file, stmt, ast->children[0]->name);
  RlxFn *fn = module ? rlx_module_fn(module, ast->name) : NULL;
  out->span = rlx_stmt_absolute(stmt, ast->name_span);
  return fn && symbol_function(fn, out);
}

bool rlx_symbol_of_item(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast, RlxSymbol *out) {
  if (ast->kind != RLX_AST_SUBSCRIPT || ast->child_count != 2 ||
      ast->children[0]->kind != RLX_AST_NAME || ast->children[1]->kind != RLX_AST_STRING)
    return false;
  const RlxAst *item = ast->children[1];
  RlxModule *module = module_named(file, stmt, ast->children[0]->name);
  RlxName name = module ? rlx_store_intern(file->store, item->text, item->text_size) : 0;
  RlxFn *fn = name ? rlx_module_fn(module, name) : NULL;
  return fn && rlx_symbol_string_inside(file, stmt, item, &out->span) && symbol_function(fn, out);
}

/// The function of the module around, by its bare name.
static RlxFn *function_named(RlxFile *file, const RlxStmt *stmt, RlxName name) {
  RlxModule *module = module_around(file, stmt);
  return module ? rlx_module_fn(module, name) : NULL;
}

/// A name of the PrimFunc, macro or Python function around `stmt`.
static bool symbol_local(const RlxStmt *stmt, RlxName name, RlxSymbol *out) {
  const RlxFn *fn = rlx_fn_around(stmt);
  RlxSpan span;
  if (!fn || fn->kind == RLX_ISLAND_RELAX) return false;
  const RlxStmt *def = rlx_prim_name_definition(&fn->file->prim_names, fn->stmt, stmt, name, &span);
  if (!def) return false;
  out->kind = RLX_SYMBOL_LOCAL;
  out->stmt = stmt;
  out->def_stmt = def;
  out->def_span = rlx_stmt_absolute(def, span);
  return true;
}

static const RlxFn *fn_of_stmt(const RlxStmt *stmt) {
  const RlxAnalysis *unit = unit_of(stmt);
  return unit ? unit->fn : NULL;
}

static bool is_param_at(const RlxStmt *stmt, RlxSpan span) {
  for (uint32_t i = 0; i < stmt->param_count; i++)
    if (stmt->params[i].name_span.start == span.start) return true;
  return false;
}

/// The symbolic variable that a match of tlc-pack's defines where it is read:
/// `y: R.Tensor[(n,), "f32"] = R.match_shape(x, (n,))` has `n` in two places.
static const RlxDef *def_beside(const RlxStmt *stmt, RlxName name) {
  const RlxAnalysis *unit = unit_of(stmt);
  for (uint32_t i = 0; unit && i < unit->def_count; i++)
    if (unit->defs[i].name == name && rlx_symbol_symvar_of(&unit->defs[i].value))
      return &unit->defs[i];
  return NULL;
}

/// Where an annotation mentions a symbolic variable.
typedef struct Mention {
  RlxFile *file;
  const RlxStmt *stmt;
  RlxName name;
  bool in_names; ///< as a name, too, not only in a string
  int depth;
  RlxSpan span; ///< absolute: the first one
} Mention;

static bool find_in_string(Mention *m, const RlxAst *ast) {
  uint32_t size;
  const char *text = rlx_document_text(m->file->document, &size),
             *word = rlx_store_text(m->file->store, m->name);
  uint32_t length = (uint32_t)strlen(word);
  RlxSpan span = rlx_stmt_absolute(m->stmt, ast->span);
  for (uint32_t i = span.start + 1; i + length < span.end; i++) {
    if (!memcmp(text + i, word, length) && !rlx_symbol_is_word(text[i - 1]) &&
        !rlx_symbol_is_word(text[i + length])) {
      m->span = rlx_span(i, i + length);
      return true;
    }
  }
  return false;
}

/// Looks in `ast`; `has_dimensions`: its strings are dimensions.
static bool find_mention(Mention *m, const RlxAst *ast, bool has_dimensions) {
  if (!ast || m->depth > 200) return false;
  if (m->in_names && ast->kind == RLX_AST_NAME && ast->name == m->name) {
    m->span = rlx_stmt_absolute(m->stmt, ast->span);
    return true;
  }
  if (ast->kind == RLX_AST_STRING) return has_dimensions && find_in_string(m, ast);
  bool found = false;
  m->depth++;
  for (uint32_t i = 0; i < ast->child_count && !found; i++)
    found = find_mention(m, ast->children[i],
                         ast->kind == RLX_AST_CALL
                             ? rlx_symbol_has_dimensions(m->file->store, ast, i, has_dimensions)
                             : has_dimensions);
  m->depth--;
  return found;
}

/// The first mention in the annotations of a function's parameters.
static bool first_mention(Mention *m) {
  for (uint32_t i = 0; i < m->stmt->param_count; i++)
    if (find_mention(m, m->stmt->params[i].annotation, true)) return true;
  return false;
}

/// Whether `name`, a dimension of a signature, is what Python binds around: `R.Tensor((n,))` below
/// `n = tir.Var("n", "int64")`. Once a parameter of a Relax function has it in a string, it is the function's own.
static bool is_of_python(RlxFile *file, const RlxDef *def, RlxName name, RlxSymbol *outer) {
  const RlxFn *fn = fn_of_stmt(def->stmt);
  const bool is_prim = fn && fn->kind == RLX_ISLAND_PRIM_FUNC;
  if (!fn || (fn->kind != RLX_ISLAND_RELAX && !is_prim) || !rlx_symbol_symvar_of(&def->value))
    return false;
  for (uint32_t i = 0; i < def->stmt->type_param_count; i++)
    if (def->stmt->type_params[i] == name) return false;
  Mention own = {.file = file, .stmt = def->stmt, .name = name};
  return (is_prim || !first_mention(&own)) &&
         rlx_symbol_outer(file, def->stmt, name, false, outer) && outer->kind == RLX_SYMBOL_OUTER;
}

bool rlx_symbol_of_name(RlxFile *file, const RlxStmt *stmt, RlxName name, RlxSpan span,
                        RlxSymbol *out) {
  *out = (RlxSymbol){.span = rlx_stmt_absolute(stmt, span), .name = name, .stmt = out->stmt};
  const RlxDef *def = def_at(stmt, name, span);
  if (!def) def = resolve(stmt, name);
  if (!def) def = def_beside(stmt, name);
  if (def) fill_def(out, def);
  RlxSymbol local = *out;
  bool is_local = out->kind != RLX_SYMBOL_VAR && symbol_local(stmt, name, &local);
  if (def && !is_local && is_of_python(file, def, name, out))
    return true; // keeps its symbolic variable
  bool is_hidden = is_local && local.def_span.start != out->def_span.start; // by a loop or a block
  if (out->kind != RLX_SYMBOL_NONE && !is_hidden) return true;
  if (is_local) {
    *out = local;
    out->symvar = NULL;
    return true;
  }
  if (def) return false;
  RlxFn *fn = function_named(file, stmt, name);
  if (fn) return symbol_function(fn, out);
  bool is_param = stmt->kind == RLX_STMT_DEF && !fn_of_stmt(stmt) && is_param_at(stmt, span);
  if (rlx_symbol_outer(file, stmt, name, is_param, out)) return true;
  const RlxModule *module = module_around(file, stmt);
  return module && module->name == name && rlx_symbol_outer(file, module->stmt, name, false, out);
}

/// The word of the file around `offset`.
static RlxSpan word_at(RlxFile *file, uint32_t offset) {
  uint32_t size, start = offset;
  const char *text = rlx_document_text(file->document, &size);
  while (start && rlx_symbol_is_word(text[start - 1])) start--;
  uint32_t end = offset;
  while (end < size && rlx_symbol_is_word(text[end])) end++;
  return rlx_span(start, end);
}

bool rlx_symbol_of_dimension(const RlxStmt *stmt, RlxName name, RlxSymbol *out) {
  const RlxDef *def = resolve(stmt, name);
  const RlxVar *var = def ? rlx_symbol_var_of(&def->value) : NULL;
  bool is_scalar = var && var->sinfo && var->sinfo->kind == RLX_SINFO_PRIM;
  if (!def || (!is_scalar && !rlx_symbol_symvar_of(&def->value))) return false;
  fill_def(out, def);
  return true;
}

static const RlxAst *named_in(const RlxAst *target, RlxName name) {
  if (target->kind == RLX_AST_NAME) return target->name == name ? target : NULL;
  const RlxAst *found = NULL;
  for (uint32_t i = 0; target->kind == RLX_AST_TUPLE && i < target->child_count && !found; i++)
    found = named_in(target->children[i], name);
  return found;
}

static bool is_call_or_calls(const RlxAst *value) {
  bool is = value && (value->kind == RLX_AST_CALL || value->kind == RLX_AST_TUPLE);
  for (uint32_t i = 0; is && value->kind == RLX_AST_TUPLE && i < value->child_count; i++)
    is = value->children[i]->kind == RLX_AST_CALL;
  return is;
}

bool rlx_symbol_of_text(RlxFile *file, const RlxStmt *def, RlxName name, RlxSpan span,
                        RlxSymbol *out) {
  for (uint32_t i = 0; def->body && i < def->body->count; i++) {
    const RlxStmt *stmt = def->body->stmts[i];
    for (uint32_t k = 0; stmt->kind == RLX_STMT_ASSIGN && k < stmt->target_count; k++) {
      const RlxAst *target = named_in(stmt->targets[k], name);
      if (!target) continue;
      if (!is_call_or_calls(stmt->value)) return false; // another variable, or a mistake
      const bool is_known = rlx_symbol_of_name(file, stmt, name, target->span, out);
      out->span = rlx_stmt_absolute(def, span);
      return is_known;
    }
  }
  return rlx_symbol_of_name(file, def, name, span, out);
}

static bool symbol_in_string(RlxFile *file, const RlxStmt *stmt, uint32_t offset, RlxSymbol *out) {
  RlxSpan word = word_at(file, offset);
  uint32_t size;
  const char *text = rlx_document_text(file->document, &size);
  if (word.start == word.end) return false;
  RlxName name = rlx_store_intern(file->store, text + word.start, word.end - word.start);
  const RlxFn *fn = fn_of_stmt(stmt);
  if (fn && fn->kind == RLX_ISLAND_PRIM_FUNC)
    return rlx_symbol_of_text(file, stmt, name,
                              rlx_span(word.start - stmt->start, word.end - stmt->start), out);
  if (!rlx_symbol_of_dimension(stmt, name, out)) return false;
  out->name = name;
  out->span = word;
  RlxSpan span;
  if (out->symvar && rlx_file_symvar_definition(file, stmt, out->symvar, &span)) {
    out->def_span = span;
    out->def_stmt = stmt;
  }
  return true;
}

bool rlx_symbol_has_dimensions(const RlxStore *store, const RlxAst *call, uint32_t index,
                               bool otherwise) {
  const RlxAst *callee = call->children[0], *given = call->children[index];
  const char *name = callee->kind == RLX_AST_ATTRIBUTE || callee->kind == RLX_AST_NAME
                         ? rlx_store_text(store, callee->name)
                         : "";
  const char *keyword = given->kind == RLX_AST_KEYWORD ? rlx_store_text(store, given->name) : NULL;
  if (!strcmp(name, "Shape") || !strcmp(name, "SparseCSR")) return index > 0;
  if (!strcmp(name, "Prim")) return keyword ? !strcmp(keyword, "value") : index > 0;
  if (!strcmp(name, "Tensor") || !strcmp(name, "DTensor") || !strcmp(name, "Buffer"))
    return keyword ? !strcmp(keyword, "shape") : index == 1;
  return otherwise && index > 0;
}

/// Is the string that `path` ends in part of a StructInfo? A string in any other call is a text.
/// Annotations have no call around them, or one of these.
static bool is_in_sinfo(const RlxFile *file, const RlxAst *const *path, uint32_t count) {
  bool is = true;
  for (uint32_t k = 0; k + 1 < count; k++) {
    if (path[k]->kind != RLX_AST_CALL) continue;
    bool is_known = false;
    for (uint32_t i = 0; i < path[k]->child_count; i++)
      if (path[k]->children[i] == path[k + 1])
        is_known = rlx_symbol_has_dimensions(file->store, path[k], i, false);
    is = is_known;
  }
  return is;
}

/// What an import or `global` of `stmt` binds at the relative place `at`.
static bool symbol_import(RlxFile *file, const RlxStmt *stmt, uint32_t at, RlxSymbol *out) {
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    const RlxImport *import = &stmt->imports[i];
    RlxSpan span = rlx_import_name_span(file, stmt, import);
    if (at < span.start || at > span.end || !import->name) continue;
    out->span = rlx_stmt_absolute(stmt, span);
    return rlx_symbol_outer(file, stmt, import->name, false, out);
  }
  return false;
}

bool rlx_file_symbol_at(RlxFile *file, uint32_t offset, RlxSymbol *out) {
  memset(out, 0, sizeof *out);
  rlx_file_analyze(file, NULL);
  const RlxStmt *stmt = rlx_document_stmt_at(file->document, offset);
  if (!stmt || offset < stmt->start) return false;
  out->stmt = stmt;
  uint32_t at = offset - stmt->start;
  if (stmt->name && stmt->name_span.start <= at && at <= stmt->name_span.end) { // def f, class M
    out->name = stmt->name;
    out->span = out->def_span = rlx_stmt_absolute(stmt, stmt->name_span);
    out->def_stmt = stmt;
    const RlxAnalysis *unit = unit_of(stmt);
    if (unit && unit->fn && unit->owner) // a local function is a variable
      return rlx_symbol_of_name(file, stmt, stmt->name, stmt->name_span, out);
    RlxSymbol outer = {0};
    bool is_outer = rlx_symbol_outer(file, stmt, stmt->name, false, &outer);
    out->scope = is_outer ? outer.scope : NULL;
    out->kind = unit && unit->fn       ? RLX_SYMBOL_FUNCTION
                : unit && unit->module ? RLX_SYMBOL_MODULE
                : is_outer             ? RLX_SYMBOL_OUTER
                                       : RLX_SYMBOL_NONE;
    if (unit && unit->fn) out->sinfo = unit->fn->function.sinfo;
    return out->kind != RLX_SYMBOL_NONE;
  }
  if (stmt->import_count) return symbol_import(file, stmt, at, out);
  for (uint32_t i = 0; i < stmt->param_count; i++) {
    const RlxParam *p = &stmt->params[i];
    if (p->name_span.start <= at && at <= p->name_span.end && p->name)
      return rlx_symbol_of_name(file, stmt, p->name, p->name_span, out);
  }
  const RlxAst *path[64];
  uint32_t count = 0;
  const RlxAst *ast = rlx_document_ast_at(stmt, offset, path, &count, 64);
  if (!ast || !count) return false;
  if (ast->kind == RLX_AST_NAME && count > 1 && path[count - 2]->kind == RLX_AST_ATTRIBUTE &&
      rlx_symbol_of_attribute(file, stmt, path, count - 2, out) && out->kind == RLX_SYMBOL_OP)
    return true;
  if (ast->kind == RLX_AST_NAME) return rlx_symbol_of_name(file, stmt, ast->name, ast->span, out);
  if (ast->kind == RLX_AST_ATTRIBUTE)
    return rlx_symbol_of_attribute(file, stmt, path, count - 1, out);
  if (ast->kind != RLX_AST_STRING) return false;
  if (count > 1 && rlx_symbol_of_item(file, stmt, path[count - 2], out)) return true;
  if (rlx_symbol_of_block(file, stmt, ast, out)) return true;
  return is_in_sinfo(file, path, count) && symbol_in_string(file, stmt, offset, out);
}

// ------------------------------------------------------------------ symbolic variables

bool rlx_file_symvar_definition(RlxFile *file, const RlxStmt *stmt, const RlxSymVar *var,
                                RlxSpan *out) {
  const RlxFn *fn = stmt ? rlx_fn_around(stmt) : NULL;
  for (; fn; fn = fn->outer) {
    Mention m = {.file = file, .stmt = fn->stmt, .name = var->name, .in_names = true};
    if (!first_mention(&m)) continue;
    *out = m.span;
    return true;
  }
  const RlxDef *def = stmt ? resolve(stmt, var->name) : NULL;
  if (!def || rlx_symbol_symvar_of(&def->value) != var) return false;
  *out = rlx_stmt_absolute(def->stmt, def->span);
  return true;
}

bool rlx_file_name_definition(RlxFile *file, const RlxStmt *stmt, RlxName name, RlxSpan *out) {
  RlxSymbol symbol;
  const RlxDef *def = resolve(stmt, name);
  if (!def) return false;
  const RlxSymVar *symvar = rlx_symbol_symvar_of(&def->value);
  if (symvar && rlx_file_symvar_definition(file, stmt, symvar, out)) return true;
  fill_def(&symbol, def);
  *out = symbol.def_span;
  return symbol.kind == RLX_SYMBOL_SYMVAR || symbol.kind == RLX_SYMBOL_VAR;
}

bool rlx_file_module_around(const RlxStmt *stmt, RlxSpan *out) {
  const RlxFn *fn = rlx_fn_outermost(rlx_fn_around(stmt));
  if (fn && fn->module) *out = rlx_stmt_absolute(fn->module->stmt, fn->module->stmt->name_span);
  return fn && fn->module;
}
