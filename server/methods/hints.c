/// Inlay hints: the deduced StructInfo behind names that have no annotation. The work grows with
/// the number of statements in the window.
#include <string.h>

#include "analyzer/ask/backward.h"
#include "analyzer/ask/hints.h"
#include "analyzer/rewrite/normalize.h"
#include "server/methods/hints.h"

/// An answer with more bytes has no long tooltips: inlayHint/resolve gives them.
enum { ANSWER_MAX = 4 << 20 };

/// Appends what stands in a hint; false: in part.
static bool print_label(const RlxStore *store, const RlxSInfo *sinfo, const RlxJson *json,
                        RlxBuf *label) {
  bool is_full = json->out->size > ANSWER_MAX;
  return rlx_sinfo_print_upto(store, sinfo, is_full ? RLX_SINFO_TOLD_MAX : RLX_SINFO_TEXT_MAX,
                              label);
}

/// "f32" for float32, "i64", "u8", "bf16"; others as they are.
static void put_dtype(RlxDType dtype, RlxBuf *out) {
  static const struct {
    const char *whole, *letter;
  } names[] = {{"float", "f"}, {"bfloat", "bf"}, {"uint", "u"}, {"int", "i"}};
  char text[RLX_DTYPE_TEXT_MAX];
  rlx_dtype_text(dtype, text);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t n = strlen(names[i].whole);
    if (strncmp(text, names[i].whole, n) != 0 || text[n] < '0' || text[n] > '9') continue;
    rlx_buf_printf(out, "%s%s", names[i].letter, text + n);
    return;
  }
  rlx_buf_puts(out, text);
}

/// The short form of tensors and tuples of them: "(n, 8) f32", with "?" for what is not known of a
/// shape, "(?, ?) f32", or of a dtype, and "..." for a shape without its rank. False: there is none.
static bool put_short(const RlxStore *store, const RlxSInfo *s, int depth, RlxBuf *out) {
  if (s->kind == RLX_SINFO_TUPLE && depth < 8) {
    rlx_buf_puts(out, "(");
    for (int32_t i = 0; i < s->count; i++) {
      rlx_buf_puts(out, i ? ", " : "");
      if (!put_short(store, s->fields[i], depth + 1, out)) return false;
    }
    rlx_buf_puts(out, s->count == 1 ? ",)" : ")");
    return true;
  }
  const bool has_dtype = rlx_dtype_known(s->dtype);
  if (s->kind != RLX_SINFO_TENSOR || s->shape_var || s->vdevice || (s->ndim < 0 && !has_dtype))
    return false;
  rlx_buf_puts(out, s->ndim < 0 ? "(..." : "(");
  for (int i = 0; i < s->ndim; i++) {
    rlx_buf_puts(out, i ? ", " : "");
    if (s->dims)
      rlx_prim_tell(store, s->dims[i], out);
    else
      rlx_buf_putc(out, '?');
  }
  rlx_buf_puts(out, s->ndim == 1 ? ",) " : ") ");
  if (has_dtype)
    put_dtype(s->dtype, out);
  else
    rlx_buf_putc(out, '?');
  return true;
}

/// Writes the label of a StructInfo as the settings want it; `full` is `before` and the whole. The tooltip has what the
/// label has not: of ": " the StructInfo alone.
static void write_sinfo_label(const RlxHintWords *words, const RlxStore *store, const char *before,
                              const RlxBuf *full, bool is_whole, RlxJson *json) {
  enum { LONG = 24 };
  RlxBuf text = {0};
  rlx_buf_puts(&text, before);
  bool is_short =
      words->file->hint_form == 2 || (words->file->hint_form == 1 && full->size - text.size > LONG);
  is_short =
      is_short && is_whole && put_short(store, words->sinfo, 0, &text) && text.size < full->size;
  const RlxBuf *label = is_short ? &text : full;
  bool is_cut = rlx_write_hint_label(words, label, json);
  if ((is_cut || is_short) && (is_whole || json->out->size <= ANSWER_MAX))
    rlx_json_key_text(json, "tooltip", rlx_buf_text(full) + (*before == ':' ? 2 : 0));
  rlx_buf_free(&text);
}

static void write_hint(RlxServer *server, RlxOpenFile *file, const RlxStmt *stmt,
                       const RlxBinding *b, RlxJson *json) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  RlxBuf label = {0};
  rlx_buf_puts(&label, ": ");
  const bool is_whole = print_label(store, b->var->sinfo, json, &label);
  uint32_t at = rlx_stmt_absolute(stmt, b->var->span).end;
  rlx_json_begin(json, '{');
  rlx_json_key(json, "position");
  rlx_write_position(server, file->file, at, json);
  RlxHintWords words = {.server = server,
                        .file = file,
                        .stmt = stmt,
                        .sinfo = b->var->sinfo,
                        .is_in_part = !is_whole};
  write_sinfo_label(&words, store, ": ", &label, is_whole, json);
  rlx_json_key_int(json, "kind", 1); // Type
  if (is_whole && b->var->is_tainted != RLX_OPEN && stmt->kind == RLX_STMT_ASSIGN &&
      stmt->target_count == 1 &&
      stmt->targets[0]->kind == RLX_AST_NAME) { // accepting it writes it out
    rlx_json_key(json, "textEdits");
    rlx_json_begin(json, '[');
    rlx_write_text_edit(server, file->file, rlx_span(at, at), rlx_buf_text(&label), label.size,
                        json);
    rlx_json_end(json, ']');
  }
  rlx_write_hint_data(file, json);
  rlx_json_end(json, '}');
  rlx_buf_free(&label);
}

static void hints_of(RlxServer *server, RlxOpenFile *file, const RlxStmt *stmt, RlxJson *json) {
  bool has_target = stmt->kind == RLX_STMT_ASSIGN;
  RlxBinding *const *bindings;
  uint32_t count = 0;
  if (has_target) rlx_file_stmt_bindings(file->file, stmt, &bindings, &count);
  for (uint32_t i = 0; i < count; i++) {
    const RlxBinding *b = bindings[i];
    bool shown = b->var && !b->var->is_temporary && b->var->sinfo && !b->annotated &&
                 b->kind == RLX_BINDING_VAR && b->var->stmt == stmt;
    if (b->var && b->var->is_tainted && b->var->sinfo && b->var->sinfo->kind == RLX_SINFO_OBJECT)
      continue; // not deduced: an error says why
    if (shown) write_hint(server, file, stmt, b, json);
  }
}

/// A hint that is no part of the script; `before`: what stands before the StructInfo in its label, NULL: it is none.
static void write_note(const RlxHintWords *words, uint32_t at, const char *before,
                       const RlxBuf *label, RlxJson *json) {
  rlx_json_begin(json, '{');
  rlx_json_key(json, "position");
  rlx_write_position(words->server, words->file->file, at, json);
  if (before)
    write_sinfo_label(words, rlx_analyzer_store(words->server->analyzer), before, label, true,
                      json);
  else if (rlx_write_hint_label(words, label, json))
    rlx_json_key_text(json, "tooltip", rlx_buf_text(label));
  rlx_json_key_bool(json, "paddingLeft", true);
  rlx_write_hint_data(words->file, json);
  rlx_json_end(json, '}');
}

/// Hints that are no part of the script: beside what they speak about.
static void write_notes(RlxServer *server, RlxOpenFile *file, const RlxStmt *stmt, RlxJson *json) {
  RlxHints hints = {0};
  RlxArena *arena = rlx_arena_new_sized(256);
  rlx_file_runtime_checks(file->file, stmt, arena, &hints);
  RlxHintWords words = {.server = server, .file = file, .stmt = stmt};
  for (uint32_t i = 0; i < hints.count; i++) {
    RlxBuf label = {0};
    rlx_buf_puts(&label, hints.at[i].text);
    write_note(&words, hints.at[i].at, NULL, &label, json);
    rlx_buf_free(&label);
  }
  rlx_vec_free(&hints);
  rlx_arena_free(arena);
}

/// What later uses require of the variables bound in the window.
static void write_required(RlxServer *server, RlxOpenFile *file, RlxSpan window, RlxJson *json) {
  RlxStore *store = rlx_analyzer_store(server->analyzer);
  RlxFunctionViews views = {0};
  RlxBackwards all = {0};
  RlxArena *arena = rlx_arena_new();
  rlx_file_functions(file->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxStmt *def = views.at[i].stmt;
    if (views.at[i].kind == RLX_ISLAND_RELAX && def->start < window.end &&
        def->start + def->size > window.start)
      rlx_file_backward(file->file, def, &all);
  }
  for (uint32_t i = 0; i < all.count; i++) {
    const RlxBackward *one = &all.at[i];
    uint32_t at = rlx_stmt_absolute(one->var->named_in, one->var->span).end;
    if (one->var->is_temporary || at < window.start || at > window.end) continue;
    RlxHintWords words = {.server = server,
                          .file = file,
                          .stmt = one->var->named_in,
                          .sinfo = one->may ? one->may : one->must};
    RlxBuf label = {0}; // the finer of the two: hover has both
    const char *before = one->may ? "may be " : "must be ";
    rlx_buf_puts(&label, before);
    rlx_sinfo_tell(store, words.sinfo, &label);
    write_note(&words, at, before, &label, json);
    rlx_buf_free(&label);
  }
  rlx_vec_free(&all);
  rlx_vec_free(&views);
  rlx_arena_free(arena);
}

/// Names that normal form gives the nested calls of a statement, in front of them. `*names` is kept
/// for the statements of one island.
static void write_temporaries(RlxServer *server, RlxOpenFile *file, const RlxStmt *stmt,
                              RlxTemporaryNames **names, RlxJson *json) {
  RlxBinding *const *bindings;
  uint32_t count = 0;
  rlx_file_stmt_bindings(file->file, stmt, &bindings, &count);
  for (uint32_t i = 0; i < count; i++) {
    const RlxBinding *b = bindings[i];
    if (!b->var->is_temporary || b->span.end <= b->span.start) continue;
    if (!rlx_temporary_names_are_of(*names, stmt)) {
      rlx_temporary_names_free(*names);
      *names = rlx_temporary_names(file->file, stmt, false);
    }
    const char *name = *names ? rlx_temporary_name(*names, b->var) : NULL;
    if (!name) continue;
    RlxBuf label = {0};
    rlx_buf_printf(&label, "%s =", name);
    rlx_json_begin(json, '{');
    rlx_json_key(json, "position");
    rlx_write_position(server, file->file, rlx_stmt_absolute(stmt, b->span).start, json);
    rlx_json_key_text(json, "label", rlx_buf_text(&label));
    rlx_json_key_bool(json, "paddingRight", true);
    rlx_json_end(json, '}');
    rlx_buf_free(&label);
  }
}

static uint32_t first_reaching(const RlxBlock *block, uint32_t offset) {
  uint32_t low = 0,
           high = block->count; // statements are in order: the first that ends behind `offset`
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (block->stmts[mid]->start + block->stmts[mid]->size <= offset)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static void walk(RlxServer *server, RlxOpenFile *file, const RlxBlock *block, RlxSpan window,
                 int depth, RlxTemporaryNames **names, RlxJson *json) {
  if (!block || depth > 200) return;
  for (uint32_t i = first_reaching(block, window.start);
       i < block->count && block->stmts[i]->start < window.end; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (file->hints) hints_of(server, file, stmt, json);
    if (file->form_hints) write_temporaries(server, file, stmt, names, json);
    if (file->check_hints) write_notes(server, file, stmt, json);
    if (file->argument_hints != RLX_ARGUMENT_HINTS_OFF)
      rlx_server_argument_hints(server, file, stmt, json);
    walk(server, file, stmt->body, window, depth + 1, names, json);
    walk(server, file, stmt->orelse, window, depth + 1, names, json);
  }
}

RlxRpcCode rlx_lsp_inlay_hint(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  RlxSpan window;
  if (!file || !rlx_range_offsets(server, file->file, rlx_json_get(params, "range"), &window))
    return RLX_RPC_INVALID_PARAMS;
  rlx_json_begin(result, '[');
  if (file->hints || file->form_hints || file->check_hints || file->backward ||
      file->argument_hints != RLX_ARGUMENT_HINTS_OFF) {
    if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
      return RLX_RPC_CONTENT_MODIFIED;
    RlxTemporaryNames *names = NULL;
    walk(server, file, rlx_document_root(rlx_file_document(file->file)), window, 0, &names, result);
    rlx_temporary_names_free(names);
    if (file->backward) write_required(server, file, window, result);
  }
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}
