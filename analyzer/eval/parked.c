/// Modules that no open file imports any more.
/// Always true: one that is taken is as it was when it was opened, but for `outer`, which its taker builds.
#include "analyzer/eval/parked.h"

#include <string.h>

#include "analyzer/eval/eval.h"
#include "base/hash.h"

enum { PARKED_BYTES = 1 << 20 }; ///< of texts; parsed they take some twenty times as much

static RlxFile **place_of(RlxAnalyzer *analyzer, const char *path) {
  return &analyzer->parked.at[rlx_hash_bytes(path, strlen(path), 0) % RLX_PARKED_MAX];
}

static uint32_t bytes_of(const RlxFile *module) {
  uint32_t size;
  rlx_document_text(module->document, &size);
  return size;
}

/// Takes out what is kept at a place; NULL: nothing is.
static RlxFile *take_out(RlxAnalyzer *analyzer, RlxFile **place) {
  RlxFile *module = *place;
  *place = NULL;
  if (module) analyzer->parked.bytes -= bytes_of(module);
  return module;
}

RlxFile *rlx_parked_take(RlxAnalyzer *analyzer, const RlxBuf *path, const RlxBuf *text) {
  RlxFile **place = place_of(analyzer, rlx_buf_text(path));
  if (!*place || strcmp((*place)->path, rlx_buf_text(path)) != 0) return NULL;
  uint32_t size;
  const char *known = rlx_document_text((*place)->document, &size);
  if (size != text->size || memcmp(known, rlx_buf_text(text), size) != 0) return NULL;
  return take_out(analyzer, place);
}

void rlx_parked_put(RlxFile *module) {
  RlxAnalyzer *analyzer = module->analyzer;
  RlxFile **place = place_of(analyzer, module->path);
  const uint32_t size = bytes_of(module);
  const bool is_analyzed = module->round > 0;
  if (*place) analyzer->hooks->close(take_out(analyzer, place));
  if (is_analyzed || size > PARKED_BYTES) {
    analyzer->hooks->close(module);
    return;
  }
  if (analyzer->parked.bytes + size > PARKED_BYTES) rlx_parked_close(analyzer);
  module->importer = NULL;
  module->is_busy = false;
  analyzer->parked.bytes += size;
  *place = module;
}

void rlx_parked_close(RlxAnalyzer *analyzer) {
  for (uint32_t i = 0; i < RLX_PARKED_MAX; i++)
    if (analyzer->parked.at[i]) analyzer->hooks->close(take_out(analyzer, &analyzer->parked.at[i]));
}
