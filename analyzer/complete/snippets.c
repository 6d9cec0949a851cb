/// Pieces of script as offers: skeletons from snippets.def, and calls of the file's PrimFuncs with
/// their results filled in.
#include <string.h>

#include "analyzer/complete/complete_impl.h"

static const struct {
  const char *label, *text, *what;
  RlxPlace place;
} rows[] = {
#define RLX_SNIPPET(label, place, text, what) {label, text, what, RLX_PLACE_##place},
#include "analyzer/complete/snippets.def"
#undef RLX_SNIPPET
};

static bool is_new(const RlxComplete *c) {
  return c->dialect == RLX_DIALECT_025 || c->dialect == RLX_DIALECT_027;
}

/// Whether a namespace of scripts begins at `at` in `text`.
static bool is_root(const char *text, const char *at) {
  return strchr("IRT", *at) && at[1] == '.' && (at == text || !rlx_text_in_name(at[-1]));
}

/// The text in the dialect's words and with the file's names of the namespaces; behind the `@` of a
/// decorator without its own. Appends to `roots` the namespaces that it mentions.
static const char *filled(const RlxComplete *c, const char *text, RlxBuf *roots) {
  RlxBuf out = {0};
  bool is_missing;
  if (c->cursor.is_decorator && *text == '@') text++;
  for (const char *at = text; *at; at++) {
    if (!strncmp(at, "{prim}", 6)) {
      if (!(c->cursor.is_decorator && at == text)) rlx_buf_putc(&out, '@');
      rlx_buf_printf(&out, "%s.prim_func%s", rlx_complete_root(c, 'T', &is_missing),
                     is_new(c) ? "(s_tir=True)" : "");
      rlx_buf_putc(roots, 'T');
      at += 5;
    } else if (is_root(text, at)) {
      rlx_buf_puts(&out, rlx_complete_root(c, *at, &is_missing));
      rlx_buf_putc(roots, *at);
    } else if (!strncmp(at, "{block}", 7)) {
      rlx_buf_puts(&out, is_new(c) ? "sblock" : "block");
      at += 6;
    } else if (*at == '\t') {
      rlx_buf_puts(&out, "    ");
    } else {
      rlx_buf_putc(&out, *at);
    }
  }
  while (out.size && out.at[out.size - 1] == '\n') rlx_buf_truncate(&out, out.size - 1);
  const char *kept = rlx_arena_strdup(c->out->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return kept;
}

const char *rlx_complete_own_words(const RlxComplete *c, const char *text) {
  RlxBuf roots = {0};
  const char *own = filled(c, text, &roots);
  rlx_buf_free(&roots);
  return own;
}

/// What a snippet's syntax reads as something else.
static void put_plain(RlxBuf *out, const char *text) {
  for (; *text; text++) {
    if (strchr("$}\\", *text)) rlx_buf_putc(out, '\\');
    rlx_buf_putc(out, *text);
  }
}

/// How many parameters there are up to the last tensor; 0: none is.
static int to_result(const RlxFn *fn) {
  const RlxSInfo *func = fn->function.sinfo;
  int last = func && func->kind == RLX_SINFO_FUNC && func->params ? func->count : 0;
  while (last > 0 && func->params[last - 1]->kind != RLX_SINFO_TENSOR) last--;
  return last;
}

const RlxSInfo *rlx_complete_result(const RlxFn *fn) {
  int last = fn->kind == RLX_ISLAND_PRIM_FUNC ? to_result(fn) : 0;
  return last ? fn->function.sinfo->params[last - 1] : NULL;
}

/// The call of a PrimFunc: inputs to be filled in, the result as its last buffer has it.
static void offer_call(RlxComplete *c, const RlxFn *fn, bool has_root) {
  const RlxSInfo *func = fn->function.sinfo;
  const int last = to_result(fn);
  if (!last) return;
  const RlxParams taken = rlx_taken_params(fn->stmt);
  const char *name = rlx_store_text(c->store, fn->stmt->name);
  const char *module = fn->module ? rlx_complete_own_module(c) : NULL;
  const char *space = module ? rlx_arena_printf(c->out->arena, "%s.", module) : "";
  const char *label =
      rlx_arena_printf(c->out->arena, "%scall_tir(%s%s, …)", has_root ? "" : "R.", space, name);
  const char *word = rlx_arena_printf(c->out->arena, "call_tir %s", name);
  if (!rlx_complete_fits(c, word)) return;
  RlxBuf text = {0}, sinfo = {0};
  rlx_buf_printf(&text, "%scall_tir(%s%s, (", has_root ? "" : "R.", space, name);
  for (int i = 0; i < last - 1; i++)
    rlx_buf_printf(&text, "%s${%d:%s}", i ? ", " : "", i + 1,
                   (uint32_t)i < taken.count ? rlx_store_text(c->store, taken.at[i].name) : "x");
  if (last == 2) rlx_buf_putc(&text, ',');
  rlx_sinfo_tell(c->store, func->params[last - 1], &sinfo);
  rlx_buf_printf(&text, "), %s=", rlx_op_param_word("out_sinfo", c->dialect == RLX_DIALECT_027));
  put_plain(&text, rlx_buf_text(&sinfo));
  rlx_buf_puts(&text, ")$0");
  RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_SNIPPET, rlx_complete_own_words(c, label));
  offer->insert = rlx_complete_own_words(c, rlx_buf_text(&text));
  offer->filter = word;
  offer->is_snippet = true;
  offer->detail = "a call of this PrimFunc, with what it gives";
  rlx_buf_free(&text);
  rlx_buf_free(&sinfo);
}

static void offer_calls(RlxComplete *c, bool has_root) {
  for (uint32_t i = 0; i < c->file->fns.count; i++) {
    const RlxFn *fn = c->file->fns.at[i];
    if (fn->kind == RLX_ISLAND_PRIM_FUNC && fn->module == c->fn->module)
      offer_call(c, fn, has_root);
  }
}

void rlx_offer_snippets(RlxComplete *c) {
  if (!c->snippets) return;
  RlxPlace place = rlx_complete_place(c);
  bool has_root = c->cursor.path.start < c->cursor.path.end;
  if (place == RLX_PLACE_RELAX && (!c->cursor.depth || has_root)) offer_calls(c, has_root);
  if (has_root || !(c->cursor.is_first || c->cursor.is_decorator)) return;
  if (place == RLX_PLACE_PYTHON) place = RLX_PLACE_TOP; // a function that makes a module
  RlxBuf roots = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    rlx_buf_truncate(&roots, 0);
    const char *label = filled(c, rows[i].label, &roots);
    if (rows[i].place != place || !rlx_complete_fits(c, label)) continue;
    if (c->cursor.is_decorator && rows[i].text[0] != '@' && rows[i].text[0] != '{') continue;
    RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_SNIPPET, label);
    offer->insert = filled(c, rows[i].text, &roots);
    offer->import = rlx_complete_import(c, rlx_buf_text(&roots));
    offer->is_snippet = true;
    offer->detail = rows[i].what;
  }
  rlx_buf_free(&roots);
}
