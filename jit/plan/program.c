/// A program: the functions of a file by name, and where in them a step is.
#include <string.h>

#include "analyzer/script/script.h"
#include "jit/plan/plan.h"

RlxPrimFunc *rlx_program_lower(RlxProgram *program, const RlxStmt *def) {
  return rlx_file_primfunc_inlined(program->file, def);
}

/// The text of `global_symbol` where it is one, in the PrimFunc's arena; NULL.
static const char *symbol_of(const RlxProgram *program, const RlxPrimFunc *f) {
  for (int i = 0; f && i < f->attr_count; i++) {
    const RlxTirExpr *v = f->attrs[i].value;
    if (v && v->kind == RLX_TIR_STRING &&
        !strcmp(rlx_store_text(program->store, f->attrs[i].key), "global_symbol"))
      return rlx_arena_printf(f->arena, "%.*s", (int)v->text_size, v->text);
  }
  return NULL;
}

/// The function, which is read when it is asked for first.
static Entry *entry_of(RlxProgram *program, const RlxFunctionView *v) {
  for (uint32_t i = 0; i < program->entries.count; i++)
    if (program->entries.at[i]->stmt == v->stmt) return program->entries.at[i];
  Entry *entry = rlx_arena_one(program->arena, Entry);
  *entry = (Entry){.name = v->name, .kind = v->kind, .stmt = v->stmt, .program = program};
  if (v->kind == RLX_ISLAND_PRIM_FUNC) {
    entry->prim = rlx_program_lower(program, v->stmt);
    entry->symbol = symbol_of(program, entry->prim);
  }
  rlx_vec_push(&program->entries, entry);
  return entry;
}

Entry *rlx_program_symbol(RlxProgram *program, RlxName name) {
  const char *text = rlx_store_text(program->store, name);
  Entry *named = NULL;
  for (uint32_t i = 0; i < program->views.count; i++) {
    if (program->views.at[i].kind != RLX_ISLAND_PRIM_FUNC) continue;
    Entry *entry = entry_of(program, &program->views.at[i]);
    if (entry->symbol && !strcmp(entry->symbol, text)) return entry;
    if (entry->name == name) named = entry;
  }
  return named;
}

Entry *rlx_program_entry(RlxProgram *program, RlxName name) {
  const RlxFunctionView *view =
      rlx_function_view(program->store, &program->views, rlx_store_text(program->store, name));
  return view ? entry_of(program, view) : NULL;
}

Entry *rlx_program_callee(RlxProgram *program, const RlxExpr *global) {
  const RlxFunctionView *view = rlx_function_view_in(&program->views, global->module, global->name);
  return view ? entry_of(program, view) : rlx_program_entry(program, global->name);
}

void rlx_program_locate(const RlxProgram *program, const void *step, RlxBuf *out) {
  for (uint32_t i = 0; i < program->plans.count; i++) {
    const Plan *plan = program->plans.at[i];
    for (uint32_t k = 0; k < plan->steps.count; k++) {
      const Step *s = &plan->steps.at[k];
      if (s != step) continue;
      rlx_buf_printf(out, "%s", plan->name);
      if (s->binding)
        rlx_buf_printf(out, ": %s", rlx_store_text(program->store, s->binding->var->name));
      if (s->text)
        rlx_buf_printf(out, " = %s", s->text);
      else if (s->call && s->call->row && !*s->call->row->script) // x.shape[0] and its kin
        rlx_buf_printf(out, " = %s", s->call->row->registry);
      else if (s->call && s->call->row)
        rlx_buf_printf(out, " = R.%s", s->call->row->script);
      else if (s->callee)
        rlx_buf_printf(out, " = %s", rlx_store_text(program->store, s->callee->name));
      return;
    }
  }
}
