/// Any bytes as a document: scanner, parser, check and lowering hold, and an edit gives what the
/// edited text gives when opened afresh. The first two bytes choose the place of the edit; the
/// second half is what it brings.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/symbolic/store.h"
#include "analyzer/syntax/document.h"
#include "base/buf.h"
#include "grammar/check.h"
#include "grammar/grammar.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void count_finding(void *payload, TSNode node, const char *message) {
  if (ts_node_end_byte(node) < ts_node_start_byte(node) || !*message) abort();
  ++*(unsigned *)payload;
}

/// The grammar alone: the same text twice, the second time with the first tree at hand.
static void check_grammar(const char *text, uint32_t size) {
  if (!rlx_text_is_bounded(text, size)) return;
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_tvmscript())) abort();
  TSTree *tree = ts_parser_parse_string(parser, NULL, text, size);
  TSTree *again = ts_parser_parse_string(parser, tree, text, size);
  char *first = ts_node_string(ts_tree_root_node(tree)),
       *second = ts_node_string(ts_tree_root_node(again));
  // A text with mistakes may be recovered in another way when a tree is at hand.
  if (!ts_node_has_error(ts_tree_root_node(tree)) && strcmp(first, second) != 0) abort();
  unsigned findings = 0;
  rlx_syntax_check(ts_tree_root_node(tree), text, count_finding, &findings);
  free(first);
  free(second);
  ts_tree_delete(tree);
  ts_tree_delete(again);
  ts_parser_delete(parser);
}

static uint32_t count_problems(const RlxDocument *doc) {
  uint32_t size;
  rlx_document_text(doc, &size);
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(doc, &problems);
  uint32_t count = problems.count;
  for (uint32_t i = 0; i < count; i++) {
    if (problems.at[i].span.start > problems.at[i].span.end || problems.at[i].span.end > size)
      abort();
  }
  rlx_vec_free(&problems);
  return count;
}

static void check_document(const char *text, uint32_t size, uint32_t at, const char *piece,
                           uint32_t piece_size) {
  RlxStore *store = rlx_store_new();
  RlxDocument *doc = rlx_document_new(store, NULL, NULL),
              *fresh = rlx_document_new(store, NULL, NULL);
  rlx_document_set_text(doc, text, size);
  count_problems(doc);
  rlx_document_edit(doc, at, at + piece_size / 2, piece, piece_size);
  uint32_t new_size;
  const char *edited = rlx_document_text(doc, &new_size);
  rlx_document_set_text(fresh, edited, new_size);
  if (count_problems(doc) != count_problems(fresh)) abort();
  rlx_document_free(doc);
  rlx_document_free(fresh);
  rlx_store_free(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 3 || size > 8192) return 0;
  uint32_t at = (uint32_t)bytes[0] << 8 | bytes[1];
  size_t half = 2 + (size - 2) * 3 / 4;
  RlxBuf text = {0}, piece = {0};
  rlx_buf_putn(&text, (const char *)bytes + 2, half - 2);
  rlx_buf_putn(&piece, (const char *)bytes + half, size - half);
  rlx_buf_putn(&text, "", 0);
  check_grammar(text.at ? text.at : "", (uint32_t)text.size);
  check_document(text.at ? text.at : "", (uint32_t)text.size,
                 text.size ? at % (uint32_t)text.size : 0, piece.at ? piece.at : "",
                 (uint32_t)piece.size);
  rlx_buf_free(&text);
  rlx_buf_free(&piece);
  return 0;
}
