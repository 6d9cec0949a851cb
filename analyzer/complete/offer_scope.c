/// Offers of what the script itself names: variables, symbolic dimensions, functions, and in
/// PrimFuncs buffers, loops and block variables. Nearest first.
#include <string.h>

#include "analyzer/ask/symbols.h"
#include "analyzer/complete/complete_impl.h"
#include "analyzer/eval/outer.h"
#include "analyzer/function/kinds.h"
#include "analyzer/words/names.h"
#include "base/nearest.h"

enum { NAMES_MAX = 120, LOOSE_MAX = 40, LETTERS_MAX = 12 };

typedef struct Scope {
  RlxComplete *c;
  RlxMap seen;
  uint32_t count; ///< offered names that begin with the word, at most NAMES_MAX
  uint32_t loose; ///< others that fit it, at most LOOSE_MAX
  uint32_t distance;
  bool dimensions_only;
  bool is_head; ///< of a Relax function: its dimensions are strings
  RlxName only; ///< that one is looked for, and nothing offered; 0: none
  bool is_found;
  RlxOfferKind found_kind; ///< what the nearest one of that name is
  const RlxSInfo *found;   ///< of a variable
  // A function has tens of thousands of names, of which hardly any fits.
  const uint64_t *letters;      ///< of all names
  uint64_t wanted[LETTERS_MAX]; ///< one of each, small or capital, is in a name that fits
  uint32_t wanted_count;        ///< of `wanted`
  const RlxSInfo *refused;      ///< that of a variable which may not stand at the cursor, or NULL
  RlxMap texts, takes;          ///< of StructInfos: their texts, whether they fit
} Scope;

static Scope begin_scope(RlxComplete *c) {
  Scope s = {.c = c, .letters = rlx_interner_letters(rlx_store_names(c->store))};
  const RlxSpan word = rlx_span(c->cursor.word.start, c->cursor.offset);
  for (uint32_t i = word.start; i < word.end && s.wanted_count < LETTERS_MAX; i++) {
    enum { OTHER_CASE = 'a' - 'A' };
    const char ch = c->cursor.text[i], small = (char)(ch | OTHER_CASE);
    const char other = small >= 'a' && small <= 'z' ? (char)(ch ^ OTHER_CASE) : ch;
    s.wanted[s.wanted_count++] = rlx_nearest_letter(ch) | rlx_nearest_letter(other);
  }
  return s;
}

static void end_scope(Scope *s) {
  rlx_map_free(&s->seen);
  rlx_map_free(&s->texts);
  rlx_map_free(&s->takes);
}

/// Whether no further name can become part of the answer.
static bool is_full(const Scope *s) { return s->only ? s->is_found : s->count >= NAMES_MAX; }

/// False: the name lacks a letter of the word.
static bool may_fit(const Scope *s, RlxName name) {
  for (uint32_t i = 0; i < s->wanted_count; i++)
    if (!(s->letters[name] & s->wanted[i])) return false;
  return true;
}

/// Whether a name that fits so well is offered; notes it where there were too many.
static bool has_room(Scope *s, uint32_t far) {
  const bool has = far ? s->loose < LOOSE_MAX : s->count < NAMES_MAX;
  s->c->out->is_cut |= !has;
  return has;
}

/// Whether the name is one for the answer.
static bool fits(Scope *s, RlxName name) {
  if (!may_fit(s, name)) return false;
  const char *text = rlx_store_text(s->c->store, name);
  const uint32_t far = rlx_complete_distance(s->c, text);
  return *text && far < 3 && has_room(s, far);
}

/// Whether it is one, and not there yet; it is from now on.
static bool is_wanted(Scope *s, RlxName name) {
  if (!fits(s, name) || !rlx_map_put(&s->seen, name, 1)) return false;
  ++*(rlx_complete_distance(s->c, rlx_store_text(s->c->store, name)) ? &s->loose : &s->count);
  return true;
}

/// Notes what the one name is that is looked for. True: nothing is offered.
static bool is_looked_for(Scope *s, RlxName name, RlxOfferKind kind, const RlxSInfo *sinfo) {
  if (s->only == name && !s->is_found) {
    s->is_found = true;
    s->found_kind = kind;
    s->found = sinfo;
  }
  return s->only != RLX_NAME_NONE;
}

const char *rlx_complete_sinfo_text(const RlxComplete *c, const RlxSInfo *sinfo) {
  if (!sinfo) return NULL;
  RlxBuf text = {0};
  rlx_sinfo_tell(c->store, sinfo, &text);
  const char *kept = rlx_arena_strdup(c->out->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return kept;
}

/// The same, made once for each StructInfo.
static const char *kept_text(Scope *s, const RlxSInfo *sinfo) {
  const char *text = rlx_map_get_ptr(&s->texts, sinfo);
  if (text || !sinfo) return text;
  text = rlx_complete_sinfo_text(s->c, sinfo);
  rlx_map_put_ptr(&s->texts, sinfo, text);
  return text;
}

/// rlx_complete_takes, asked once for each StructInfo.
static RlxFit takes(Scope *s, const RlxSInfo *sinfo) {
  uint64_t known;
  if (rlx_map_get(&s->takes, (uintptr_t)sinfo, &known)) return (RlxFit)known;
  known = rlx_complete_takes(s->c, sinfo);
  rlx_map_put(&s->takes, (uintptr_t)sinfo, known);
  return (RlxFit)known;
}

/// What is indexed at the cursor, the `t` of `t[`; empty: nothing is.
static RlxSpan indexed(const RlxComplete *c) {
  const RlxCursor *at = &c->cursor;
  const RlxBracket *b = at->depth ? &at->brackets[at->depth - 1] : NULL;
  return b && b->open == '[' && at->path.start == at->path.end ? b->callee : (RlxSpan){0};
}

/// Writes what is offered as a string, unless the cursor stands in one.
static void quote(const RlxComplete *c, RlxOffer *offer) {
  if (c->cursor.where == RLX_CURSOR_STRING) return;
  offer->filter = offer->label;
  offer->label = rlx_arena_printf(c->out->arena, "\"%s\"", offer->label);
}

static void add_def(Scope *s, const RlxDef *def) {
  const RlxVar *var = rlx_symbol_var_of(&def->value);
  const RlxSymVar *dimension = rlx_symbol_symvar_of(&def->value);
  const RlxOfferKind kind = var ? RLX_OFFER_VARIABLE : RLX_OFFER_DIMENSION;
  const RlxSInfo *sinfo = var ? var->sinfo : NULL;
  if (def->name == s->c->file->analyzer->name_return) return; // what a function returns, no name
  if (is_looked_for(s, def->name, kind, sinfo)) return;
  RlxComplete *c = s->c;
  if ((!var && !dimension) || (s->dimensions_only && !dimension)) return;
  if (dimension && rlx_complete_wants_constant(c)) return;
  if (var && !rlx_complete_may_stand(c, sinfo)) {
    s->refused = sinfo;
    return;
  }
  if (!is_wanted(s, def->name)) return;
  RlxOffer *offer = rlx_complete_offer(c, kind, rlx_store_text(c->store, def->name));
  offer->detail = var ? kept_text(s, sinfo) : "symbolic dimension";
  offer->rank += s->distance < 90 ? s->distance++ : 90;
  static const uint16_t worse[] = {[RLX_FIT_NO] = 1500,
                                   [RLX_FIT_MAYBE] = 95,
                                   [RLX_FIT_YES] = 0}; // a nearer one is 90 better at most
  if (var) offer->rank += worse[takes(s, sinfo)];
  if (s->dimensions_only) offer->rank -= 2500;
  if (s->is_head) quote(c, offer);
}

/// Whether what is known of the unit beside its definitions says that none of them is offered.
static bool is_passed_over(Scope *s, const RlxAnalysis *unit) {
  if (unit->kind != RLX_UNIT_SIMPLE) return false;
  if (!unit->has_own) return !unit->def_count;
  const RlxRead *own = &unit->own;
  if (s->only) return own->name != s->only;
  const bool is_variable = (uint8_t)own->flags == RLX_VALUE_EXPR && own->thing;
  if (is_variable && (s->dimensions_only || (own->sinfo && own->sinfo == s->refused))) return true;
  return !fits(s, own->name);
}

static void collect_block(Scope *s, const RlxBlock *block, uint32_t end);

static void collect_stmt(Scope *s, const RlxStmt *stmt) {
  const RlxAnalysis *unit = stmt->analysis;
  if (unit && unit->fn) {
    if (unit->kind == RLX_UNIT_DEF && !s->dimensions_only && !s->only && is_wanted(s, stmt->name)) {
      RlxBuf text = {0};
      rlx_complete_function_text(s->c, unit->fn, &text);
      rlx_complete_offer(s->c, RLX_OFFER_FUNCTION, rlx_store_text(s->c->store, stmt->name))
          ->detail = rlx_arena_strdup(s->c->out->arena, rlx_buf_text(&text));
      rlx_buf_free(&text);
    }
    return;
  }
  if (stmt->body) collect_block(s, stmt->body, stmt->body->count);
  for (uint32_t i = unit ? unit->def_count : 0; i-- > 0;) add_def(s, &unit->defs[i]);
}

/// The units of the suite, a statement each; NULL: it has none.
static const RlxSuite *suite_of(const RlxBlock *block) {
  const RlxAnalysis *unit = block->parent ? block->parent->analysis : NULL;
  const RlxSuite *suite = unit && unit->fn ? unit->fn->body : unit ? unit->body : NULL;
  return suite && suite->block == block && suite->units.count == block->count ? suite : NULL;
}

/// The names of the first `end` statements, the last one first. Units lie anywhere in memory: what
/// is_passed_over looks at of those that come next is fetched meanwhile.
static void collect_block(Scope *s, const RlxBlock *block, uint32_t end) {
  enum { AHEAD = 12 };
  const RlxSuite *suite = suite_of(block);
  for (uint32_t i = end; i-- > 0;) {
    if (suite && i >= AHEAD) {
      const RlxAnalysis *next = suite->units.at[i - AHEAD];
      __builtin_prefetch(next);
      __builtin_prefetch(&next->own);
    }
    if (is_full(s)) {
      s->c->out->is_cut |= !s->only;
      return;
    }
    const RlxAnalysis *unit = suite ? suite->units.at[i] : NULL;
    if (!unit || !is_passed_over(s, unit)) collect_stmt(s, block->stmts[i]);
  }
}

void rlx_offer_outputs(RlxComplete *c) {
  Scope s = begin_scope(c);
  if (c->stand.block) collect_block(&s, c->stand.block, c->stand.index);
  end_scope(&s);
}

/// Variables of Relax in scope: above in this suite and in those around, parameters.
static void collect_relax(Scope *s) {
  const RlxStand *stand = &s->c->stand;
  const RlxBlock *block = stand->block;
  uint32_t index = stand->index;
  const RlxStmt *parent = stand->parent;
  for (;;) {
    if (block) collect_block(s, block, index);
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

/// Where a buffer is indexed, loops and block variables come first, buffers last; these also where dimensions stand.
static void prefer_indices(const RlxComplete *c, RlxOffer *offer) {
  enum { FAR = 200, FARTHER = 2000 };
  const RlxSpan callee = indexed(c);
  if (offer->kind == RLX_OFFER_BUFFER && c->wants_dimension) offer->rank += FARTHER;
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
  if (target->kind != RLX_AST_NAME || (s->only && s->only != target->name)) return;
  if (!s->only && !is_wanted(s, target->name)) return;
  const RlxOfferKind kind = is_loop ? RLX_OFFER_LOOP : kind_of(s->c, made_by);
  if (is_looked_for(s, target->name, kind, NULL)) return;
  RlxOffer *offer = rlx_complete_offer(s->c, kind, rlx_store_text(s->c->store, target->name));
  offer->detail = origin(s->c, stmt, made_by);
  offer->rank += s->distance < 90 ? s->distance++ : 90;
  if (is_loop && s->c->wants_loop) offer->rank -= 2000;
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
    const RlxOfferKind kind = kind_of(s->c, param->annotation);
    if (is_looked_for(s, param->name, kind, NULL) || !is_wanted(s, param->name)) continue;
    RlxOffer *offer = rlx_complete_offer(s->c, kind, rlx_store_text(s->c->store, param->name));
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
    if (fn->kind != RLX_ISLAND_PRIM_FUNC && rlx_complete_wants_prim(c)) continue;
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

/// Whether the cursor is in the head of a def that is no PrimFunc.
static bool is_in_head(const RlxComplete *c) {
  static const char *const words[] = {"def ", "async def "};
  const char *line = c->cursor.text + c->cursor.line;
  bool is_def = false;
  for (int i = 0; i < 2; i++) is_def |= !strncmp(line, words[i], strlen(words[i]));
  return is_def && !(c->fn && c->fn->kind == RLX_ISLAND_PRIM_FUNC);
}

/// Whether the argument at the cursor is an axis, a flag or a text, which are written down.
static bool takes_word(const RlxComplete *c) {
  const RlxParamKind kind = c->wanted ? c->wanted->kind : RLX_PARAM_ANY;
  return kind == RLX_PARAM_INT || kind == RLX_PARAM_INTS || kind == RLX_PARAM_BOOL ||
         kind == RLX_PARAM_STR;
}

void rlx_offer_scope(RlxComplete *c) {
  Scope s = begin_scope(c);
  bool in_prim = c->fn && c->fn->kind == RLX_ISLAND_PRIM_FUNC;
  if (in_prim)
    collect_prim(&s);
  else if (c->fn && !c->wants_type && !(c->wants_dimension && is_in_head(c)))
    collect_relax(&s);
  if (c->fn) collect_around(&s);
  end_scope(&s);
  const RlxModule *module = c->fn ? c->fn->module : NULL;
  const char *own = rlx_complete_own_module(c);
  const bool is_callable = !c->fn || !(in_prim || c->wants_type || rlx_complete_wants_integers(c));
  if (c->fn && is_callable)
    rlx_offer_functions(c, module, own ? rlx_arena_printf(c->out->arena, "%s.", own) : "");
  if (c->fn && is_callable && module) rlx_offer_functions(c, NULL, "");
  if (own && is_callable) offer_space(c, own, "the module");
  for (uint32_t i = 0; i < c->file->modules.count; i++)
    if (is_callable)
      offer_space(c, rlx_store_text(c->store, c->file->modules.at[i]->name), "a module");
  if (takes_word(c)) return; // a number or a text of Python: nothing of the namespaces is one
  if (!in_prim) offer_root(c, "R", "Relax");
  offer_root(c, "T", "TensorIR");
  if (!c->fn) offer_root(c, "I", "modules");
}

/// A dimension that the head names, which its function may not know: brackets that are still open leave it without parameters.
static void add_written(Scope *s, const char *name, size_t size) {
  RlxComplete *c = s->c;
  const RlxName known = rlx_intern_find(rlx_store_names(c->store), name, size);
  RlxDType dtype;
  if (!known || rlx_dtype_parse(name, size, &dtype) || !is_wanted(s, known)) return;
  RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_DIMENSION, rlx_store_text(c->store, known));
  offer->detail = "symbolic dimension";
  offer->rank += (s->distance < 90 ? s->distance++ : 90) - 2500;
  quote(c, offer);
}

/// The strings before the cursor in the head that are names.
static void collect_written(Scope *s) {
  const RlxCursor *at = &s->c->cursor;
  for (uint32_t i = at->line; i < at->word.start; i++) {
    if (at->text[i] != '"' && at->text[i] != '\'') continue;
    uint32_t end = i + 1;
    while (end < at->word.start && rlx_symbol_is_word(at->text[end])) end++;
    if (end < at->word.start && at->text[end] == at->text[i])
      add_written(s, at->text + i + 1, end - i - 1);
    while (end < at->word.start && at->text[end] != at->text[i]) end++;
    i = end;
  }
}

void rlx_offer_dimensions(RlxComplete *c) {
  Scope s = begin_scope(c);
  s.dimensions_only = true;
  s.is_head = is_in_head(c);
  if (c->fn && c->fn->kind == RLX_ISLAND_PRIM_FUNC)
    collect_prim(&s);
  else
    collect_relax(&s);
  if (s.is_head) collect_written(&s);
  end_scope(&s);
}

/// Members that a value of this kind has; the words of `list` are blank separated. `step` is 1 where they come in its order, 0: by name.
static void offer_list(RlxComplete *c, const char *list, const char *detail, uint32_t step) {
  uint32_t place = 0;
  for (const char *at = list; *at;) {
    size_t size = strcspn(at, " ");
    const char *label = rlx_arena_strndup(c->out->arena, at, size);
    if (rlx_complete_fits(c, label)) {
      RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_MEMBER, label);
      offer->detail = detail;
      offer->rank += place;
    }
    place += step;
    at += size;
    while (*at == ' ') at++;
  }
}

static void offer_buffer_members(RlxComplete *c) {
  const char *list;
  for (uint32_t at = 0; (list = rlx_kind_buffer_members(at)); at++)
    offer_list(c, list, "of a buffer", 0);
}

bool rlx_offer_module(RlxComplete *c, const char *path) {
  const RlxModule *module = rlx_complete_module(c, path, strlen(path));
  if (module) rlx_offer_functions(c, module, "");
  return module != NULL;
}

/// What TVM's Python has behind the dot of a Relax value; of one that is not known as of a tensor.
static const char *members_of(const RlxComplete *c, const RlxSInfo *sinfo) {
  const bool is_tensor = !sinfo || sinfo->kind == RLX_SINFO_TENSOR;
  switch (c->dialect) {
  case RLX_DIALECT_TLC: return is_tensor ? "shape dtype" : "";
  case RLX_DIALECT_CLASSIC:
  case RLX_DIALECT_025:
    return is_tensor ? "shape dtype ndim astype strides struct_info" : "struct_info";
  case RLX_DIALECT_027: return is_tensor ? "astype ty" : "ty";
  case RLX_DIALECT_COUNT: break;
  }
  return "";
}

/// Of `x.dtype.` and `x.struct_info.`.
static const char *members_of_member(const RlxComplete *c, const RlxSInfo *sinfo,
                                     const char *member) {
  const RlxSInfoKind kind = sinfo ? sinfo->kind : RLX_SINFO_OBJECT;
  if (!strcmp(member, "dtype"))
    return c->dialect != RLX_DIALECT_027 && kind == RLX_SINFO_TENSOR ? "bits lanes type_code" : "";
  if (strcmp(member, "struct_info") != 0 && strcmp(member, "ty") != 0) return "";
  return kind == RLX_SINFO_TENSOR  ? "shape ndim dtype"
         : kind == RLX_SINFO_SHAPE ? "values ndim"
         : kind == RLX_SINFO_TUPLE ? "fields"
         : kind == RLX_SINFO_PRIM  ? "dtype"
                                   : "";
}

/// Members of a variable that a dot follows, or of one of its members.
static void offer_of_variable(RlxComplete *c, const Scope *s, const char *member) {
  if (*member)
    offer_list(c, members_of_member(c, s->found, member),
               strcmp(member, "dtype") == 0 ? "of a dtype" : "of a StructInfo", 1);
  else
    offer_list(c, members_of(c, s->found), "of a value", 1);
}

void rlx_offer_of_value(RlxComplete *c, const char *path) {
  const char *dot = strchr(path, '.');
  if ((!dot && rlx_offer_module(c, path)) || !c->fn || (dot && strchr(dot + 1, '.'))) return;
  const size_t size = dot ? (size_t)(dot - path) : strlen(path);
  Scope s = {.c = c, .only = rlx_intern_find(rlx_store_names(c->store), path, size)};
  if (s.only && c->fn->kind == RLX_ISLAND_PRIM_FUNC)
    collect_prim(&s);
  else if (s.only)
    collect_relax(&s);
  if (!s.is_found) return;
  if (s.found_kind == RLX_OFFER_VARIABLE && c->fn->kind == RLX_ISLAND_RELAX)
    offer_of_variable(c, &s, dot ? dot + 1 : "");
  else if (s.found_kind == RLX_OFFER_BUFFER && !dot)
    offer_buffer_members(c);
  else if (s.found_kind == RLX_OFFER_DIMENSION && !dot)
    offer_list(c, "dtype", "of a number", 0);
}

/// Whether the line binds a value that begins at `start`: `y = ` stands before it.
static bool is_bound(const RlxComplete *c, uint32_t start) {
  uint32_t at = start;
  while (at > c->cursor.line && strchr(" \t", c->cursor.text[at - 1])) at--;
  return at > c->cursor.line + 1 && c->cursor.text[at - 1] == '=' &&
         !strchr("=!<>", c->cursor.text[at - 2]);
}

/// A statement that ends behind a dot or an open `[` binds what stands before these: the parser recovers so.
const RlxSInfo *rlx_complete_result_before(const RlxComplete *c) {
  const RlxCursor *at = &c->cursor;
  const RlxStand *stand = &c->stand;
  const bool is_end = at->closed_end && at->word.start == at->word.end;
  if (!is_end || !is_bound(c, at->closed.callee.start) || !stand->block ||
      stand->index >= stand->block->count)
    return NULL;
  const RlxStmt *own = stand->block->stmts[stand->index];
  const RlxAnalysis *unit = own->start == at->line ? own->analysis : NULL;
  const RlxVar *var = unit && unit->def_count == 1 ? rlx_symbol_var_of(&unit->defs[0].value) : NULL;
  const bool is_known = var && var->sinfo && var->sinfo->kind != RLX_SINFO_OBJECT;
  return is_known && !(own->kind == RLX_STMT_ANNOTATED) ? var->sinfo : NULL;
}

void rlx_offer_of_result(RlxComplete *c) {
  const RlxCursor *at = &c->cursor;
  const bool is_value = at->closed_end && at->closed_end == at->path.start && !at->is_decorator &&
                        c->fn && c->fn->kind == RLX_ISLAND_RELAX;
  const bool is_tuple = at->closed.open != '(' ||
                        (at->closed.callee.start == at->closed.callee.end && at->closed.argument);
  const bool is_subscript =
      at->closed.open == '[' && at->closed.callee.start < at->closed.callee.end;
  if (is_value && (!is_tuple || is_subscript))
    offer_list(c, members_of(c, rlx_complete_result_before(c)), "of a value", 1);
}
