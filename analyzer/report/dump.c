/// Bindings with their places and StructInfo, then diagnostics. See dump.h.
#include "analyzer/report/dump.h"
#include "analyzer/ask/assemble.h"
#include "analyzer/function/files.h"
#include "analyzer/report/report.h"

static void body(RlxFile *file, const RlxBody *b, int depth, RlxBuf *out) {
  const RlxStore *store = rlx_document_store(rlx_file_document(file));
  for (uint32_t i = 0; i < b->block_count; i++) {
    rlx_buf_printf(out, "%*s%s\n", depth, "", b->blocks[i].is_dataflow ? "dataflow" : "block");
    for (uint32_t k = 0; k < b->blocks[i].count; k++) {
      const RlxBinding *binding = b->blocks[i].bindings[k];
      const RlxVar *var = binding->var;
      RlxSpan span = rlx_stmt_absolute(binding->stmt, binding->span);
      rlx_buf_printf(out, "%*s %s%s%s%s [%u,%u): ", depth, "", rlx_store_text(store, var->name),
                     var->is_dataflow ? " df" : "", var->is_tainted ? " tainted" : "",
                     binding->kind == RLX_BINDING_MATCH_CAST ? " cast" : "", span.start, span.end);
      rlx_sinfo_print(store, var->sinfo, out);
      rlx_buf_puts(out, " = ");
      if (binding->deduced) rlx_sinfo_print(store, binding->deduced, out);
      rlx_buf_printf(out, " kind %d\n", binding->value->kind);
      if (binding->value->kind == RLX_EXPR_IF) {
        body(file, &binding->value->branches[0], depth + 2, out);
        body(file, &binding->value->branches[1], depth + 2, out);
      } else if (binding->value->kind == RLX_EXPR_FUNCTION)
        body(file, &binding->value->function->body, depth + 2, out);
    }
  }
  rlx_buf_printf(out, "%*sresult kind %d: ", depth, "", b->result->kind);
  rlx_sinfo_print(store, b->result->sinfo, out);
  rlx_buf_putc(out, '\n');
}

/// The related places and the fixes of a diagnostic.
static void notes(const RlxFileDiag *d, RlxBuf *out) {
  for (uint32_t i = 0; i < d->diag->related_count; i++) {
    RlxSpan at = rlx_file_diag_related(d, i);
    rlx_buf_printf(out, "  at [%u,%u): %s\n", at.start, at.end, d->diag->related[i].message);
  }
  for (uint32_t i = 0; i < d->diag->fix_count; i++) {
    const RlxFix *fix = &d->diag->fixes[i];
    rlx_buf_printf(out, "  fix: %s\n", fix->title);
    for (uint32_t k = 0; k < fix->edit_count; k++) {
      RlxSpan at = rlx_file_diag_edit(d, fix, k);
      rlx_buf_printf(out, "    [%u,%u) becomes '%s'\n", at.start, at.end, fix->edits[k].text);
    }
  }
}

void rlx_file_dump(RlxFile *file, RlxBuf *out) {
  const RlxStore *store = rlx_document_store(rlx_file_document(file));
  RlxFunctionViews views = {0};
  rlx_file_functions(file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    rlx_buf_printf(out, "function %s.%s kind %d: ", rlx_store_text(store, views.at[i].module),
                   rlx_store_text(store, views.at[i].name), views.at[i].kind);
    if (views.at[i].declared) rlx_sinfo_print(store, views.at[i].declared, out);
    rlx_buf_putc(out, ' ');
    if (views.at[i].function) {
      RlxArena *arena = rlx_arena_new();
      const RlxFunction *fn = rlx_file_function_ir(file, views.at[i].stmt, arena);
      if (fn->sinfo) rlx_sinfo_print(store, fn->sinfo, out);
      if (fn->ret) rlx_buf_puts(out, " -> "), rlx_sinfo_print(store, fn->ret, out);
      rlx_buf_putc(out, '\n');
      const RlxFunction *seen = views.at[i].function; // what code lenses read
      for (uint32_t k = 0; k < seen->param_count; k++) {
        rlx_buf_printf(out, " parameter %s: ", rlx_store_text(store, seen->params[k]->name));
        if (seen->params[k]->sinfo) rlx_sinfo_print(store, seen->params[k]->sinfo, out);
        rlx_buf_putc(out, '\n');
      }
      body(file, &fn->body, 1, out);
      rlx_arena_free(arena);
    } else
      rlx_buf_putc(out, '\n');
  }
  rlx_vec_free(&views);
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    if (diags.at[i].diag->id == RLX_DIAG_ID(SYNTAX))
      continue; // the document's, which has its own dump
    rlx_buf_printf(out, "[%u,%u) %s %d: %s\n", diags.at[i].span.start, diags.at[i].span.end,
                   rlx_diag_row(diags.at[i].diag->id)->code, diags.at[i].diag->severity,
                   diags.at[i].diag->message);
    notes(&diags.at[i], out);
  }
  rlx_vec_free(&diags);
}
