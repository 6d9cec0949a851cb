/// Any bytes as a file: it opens, and after an edit equals the same text opened fresh. The first
/// four bytes choose the edit.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/document.h"
#include "analyzer/syntax/document_dump.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds) {
  if (!holds) abort();
}

static void compare(RlxStore *store, const RlxDocument *doc) {
  uint32_t size = 0;
  const char *text = rlx_document_text(doc, &size);
  RlxDocument *fresh = rlx_document_new(store, NULL, NULL);
  RlxBuf a = {0}, b = {0};
  rlx_document_set_text(fresh, text, size);
  rlx_document_dump(doc, &a);
  rlx_document_dump(fresh, &b);
  must(a.size == b.size && memcmp(a.at, b.at, a.size) == 0);
  rlx_buf_free(&a);
  rlx_buf_free(&b);
  rlx_document_free(fresh);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 4 || size > 8192) return 0;
  const char *text = (const char *)bytes + 4;
  uint32_t count = (uint32_t)size - 4, room = count + 1;
  RlxStore *store = rlx_store_new();
  RlxDocument *doc = rlx_document_new(store, NULL, NULL);
  rlx_document_set_text(doc, text, count);

  // Replace a slice of the text by another slice, and back again.
  uint32_t start = (bytes[0] * 16u + bytes[1] % 16u) % room,
           old_end = start + bytes[1] / 16u % (room - start);
  uint32_t from = bytes[2] * 16u % room, length = bytes[3] % (room - from);
  rlx_document_edit(doc, start, old_end, text + from, length);
  compare(store, doc);
  rlx_document_edit(doc, start, start + length, text + start, old_end - start);
  compare(store, doc);
  uint32_t path_count = 0;
  const RlxAst *path[16];
  const RlxStmt *stmt = rlx_document_stmt_at(doc, from);
  if (stmt) (void)rlx_document_ast_at(stmt, from, path, &path_count, 16);
  must(path_count <= 16);
  rlx_document_free(doc);
  rlx_store_free(store);
  return 0;
}
