/// Offers of numbers: the places of a tuple's fields and of a shape's dimensions, the axes of the tensor that an operator is given.
#include <string.h>

#include "analyzer/complete/complete_impl.h"
#include "base/text.h"

static const RlxBracket *innermost(const RlxComplete *c) {
  return c->cursor.depth ? &c->cursor.brackets[c->cursor.depth - 1] : NULL;
}

static const char *dim_text(const RlxComplete *c, const RlxSInfo *tensor, int axis) {
  RlxBuf text = {0};
  const char *kept = NULL;
  if (tensor->dims && rlx_prim_tell(c->store, tensor->dims[axis], &text))
    kept = rlx_arena_strdup(c->out->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return kept;
}

static void offer_number(RlxComplete *c, int number, uint32_t place, const char *detail) {
  const char *label = rlx_arena_printf(c->out->arena, "%d", number);
  if (!rlx_complete_fits(c, label)) return;
  RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_VALUE, label);
  offer->detail = detail;
  offer->rank += place;
}

enum { MOST = 32 };

/// `x` of `x.shape`, where that is all that the span has; empty: it is something else.
static RlxSpan shape_of(const RlxComplete *c, RlxSpan span) {
  static const char word[] = ".shape";
  const uint32_t size = sizeof word - 1, end = span.end - size;
  if (span.end - span.start <= size || memcmp(c->cursor.text + end, word, size) != 0)
    return (RlxSpan){0};
  return memchr(c->cursor.text + span.start, '.', end - span.start) ? (RlxSpan){0}
                                                                    : rlx_span(span.start, end);
}

/// The places of `(x, w)[`, with what stands there.
static void offer_places_of_tuple(RlxComplete *c, const RlxBracket *tuple) {
  const char *text = c->cursor.text;
  const uint32_t last = c->cursor.closed_end - 1;
  uint32_t from = tuple->at + 1;
  for (int place = 0; place < MOST && from < last; place++) {
    int depth = 0;
    uint32_t end = from;
    for (; end < last && (depth || text[end] != ','); end++) {
      depth += strchr("([{", text[end]) != NULL;
      depth -= strchr(")]}", text[end]) != NULL;
    }
    while (from < end && strchr(" \t\r\n", text[from])) from++;
    if (from == end) return; // behind the last comma
    const RlxSpan item = rlx_span(from, end);
    const RlxSInfo *sinfo = rlx_scope_sinfo(c, item);
    offer_number(c, place, (uint32_t)place,
                 sinfo ? rlx_complete_sinfo_text(c, sinfo) : rlx_complete_text(c, item));
    from = end + 1;
  }
}

static void offer_fields(RlxComplete *c, const RlxSInfo *tuple) {
  for (int i = 0; i < tuple->count && i < MOST; i++)
    offer_number(c, i, (uint32_t)i, rlx_complete_sinfo_text(c, tuple->fields[i]));
}

/// Places where what a bracket ends is indexed: a call or a tuple. Nothing else stands there.
static void offer_places_of_result(RlxComplete *c) {
  const RlxBracket *closed = &c->cursor.closed;
  const RlxSInfo *sinfo = rlx_complete_result_before(c);
  const bool is_tuple = closed->open == '(' && closed->callee.start == closed->callee.end;
  if (is_tuple && closed->argument)
    offer_places_of_tuple(c, closed);
  else if (sinfo && sinfo->kind == RLX_SINFO_TUPLE)
    offer_fields(c, sinfo);
}

bool rlx_offer_indices(RlxComplete *c) {
  const RlxBracket *b = innermost(c);
  if (!b || b->open != '[' || !c->fn || c->fn->kind != RLX_ISLAND_RELAX) return false;
  const bool is_behind = c->cursor.closed_end && c->cursor.closed_end == b->at;
  if (is_behind) offer_places_of_result(c);
  if (is_behind || b->callee.start == b->callee.end) return is_behind;
  const RlxSpan tensor = shape_of(c, b->callee);
  const bool is_shape = tensor.start < tensor.end;
  const RlxSInfo *sinfo = rlx_scope_sinfo(c, is_shape ? tensor : b->callee);
  if (!sinfo || sinfo->kind != (is_shape ? RLX_SINFO_TENSOR : RLX_SINFO_TUPLE)) return false;
  if (!is_shape) offer_fields(c, sinfo);
  for (int i = 0; is_shape && i < sinfo->ndim && i < MOST; i++)
    offer_number(c, i, (uint32_t)i, dim_text(c, sinfo, i));
  return true;
}

/// The call that the cursor is in an argument of, or in a list that is one; NULL: in none.
static const RlxBracket *call_around(const RlxComplete *c) {
  for (int i = c->cursor.depth; i-- > 0;)
    if (c->cursor.brackets[i].callee.start < c->cursor.brackets[i].callee.end)
      return &c->cursor.brackets[i];
  return NULL;
}

/// The name that the first argument of the call is; empty: it is none.
static RlxSpan first_name(const RlxComplete *c, const RlxBracket *call) {
  const char *text = c->cursor.text;
  uint32_t at = call->at + 1;
  while (at < c->cursor.offset && strchr(" \t\r\n", text[at])) at++;
  uint32_t end = at;
  while (end < c->cursor.offset && rlx_text_in_name(text[end])) end++;
  return end < c->cursor.offset && text[end] == ',' ? rlx_span(at, end) : (RlxSpan){0};
}

void rlx_offer_axes(RlxComplete *c) {
  const RlxOpParam *wanted = c->wanted;
  const bool is_axis = wanted &&
                       (wanted->kind == RLX_PARAM_INT || wanted->kind == RLX_PARAM_INTS) &&
                       (!strcmp(wanted->name, "axis") || !strcmp(wanted->name, "axes"));
  const RlxBracket *call = is_axis ? call_around(c) : NULL;
  const RlxSpan name = call ? first_name(c, call) : (RlxSpan){0};
  const RlxSInfo *sinfo = name.start < name.end ? rlx_scope_sinfo(c, name) : NULL;
  if (!sinfo || sinfo->kind != RLX_SINFO_TENSOR || sinfo->ndim > MOST) return;
  for (int i = 0; i < sinfo->ndim; i++) offer_number(c, i, (uint32_t)i + 1, dim_text(c, sinfo, i));
  if (sinfo->ndim > 0)
    offer_number(c, -1, (uint32_t)sinfo->ndim + 1, dim_text(c, sinfo, sinfo->ndim - 1));
}
