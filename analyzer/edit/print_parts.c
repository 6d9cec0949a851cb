/// The parts that all files of the printer write: names, symbolic variables and what is said with
/// them, string literals, the script's own words. Always true: two things in scope have two names.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/edit/print_impl.h"
#include "base/mem.h"
#include "base/text.h"

// ---- names

const char *rlx_print_define(RlxScriptPrinter *p, const void *key, const char *hint) {
  p->names.also = p->in_declaration ? &p->type_vars : NULL; // 0.27 reads it as that one
  return rlx_print_names_define(&p->names, key, *hint ? hint : "v");
}

const char *rlx_print_var(RlxScriptPrinter *p, const RlxVar *var) {
  const char *known = rlx_print_names_get(&p->names, var);
  return known ? known : rlx_print_define(p, var, rlx_store_text(p->store, var->name));
}

static bool is_symbol_in_scope(const void *key, const void *data) {
  return rlx_print_knows_symbol(data, key);
}

void rlx_print_leave_names(RlxScriptPrinter *p, uint32_t mark) {
  rlx_print_names_leave(&p->names, mark, is_symbol_in_scope, p);
}

// ---- symbolic variables

/// The number of a symbolic variable among those in scope, looked up in the map `at` of what `keys` has;
/// UINT32_MAX: it has none. What the map says of numbers that are gone is not heeded.
static uint32_t symbol_number(const RlxScriptPrinter *p, const RlxMap *at, const RlxSymVar *var) {
  uint64_t number = 0;
  const bool is_there = rlx_map_get(at, (uintptr_t)var, &number) && number < p->symbols.count;
  if (!is_there) return UINT32_MAX;
  const RlxSymVar *found =
      at == &p->symbol_at ? p->symbols.at[number] : p->symbol_names.at[number]->var;
  return found == var ? (uint32_t)number : UINT32_MAX;
}

bool rlx_print_knows_symbol(const RlxScriptPrinter *p, const RlxSymVar *var) {
  return symbol_number(p, &p->symbol_at, var) != UINT32_MAX;
}

void rlx_print_add_symbol(RlxScriptPrinter *p, const RlxSymVar *var, const RlxSymVar *printed) {
  rlx_map_put(&p->symbol_at, (uintptr_t)var, p->symbols.count);
  rlx_map_put(&p->printed_at, (uintptr_t)printed, p->symbols.count);
  rlx_vec_push(&p->symbols, var);
  rlx_vec_push(&p->symbol_names, rlx_prim_var(p->store, printed));
}

static void meet_symbol(RlxScriptPrinter *p, const RlxSymVar *var) {
  if (var->is_relax || var->is_stand_in || rlx_print_knows_symbol(p, var)) return;
  p->uses_t |= !p->in_signature || p->options.dialect != RLX_DIALECT_027; // else a TypeVar
  p->in_declaration = !p->in_signature;
  const char *hint = rlx_store_text(p->store, var->name), *name = rlx_print_define(p, var, hint);
  p->in_declaration = false;
  const RlxSymVar *printed = var;
  if (strcmp(name, hint) != 0)
    printed = rlx_symvar(p->store, var->scope, rlx_store_intern(p->store, name, strlen(name)),
                         var->dtype, false);
  rlx_print_add_symbol(p, var, printed);
}

void rlx_print_meet_symbols(RlxScriptPrinter *p, const RlxSymVar *const *vars, int count) {
  for (int i = 0; i < count; i++) meet_symbol(p, vars[i]);
}

typedef struct Renaming {
  const RlxSymVar *vars[RLX_PRINT_SYMBOLS_MAX];
  const RlxPrim *values[RLX_PRINT_SYMBOLS_MAX];
} Renaming;

/// The names that the `count` variables `vars` of a value are printed under; all names there are where the value
/// may have more variables than these.
static RlxSubst renaming(const RlxScriptPrinter *p, const RlxSymVar *const *vars, int count,
                         Renaming *room) {
  int found = 0;
  if (count == RLX_PRINT_SYMBOLS_MAX)
    return (RlxSubst){p->symbols.at, p->symbol_names.at, (int)p->symbols.count, false};
  for (int i = 0; i < count; i++) {
    const uint32_t number = symbol_number(p, &p->symbol_at, vars[i]);
    if (number == UINT32_MAX) continue;
    room->vars[found] = vars[i];
    room->values[found++] = p->symbol_names.at[number];
  }
  return (RlxSubst){room->vars, room->values, found, false};
}

/// In a signature a dimension over variables of this function is a string.
static bool is_quoted(const RlxPrim *value, void *data) {
  const RlxScriptPrinter *p = data;
  const RlxSymVar *vars[RLX_PRINT_SYMBOLS_MAX];
  int count = 0;
  rlx_prim_vars(value, vars, &count, RLX_PRINT_SYMBOLS_MAX);
  bool now = p->options.dialect == RLX_DIALECT_027;
  if (now && value->kind == RLX_PRIM_VAR) return false; // a TypeVar
  uint32_t known = now ? p->outer_symbols + p->param_symbols : p->outer_symbols;
  for (int i = 0; i < count; i++) {
    const bool is_outer = symbol_number(p, &p->printed_at, vars[i]) < known;
    if (!is_outer && !vars[i]->is_relax) return true;
  }
  return false;
}

const char *rlx_print_word(RlxScriptPrinter *p, RlxSpellingId id) {
  const char *cell = rlx_spelling_row(id)->cells[p->options.dialect];
  size_t size = strcspn(cell, " ");
  return rlx_store_text(p->store, rlx_store_intern(p->store, cell, size));
}

void rlx_print_sinfo(RlxScriptPrinter *p, const RlxSInfo *sinfo) {
  // What is written as Object needs no walk, and declares no variables.
  const bool is_long = sinfo->nodes > RLX_PRINT_LONG_NODES;
  if (sinfo->nodes > RLX_SINFO_SCRIPT_NODES || (is_long && p->long_bytes > RLX_PRINT_LONG_BYTES))
    sinfo = rlx_sinfo_object(p->store);
  const size_t before = p->out->size;
  const RlxSymVar *vars[RLX_PRINT_SYMBOLS_MAX];
  int count = 0;
  rlx_sinfo_vars(sinfo, vars, &count, RLX_PRINT_SYMBOLS_MAX);
  rlx_print_meet_symbols(p, vars, count);
  Renaming room;
  RlxSubst subst = renaming(p, vars, count, &room);
  RlxSInfoStyle style = rlx_dialect_sinfo_style(p->options.dialect);
  style.is_quoted = p->in_signature ? is_quoted : NULL;
  style.data = p;
  style.is_argument = p->in_argument;
  rlx_sinfo_print_styled(p->store, rlx_sinfo_subst(p->store, sinfo, &subst), &style, p->out);
  if (is_long) p->long_bytes += p->out->size - before;
}

/// What Python calls the number: as a name of its own.
static const RlxPrim *text_of_stand_in(RlxScriptPrinter *p, const RlxSymVar *var) {
  const char *text = rlx_store_text(p->store, var->name) + 1;
  const size_t size = strlen(text) - 1;
  bool is_name = true; // or members and items of one
  for (size_t i = 0; i < size; i++) is_name &= !strchr(" +-*/%", text[i]);
  RlxBuf name = {0};
  rlx_buf_printf(&name, is_name ? "%.*s" : "(%.*s)", (int)size, text);
  const RlxPrim *prim =
      rlx_prim_var(p->store, rlx_symvar(p->store, var->scope,
                                        rlx_store_intern(p->store, rlx_buf_text(&name), name.size),
                                        var->dtype, false));
  rlx_buf_free(&name);
  return prim;
}

void rlx_print_prim(RlxScriptPrinter *p, const RlxPrim *prim) {
  const RlxSymVar *vars[RLX_PRINT_SYMBOLS_MAX];
  int count = 0;
  rlx_prim_vars(prim, vars, &count, RLX_PRINT_SYMBOLS_MAX);
  rlx_print_meet_symbols(p, vars, count);
  Renaming room;
  RlxSubst subst = renaming(p, vars, count, &room);
  prim = rlx_prim_subst(p->store, prim, &subst, NULL);
  for (int i = 0; i < count; i++) {
    if (!vars[i]->is_stand_in) continue;
    const RlxPrim *text = text_of_stand_in(p, vars[i]);
    subst = (RlxSubst){&vars[i], &text, 1, false};
    prim = rlx_prim_subst(p->store, prim, &subst, NULL);
  }
  rlx_prim_print(p->store, prim, p->out);
}

void rlx_print_declare_symbols(RlxScriptPrinter *p, uint32_t from, uint32_t to, bool of_signature,
                               RlxBuf *out) {
  for (uint32_t i = from; i < to; i++) {
    const RlxSymVar *var = p->symbol_names.at[i]->var;
    char dtype[RLX_DTYPE_TEXT_MAX];
    if (p->options.dialect == RLX_DIALECT_027 && of_signature) {
      rlx_vec_push(&p->type_vars, rlx_mem_strdup(rlx_store_text(p->store, var->name)));
      continue;
    }
    rlx_buf_repeat(out, ' ', (size_t)p->indent * 4);
    rlx_buf_printf(out, "%s = T.%s()\n", rlx_store_text(p->store, var->name),
                   rlx_dtype_known(var->dtype) ? rlx_dtype_text(var->dtype, dtype) : "int64");
  }
}

// ---- text

void rlx_print_source(RlxScriptPrinter *p, RlxSpan span) {
  if (!p->stmt || span.end <= span.start || span.end > p->stmt->size)
    rlx_buf_puts(p->out, "...");
  else
    rlx_buf_putn(p->out, p->source + p->stmt->start + span.start, span.end - span.start);
}

void rlx_print_string(RlxBuf *out, const char *text) {
  rlx_text_put_string(out, text, strlen(text));
}
