/// The rule of a call, and what is asked of all calls behind it. Always true: after the first report nothing
/// else is asked.
#include "analyzer/ops/deduce.h"

const RlxSInfo *rlx_deduce(RlxDeduce *d, const RlxCall *call) {
  rlx_need_inline_tuples(d, call);
  const RlxSInfo *sinfo = call->row->deduce(d, call);
  if (!d->failed) rlx_need_distributed(d, call);
  if (!d->failed) rlx_note_words(d, call);
  if (!d->failed) rlx_note_negative(d, call, sinfo);
  if (!d->failed) rlx_need_no_none(d, call);
  if (!d->failed) rlx_need_kinds(d, call);
  if (!d->failed) rlx_need_operands(d, call);
  return sinfo;
}
