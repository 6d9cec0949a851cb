/// Offers of what the script itself names: variables, symbolic dimensions, functions, and in
/// PrimFuncs buffers, loops and block variables. Nearest first.
#include <string.h>

#include "analyzer/ask/symbols.h"
#include "analyzer/complete/complete_impl.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/kinds.h"
#include "analyzer/words/names.h"

enum { NAMES_MAX = 120 }; // of one kind in one answer

typedef struct Scope {
  RlxComplete *c;
  RlxMap seen;
  uint32_t count, distance;
  bool dimensions_only;
  RlxName only;          ///< that one is looked for, and nothing offered; 0: none
  const RlxSInfo *found; ///< what the nearest variable of that name is
} Scope;

static bool is_wanted(Scope *s, RlxName name) {
  const char *text = rlx_store_text(s->c->store, name);
  if (s->count >= NAMES_MAX) {
    s->c->out->is_cut = true;
    return false;
  }
  return *text && rlx_complete_fits(s->c, text) && rlx_map_put(&s->seen, name, 1);
}

static const char *sinfo_text(const RlxComplete *c, const RlxSInfo *sinfo) {
  if (!sinfo) return NULL;
  RlxBuf text = {0};
  rlx_sinfo_tell(c->store, sinfo, &text);
  const char *kept = rlx_arena_strdup(c->out->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return kept;
}

/// What is indexed at the cursor, the `t` of `t[`; empty: nothing is.
static RlxSpan indexed(const RlxComplete *c) {
  const RlxCursor *at = &c->cursor;
  const RlxBracket *b = at->depth ? &at->brackets[at->depth - 1] : NULL;
  return b && b->open == '[' && at->path.start == at->path.end ? b->callee : (RlxSpan){0};
}

/// The fields of a tuple that is indexed, by their places.
static void offer_fields(RlxComplete *c, RlxName name, const RlxSInfo *sinfo) {
  enum { MOST = 32 };
  const RlxSpan callee = indexed(c);
  const char *text = rlx_store_text(c->store, name);
  const size_t size = callee.end - callee.start;
  if (!size || !sinfo || sinfo->kind != RLX_SINFO_TUPLE || strlen(text) != size ||
      memcmp(text, c->cursor.text + callee.start, size) != 0)
    return;
  for (int32_t i = 0; i < sinfo->count && i < MOST; i++) {
    const char *label = rlx_arena_printf(c->out->arena, "%d", i);
    if (!rlx_complete_fits(c, label)) continue;
    RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_VALUE, label);
    offer->detail = sinfo_text(c, sinfo->fields[i]);
    offer->rank += (uint32_t)i;
  }
}

static void add_def(Scope *s, const RlxDef *def) {
  const RlxVar *var = rlx_symbol_var_of(&def->value);
  const RlxSymVar *dimension = rlx_symbol_symvar_of(&def->value);
  if (s->only) {
    if (def->name != s->only || s->count) return;
    s->found = var ? var->sinfo : NULL;
    s->count = NAMES_MAX;
    return;
  }
  if (def->name == s->c->file->analyzer->name_return) return; // what a function returns, no name
  RlxComplete *c = s->c;
  if ((!var && !dimension) || (s->dimensions_only && !dimension)) return;
  if ((var && !rlx_complete_may_stand(c, var->sinfo)) || !is_wanted(s, def->name)) return;
  s->count++;
  RlxOffer *offer = rlx_complete_offer(c, var ? RLX_OFFER_VARIABLE : RLX_OFFER_DIMENSION,
                                       rlx_store_text(c->store, def->name));
  const RlxSInfo *sinfo = var ? var->sinfo : NULL;
  offer->detail = var ? sinfo_text(c, sinfo) : "symbolic dimension";
  offer->rank += s->distance < 90 ? s->distance++ : 90;
  if (var && !rlx_complete_takes(c, sinfo)) offer->rank += 1500;
  if (s->dimensions_only) offer->rank -= 2500;
  offer_fields(c, def->name, sinfo);
}

static void collect_stmt(Scope *s, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  if (unit && unit->fn) {
    if (unit->kind == RLX_UNIT_DEF && !s->dimensions_only && !s->only && is_wanted(s, stmt->name)) {
      s->count++;
      RlxBuf text = {0};
      rlx_complete_function_text(s->c, unit->fn, &text);
      rlx_complete_offer(s->c, RLX_OFFER_FUNCTION, rlx_store_text(s->c->store, stmt->name))
          ->detail = rlx_arena_strdup(s->c->out->arena, rlx_buf_text(&text));
      rlx_buf_free(&text);
    }
    return;
  }
  for (uint32_t i = stmt->body ? stmt->body->count : 0; i-- > 0 && s->count < NAMES_MAX;)
    collect_stmt(s, stmt->body->stmts[i]);
  for (uint32_t i = unit ? unit->def_count : 0; i-- > 0;) add_def(s, &unit->defs[i]);
}

void rlx_offer_outputs(RlxComplete *c) {
  Scope s = {.c = c};
  for (uint32_t i = c->stand.block ? c->stand.index : 0; i-- > 0;)
    collect_stmt(&s, c->stand.block->stmts[i]);
  rlx_map_free(&s.seen);
}

/// Variables of Relax in scope: above in this suite and in those around, parameters.
static void collect_relax(Scope *s) {
  const RlxStand *stand = &s->c->stand;
  const RlxBlock *block = stand->block;
  uint32_t index = stand->index;
  const RlxStmt *parent = stand->parent;
  for (;;) {
    for (uint32_t i = block ? index : 0; i-- > 0;) {
      if (s->count >= NAMES_MAX) {
        s->c->out->is_cut |= !s->only;
        break;
      }
      collect_stmt(s, block->stmts[i]);
    }
    const RlxAnalysis *unit = parent ? parent->analysis : NULL;
    if (unit && unit->fn) {
      for (uint32_t i = 0; i < unit->fn->params.count; i++) add_def(s, &unit->fn->params.at[i]);
      if (!unit->owner) break;
    }
    if (!parent) break;
    block = parent->block;
    index = parent->index;
    parent = block->parent;
  }
  if (!s->c->fn) return;
  for (uint32_t i = 0; i < s->c->fn->params.count; i++) add_def(s, &s->c->fn->params.at[i]);
}

const RlxSInfo *rlx_scope_sinfo(RlxComplete *c, RlxSpan name) {
  Scope s = {.c = c,
             .only = rlx_intern_find(rlx_store_names(c->store), c->cursor.text + name.start,
                                     name.end - name.start)};
  if (s.only && c->fn && c->fn->kind == RLX_ISLAND_RELAX) collect_relax(&s);
  return s.found;
}

// ---- PrimFuncs

/// The last part of the callee of a call or subscript: "Buffer" of `T.Buffer((4,), "float32")`.
static const char *head_of(const RlxComplete *c, const RlxAst *ast) {
  while (ast && (ast->kind == RLX_AST_CALL || ast->kind == RLX_AST_SUBSCRIPT))
    ast = ast->children[0];
  return ast && (ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_NAME)
             ? rlx_store_text(c->store, ast->name)
             : "";
}

static bool is_axis(const RlxAst *ast) {
  if (ast->kind != RLX_AST_CALL || ast->children[0]->kind != RLX_AST_ATTRIBUTE) return false;
  const RlxAst *space = ast->children[0]->children[0];
  return space->kind == RLX_AST_ATTRIBUTE && space->name;
}

static RlxOfferKind kind_of(const RlxComplete *c, const RlxAst *made_by) {
  const char *head = made_by ? head_of(c, made_by) : "";
  static const char *const buffers[] = {"Buffer",      "match_buffer", "alloc_buffer",
                                        "decl_buffer", "buffer_decl",  "sblock_alloc_buffer"};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    if (!strcmp(head, buffers[i])) return RLX_OFFER_BUFFER;
  return made_by && is_axis(made_by) ? RLX_OFFER_LOOP : RLX_OFFER_VARIABLE;
}

/// The text of what made a name, on one line and not long.
static const char *origin(const RlxComplete *c, const RlxStmt *stmt, const RlxAst *ast) {
  enum { MOST = 80 };
  if (!ast) return NULL;
  RlxSpan span = rlx_stmt_absolute(stmt, ast->span);
  if (span.end - span.start > MOST ||
      memchr(c->cursor.text + span.start, '\n', span.end - span.start))
    return NULL;
  return rlx_complete_text(c, span);
}

/// Where a buffer is indexed, loops and block variables come first, buffers last.
static void prefer_indices(const RlxComplete *c, RlxOffer *offer) {
  enum { FAR = 200, FARTHER = 2000 };
  const RlxSpan callee = indexed(c);
  if (callee.start == callee.end || offer->kind == RLX_OFFER_LOOP) return;
  offer->rank += offer->kind == RLX_OFFER_BUFFER ? FARTHER : FAR;
}

static void add_target(Scope *s, const RlxStmt *stmt, const RlxAst *target, const RlxAst *made_by,
                       bool is_loop) {
  if (!target) return;
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST) {
    for (uint32_t i = 0; i < target->child_count; i++)
      add_target(s, stmt, target->children[i], made_by, is_loop);
    return;
  }
  if (target->kind != RLX_AST_NAME || !is_wanted(s, target->name)) return;
  s->count++;
  RlxOffer *offer = rlx_complete_offer(s->c, is_loop ? RLX_OFFER_LOOP : kind_of(s->c, made_by),
                                       rlx_store_text(s->c->store, target->name));
  offer->detail = origin(s->c, stmt, made_by);
  offer->rank += s->distance < 90 ? s->distance++ : 90;
  prefer_indices(s->c, offer);
}

static void add_bound(Scope *s, const RlxStmt *stmt, bool is_around) {
  if (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED)
    for (uint32_t i = 0; i < stmt->target_count; i++)
      add_target(s, stmt, stmt->targets[i], stmt->value ? stmt->value : stmt->annotation, false);
  if (stmt->kind == RLX_STMT_FOR && is_around)
    for (uint32_t i = 0; i < stmt->target_count; i++)
      add_target(s, stmt, stmt->targets[i], stmt->value, true);
  if (stmt->kind == RLX_STMT_WITH)
    for (uint32_t i = 0; i < stmt->item_count; i++)
      add_target(s, stmt, stmt->items[i].target, stmt->items[i].value, false);
}

static void collect_prim(Scope *s) {
  const RlxStand *stand = &s->c->stand;
  const RlxBlock *block = stand->block;
  uint32_t index = stand->index;
  for (const RlxStmt *parent = stand->parent;; parent = block->parent) {
    for (uint32_t i = block ? index : 0; i-- > 0;) add_bound(s, block->stmts[i], false);
    if (!parent || parent == s->c->fn->stmt) break;
    add_bound(s, parent, true);
    block = parent->block;
    index = parent->index;
  }
  const RlxStmt *def = s->c->fn->stmt;
  const RlxParams taken = rlx_taken_params(def);
  for (uint32_t i = 0; i < taken.count; i++) {
    const RlxParam *param = &taken.at[i];
    if (!is_wanted(s, param->name)) continue;
    s->count++;
    RlxOffer *offer = rlx_complete_offer(s->c, kind_of(s->c, param->annotation),
                                         rlx_store_text(s->c->store, param->name));
    offer->detail = origin(s->c, def, param->annotation);
    offer->rank += s->distance < 90 ? s->distance++ : 90;
    prefer_indices(s->c, offer);
  }
}

// ---- what is bound around functions

static void offer_around(Scope *s, RlxName name, RlxOfferKind kind, const char *detail) {
  enum { BEHIND_LOCALS = 600, NO_TENSOR = 1500 };
  RlxComplete *c = s->c;
  const char *text = rlx_store_text(c->store, name);
  RlxValue value;
  if (rlx_names_predefined(&c->file->analyzer->words, text, &value) || !is_wanted(s, name)) return;
  s->count++;
  RlxOffer *offer = rlx_complete_offer(c, kind, text);
  offer->detail = detail;
  offer->rank += BEHIND_LOCALS;
  if (c->wanted && c->wanted->kind == RLX_PARAM_TENSOR) offer->rank += NO_TENSOR;
}

/// Constants and imports of the file, and what Python functions around take and bind: a script made by `def make(tile): …` is
/// written in them. What is bound below is not there yet when TVM reads the function.
static void collect_around(Scope *s) {
  RlxFile *file = s->c->file;
  const RlxFn *fn = s->c->fn;
  while (fn->outer) fn = fn->outer;
  const RlxStmt *from = fn->stmt, *around;
  for (const RlxBlock *block = from->block; block; block = around ? around->block : NULL) {
    around = block->parent;
    const char *where = around && around->kind == RLX_STMT_DEF
                            ? rlx_arena_printf(s->c->out->arena, "of `%s`",
                                               rlx_store_text(s->c->store, around->name))
                            : "of the file";
    for (uint32_t i = 0; around && around->kind == RLX_STMT_DEF && i < around->param_count; i++)
      offer_around(s, around->params[i].name, RLX_OFFER_VARIABLE, where);
    for (uint32_t i = file->outer.count; rlx_outer_sees(file, from, block) && i-- > 0;) {
      const RlxOuterBinding *b = &file->outer.at[i];
      const RlxAnalysis *unit = b->stmt->analysis;
      if (b->block != block || b->stmt->start >= from->start ||
          (unit && (unit->fn || unit->module)))
        continue;
      const bool is_module = b->import && !b->import->member;
      offer_around(s, b->name, is_module ? RLX_OFFER_NAMESPACE : RLX_OFFER_VARIABLE, where);
    }
  }
}

// ---- functions and modules

void rlx_offer_functions(RlxComplete *c, const RlxModule *module, const char *prefix) {
  for (uint32_t i = 0; i < c->file->fns.count; i++) {
    const RlxFn *fn = c->file->fns.at[i];
    const char *name = rlx_store_text(c->store, fn->stmt->name);
    if (fn->module != module || !*name || !rlx_complete_fits(c, name)) continue;
    RlxBuf text = {0};
    rlx_complete_function_text(c, fn, &text);
    const char *label = *prefix ? rlx_arena_printf(c->out->arena, "%s%s", prefix, name) : name;
    RlxOffer *offer = rlx_complete_offer(
        c, fn->kind == RLX_ISLAND_PRIM_FUNC ? RLX_OFFER_PRIM_FUNC : RLX_OFFER_FUNCTION, label);
    offer->detail = rlx_arena_strdup(c->out->arena, rlx_buf_text(&text));
    if (*prefix) offer->filter = label;
    if (c->wanted && c->wanted->kind == RLX_PARAM_CALLEE) offer->rank -= 3000;
    rlx_buf_free(&text);
  }
}

static RlxOffer *offer_space(RlxComplete *c, const char *label, const char *detail) {
  if (!rlx_complete_fits(c, label)) return NULL;
  RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_NAMESPACE, label);
  offer->detail = detail;
  return offer;
}

/// A namespace of scripts under the name that the file has for it, with its import where it has none.
static void offer_root(RlxComplete *c, const char *root, const char *detail) {
  bool is_missing;
  RlxOffer *offer = offer_space(c, rlx_complete_root(c, *root, &is_missing), detail);
  if (offer && is_missing) offer->import = rlx_complete_import(c, root);
}

void rlx_offer_scope(RlxComplete *c) {
  Scope s = {.c = c};
  bool in_prim = c->fn && c->fn->kind == RLX_ISLAND_PRIM_FUNC;
  if (in_prim)
    collect_prim(&s);
  else if (c->fn)
    collect_relax(&s);
  if (c->fn) collect_around(&s);
  rlx_map_free(&s.seen);
  const RlxModule *module = c->fn ? c->fn->module : NULL;
  bool has_class = module && c->dialect != RLX_DIALECT_TLC;
  const bool is_callable = !c->fn || !(in_prim || rlx_complete_wants_integers(c));
  if (c->fn && is_callable) rlx_offer_functions(c, module, has_class ? "cls." : "");
  if (c->fn && is_callable && module) rlx_offer_functions(c, NULL, "");
  if (has_class && is_callable) offer_space(c, "cls", "the module");
  for (uint32_t i = 0; i < c->file->modules.count; i++)
    if (is_callable)
      offer_space(c, rlx_store_text(c->store, c->file->modules.at[i]->name), "a module");
  if (!in_prim) offer_root(c, "R", "Relax");
  offer_root(c, "T", "TensorIR");
  if (!c->fn) offer_root(c, "I", "modules");
}

void rlx_offer_dimensions(RlxComplete *c) {
  Scope s = {.c = c, .dimensions_only = true};
  if (c->fn && c->fn->kind == RLX_ISLAND_PRIM_FUNC)
    collect_prim(&s);
  else
    collect_relax(&s);
  rlx_map_free(&s.seen);
}

/// Members that a value of this kind has; the words of `list` are blank separated.
static void offer_list(RlxComplete *c, const char *list, const char *detail) {
  for (const char *at = list; *at;) {
    size_t size = strcspn(at, " ");
    const char *label = rlx_arena_strndup(c->out->arena, at, size);
    if (rlx_complete_fits(c, label))
      rlx_complete_offer(c, RLX_OFFER_MEMBER, label)->detail = detail;
    at += size;
    while (*at == ' ') at++;
  }
}

static void offer_buffer_members(RlxComplete *c) {
  const char *list;
  for (uint32_t at = 0; (list = rlx_kind_buffer_members(at)); at++)
    offer_list(c, list, "of a buffer");
}

bool rlx_offer_module(RlxComplete *c, const char *path) {
  const RlxModule *module = rlx_complete_module(c, path, strlen(path));
  if (module) rlx_offer_functions(c, module, "");
  return module != NULL;
}

void rlx_offer_of_value(RlxComplete *c, const char *path) {
  if (strchr(path, '.') || rlx_offer_module(c, path) || !c->fn) return;
  RlxOffers scope = {.arena = c->out->arena};
  RlxComplete all = *c; // every name in scope, whatever stands behind the dot
  all.out = &scope;
  all.cursor.word = rlx_span(c->cursor.offset, c->cursor.offset);
  Scope s = {.c = &all};
  if (c->fn->kind == RLX_ISLAND_PRIM_FUNC)
    collect_prim(&s);
  else
    collect_relax(&s);
  rlx_map_free(&s.seen);
  for (uint32_t i = 0; i < scope.items.count; i++) {
    const RlxOffer *found = &scope.items.at[i];
    if (strcmp(found->label, path) != 0) continue;
    if (found->kind == RLX_OFFER_BUFFER)
      offer_buffer_members(c);
    else if (found->kind == RLX_OFFER_VARIABLE && c->fn->kind == RLX_ISLAND_RELAX)
      offer_list(c,
                 c->dialect == RLX_DIALECT_TLC   ? "shape dtype"
                 : c->dialect == RLX_DIALECT_027 ? "ty astype dtype shape ndim strides"
                                                 : "struct_info astype dtype shape ndim strides",
                 "of a value");
    else if (found->kind == RLX_OFFER_DIMENSION)
      offer_list(c, "dtype", "of a number");
    break;
  }
  rlx_vec_free(&scope.items);
}
