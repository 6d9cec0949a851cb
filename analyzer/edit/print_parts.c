/// The parts that all files of the printer write: names, symbolic variables and what is said with
/// them, string literals, the script's own words. Always true: two things in scope have two names.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/edit/print_impl.h"
#include "base/mem.h"
#include "base/text.h"

// ---- names

static bool is_taken(const RlxScriptPrinter *p, const char *text) {
  static const char *const of_tvm[] = {"I", "R", "T", "cls"};
  for (size_t i = 0; i < sizeof of_tvm / sizeof of_tvm[0]; i++)
    if (strcmp(of_tvm[i], text) == 0) return true;
  for (uint32_t i = 0; p->in_declaration && i < p->type_vars.count; i++)
    if (strcmp(p->type_vars.at[i], text) == 0) return true; // 0.27 reads it as that one
  return rlx_strmap_get(&p->taken, text, strlen(text), NULL);
}

const char *rlx_print_define(RlxScriptPrinter *p, const void *key, const char *hint) {
  char text[300], base[256];
  snprintf(base, sizeof base, "%.250s", *hint ? hint : "v");
  snprintf(text, sizeof text, "%s", base);
  if (is_taken(p, text)) {
    uint64_t number = 1;
    rlx_strmap_get(&p->tried, base, strlen(base), &number);
    for (;; number++) {
      snprintf(text, sizeof text, "%s_%llu", base, (unsigned long long)number);
      if (!is_taken(p, text)) break;
    }
    if (!p->in_declaration || !p->type_vars.count)
      rlx_strmap_put(&p->tried, base, strlen(base), number);
  }
  rlx_vec_push(&p->names, (RlxPrintName){key, rlx_mem_strdup(text)});
  rlx_strmap_put(&p->taken, text, strlen(text), 1);
  rlx_map_put_ptr(&p->texts, key, rlx_vec_last(&p->names).text);
  return rlx_vec_last(&p->names).text;
}

const char *rlx_print_var(RlxScriptPrinter *p, const RlxVar *var) {
  const char *known = rlx_map_get_ptr(&p->texts, var);
  return known ? known : rlx_print_define(p, var, rlx_store_text(p->store, var->name));
}

/// The number behind a name gets free: its hint may be tried from there again.
static void free_number(RlxScriptPrinter *p, const char *text) {
  const char *number = strrchr(text, '_');
  uint64_t tried;
  if (!number || !rlx_strmap_get(&p->tried, text, (size_t)(number - text), &tried)) return;
  uint64_t freed = strtoull(number + 1, NULL, 10);
  if (freed && freed < tried) rlx_strmap_put(&p->tried, text, (size_t)(number - text), freed);
}

void rlx_print_leave_names(RlxScriptPrinter *p, uint32_t mark, uint32_t symbols) {
  uint32_t kept = mark;
  for (uint32_t i = mark; i < p->names.count; i++) {
    RlxPrintName name = p->names.at[i];
    bool stays = false;
    for (uint32_t k = 0; k < symbols && !stays; k++) stays = p->symbols.at[k] == name.key;
    if (stays) {
      p->names.at[kept++] = name;
      continue;
    }
    rlx_strmap_remove(&p->taken, name.text, strlen(name.text));
    free_number(p, name.text);
    if (rlx_map_get_ptr(&p->texts, name.key) == name.text) rlx_map_remove_ptr(&p->texts, name.key);
    free(name.text);
  }
  p->names.count = kept;
}

// ---- symbolic variables

bool rlx_print_knows_symbol(const RlxScriptPrinter *p, const RlxSymVar *var) {
  for (uint32_t i = 0; i < p->symbols.count; i++)
    if (p->symbols.at[i] == var) return true;
  return false;
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
  rlx_vec_push(&p->symbols, var);
  rlx_vec_push(&p->symbol_names, rlx_prim_var(p->store, printed));
}

void rlx_print_meet_symbols(RlxScriptPrinter *p, const RlxSymVar *const *vars, int count) {
  for (int i = 0; i < count; i++) meet_symbol(p, vars[i]);
}

static RlxSubst renaming(const RlxScriptPrinter *p) {
  return (RlxSubst){p->symbols.at, p->symbol_names.at, (int)p->symbols.count, false};
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
    bool is_outer = false;
    for (uint32_t k = 0; k < known; k++) is_outer |= p->symbol_names.at[k]->var == vars[i];
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
  RlxSubst subst = renaming(p);
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
  RlxSubst subst = renaming(p);
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
