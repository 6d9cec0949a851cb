/// Places, findings and other facts about scripts as JSON: one form for the server and the
/// commands.
#include "server/session/script_json.h"

#include "base/text.h"

static void dims(RlxJson *json, const RlxStore *store, const RlxPrim *const *values, int count) {
  if (!values && count != 0) {
    rlx_json_null(json);
    return;
  }
  rlx_json_begin(json, '[');
  RlxBuf text = {0};
  for (int i = 0; i < count; i++) {
    rlx_buf_clear(&text);
    rlx_prim_print(store, values[i], &text);
    rlx_json_text(json, rlx_buf_text(&text));
  }
  rlx_buf_free(&text);
  rlx_json_end(json, ']');
}

static void dtype(RlxJson *json, RlxDType t) {
  char text[RLX_DTYPE_TEXT_MAX];
  rlx_json_key(json, "dtype");
  if (rlx_dtype_known(t))
    rlx_json_text(json, rlx_dtype_text(t, text));
  else
    rlx_json_null(json);
}

static void tensor(RlxJson *json, const RlxStore *store, const RlxSInfo *s) {
  rlx_json_key(json, "shape");
  dims(json, store, s->dims, s->dims ? s->ndim : -1);
  rlx_json_key_int(json, "ndim", s->ndim);
  dtype(json, s->dtype);
  if (s->shape_var) rlx_json_key_text(json, "shape_var", rlx_store_text(store, s->shape_var->name));
  if (s->vdevice) {
    rlx_json_key(json, "vdevice");
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "target", rlx_store_text(store, s->vdevice->target));
    rlx_json_key_int(json, "id", s->vdevice->id);
    rlx_json_key_text(json, "scope", rlx_store_text(store, s->vdevice->scope));
    rlx_json_end(json, '}');
  }
}

static void prim(RlxJson *json, const RlxStore *store, const RlxSInfo *s) {
  dtype(json, s->dtype);
  rlx_json_key(json, "value");
  if (!s->value) {
    rlx_json_null(json);
    return;
  }
  RlxBuf text = {0};
  rlx_prim_print(store, s->value, &text);
  rlx_json_text(json, rlx_buf_text(&text));
  rlx_buf_free(&text);
}

static void list(RlxJson *json, const RlxStore *store, const RlxSInfo *const *items, int count) {
  rlx_json_begin(json, '[');
  for (int i = 0; i < count; i++) rlx_json_sinfo(json, store, items[i]);
  rlx_json_end(json, ']');
}

static void func(RlxJson *json, const RlxStore *store, const RlxSInfo *s) {
  rlx_json_key(json, "params");
  if (s->params || s->count)
    list(json, store, s->params, s->count);
  else if (s->derive || s->purity == RLX_IMPURE)
    rlx_json_null(json);
  else
    rlx_json_null(json);
  rlx_json_key(json, "ret");
  rlx_json_sinfo(json, store, s->ret);
  rlx_json_key_bool(json, "purity", s->purity == RLX_PURE);
}

void rlx_json_sinfo(RlxJson *json, const RlxStore *store, const RlxSInfo *s) {
  static const char *const kinds[] = {"object", "prim", "shape",   "tensor",
                                      "tuple",  "func", "dtensor", "extension"};
  if (!s) {
    rlx_json_null(json);
    return;
  }
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "kind", kinds[s->kind]);
  switch ((RlxSInfoKind)s->kind) {
  case RLX_SINFO_OBJECT: break;
  case RLX_SINFO_EXTENSION:
    rlx_json_key_text(json, "name", rlx_extension_row((RlxExtension)s->extension)->name);
    rlx_json_key(json, "parts");
    rlx_json_begin(json, '[');
    for (int i = 0; i < s->count; i++)
      rlx_json_text(json, s->parts[i] ? rlx_store_text(store, s->parts[i]->name) : NULL);
    rlx_json_end(json, ']');
    break;
  case RLX_SINFO_PRIM: prim(json, store, s); break;
  case RLX_SINFO_SHAPE:
    rlx_json_key(json, "values");
    dims(json, store, s->dims, s->dims ? s->ndim : s->ndim == 0 ? 0 : -1);
    rlx_json_key_int(json, "ndim", s->ndim);
    break;
  case RLX_SINFO_TENSOR: tensor(json, store, s); break;
  case RLX_SINFO_TUPLE:
    rlx_json_key(json, "fields");
    list(json, store, s->fields, s->count);
    break;
  case RLX_SINFO_FUNC: func(json, store, s); break;
  case RLX_SINFO_DTENSOR:
    rlx_json_key(json, "tensor");
    rlx_json_sinfo(json, store, s->tensor);
    rlx_json_key_text(json, "mesh", rlx_store_text(store, s->mesh));
    rlx_json_key_text(json, "placement", rlx_store_text(store, s->placement));
    break;
  }
  rlx_json_end(json, '}');
}

void rlx_json_sinfo_text(RlxJson *json, const RlxStore *store, const RlxSInfo *sinfo) {
  RlxBuf text = {0};
  if (sinfo) rlx_sinfo_print(store, sinfo, &text);
  rlx_json_text(json, rlx_buf_text(&text));
  rlx_buf_free(&text);
}

RlxScriptPlace rlx_text_place(const char *text, const RlxLines *lines, uint32_t offset) {
  RlxLineColumn at = rlx_lines_locate(lines, offset);
  uint32_t start = rlx_lines_start(lines, at.line);
  return (RlxScriptPlace){at.line,
                          rlx_utf16_from_bytes(text + start, lines->size_bytes - start, at.column)};
}

RlxScriptPlace rlx_script_place(const RlxDocument *document, uint32_t offset) {
  uint32_t size = 0;
  return rlx_text_place(rlx_document_text(document, &size), rlx_document_lines(document), offset);
}

void rlx_json_place(RlxJson *json, RlxScriptPlace at) {
  rlx_json_one_place(json, at.line, at.character);
}

void rlx_json_places(RlxJson *json, RlxScriptPlace start, RlxScriptPlace end) {
  rlx_json_two_places(json, (uint32_t[]){start.line, start.character},
                      (uint32_t[]){end.line, end.character});
}

void rlx_json_text_range(RlxJson *json, const char *text, const RlxLines *lines, RlxSpan span) {
  rlx_json_places(json, rlx_text_place(text, lines, span.start),
                  rlx_text_place(text, lines, span.end));
}

void rlx_json_range(RlxJson *json, const RlxDocument *document, RlxSpan span) {
  uint32_t size = 0;
  rlx_json_text_range(json, rlx_document_text(document, &size), rlx_document_lines(document), span);
}

static void maybe_text(RlxJson *json, const char *key, const char *text) {
  if (text) rlx_json_key_text(json, key, text);
}

void rlx_json_why(RlxJson *json, const RlxStore *store, const RlxDocument *document,
                  const RlxWhySteps *steps) {
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < steps->count; i++) {
    const RlxWhyStep *step = &steps->at[i];
    rlx_json_begin(json, '{');
    rlx_json_key_int(json, "depth", step->depth);
    maybe_text(json, "kind", rlx_why_kind_text((RlxWhyKind)step->kind));
    maybe_text(json, "role", step->role);
    maybe_text(json, "name", step->name);
    if (step->sinfo) {
      rlx_json_key(json, "struct_info");
      rlx_json_sinfo_text(json, store, step->sinfo);
    }
    maybe_text(json, "operator", step->op ? step->op->registry : NULL);
    maybe_text(json, "note", step->note);
    if (step->has_place) {
      rlx_json_key(json, "range");
      rlx_json_range(json, document, step->place);
    }
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}
