/// Any bytes as what is typed, pasted or piped into a session. What is no blank and no comment belongs to exactly one entry, entries
/// come in their order, and the reader of lines says the same however the text is cut into pieces.
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "repl/reader.h"
#include "repl/split.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds) {
  if (!holds) abort();
}

/// Between two entries stand blanks, comments, `;` and what joins lines.
static void check_gap(const RlxSplit *split, uint32_t at, uint32_t end) {
  const char *text = rlx_buf_text(&split->text);
  for (uint32_t i = at; i < end; i++) {
    if (text[i] == '#')
      i += (uint32_t)strcspn(text + i, "\r\n");
    else if (!isspace((unsigned char)text[i]) && text[i] != ';' && text[i] != '\\') {
      fprintf(stderr, "byte %u belongs to no entry: %.*s\n", i, (int)(end - at), text + at);
      abort();
    }
  }
}

static void check_split(const char *text) {
  RlxStore *store = rlx_store_new();
  RlxSplit split;
  rlx_split(store, text, &split);
  const char *mark =
      rlx_buf_text(&split.text); // of the order of bytes, at the start of a file: a blank
  uint32_t at = strncmp(mark, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  for (uint32_t i = 0; i < split.entries.count; i++) {
    const RlxEntry *e = &split.entries.at[i];
    must((e->start >= at || !i) && e->end > e->start && e->end <= split.text.size);
    check_gap(&split, at, e->start);
    at = e->end;
  }
  check_gap(&split, at, (uint32_t)split.text.size);
  rlx_split_free(&split);
  rlx_store_free(store);
}

/// The reader is given the text as a whole, and line by line.
static void check_reader(const char *text) {
  RlxEntryReader *reader = rlx_entry_reader_new();
  for (const char *at = text; *at;) {
    const size_t n = strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
    (void)rlx_entry_reader_takes(reader, at);
    rlx_entry_reader_put(reader, at, n);
    (void)rlx_entry_reader_wants(reader, true);
    at += n;
  }
  for (int terminal = 0; terminal < 2; terminal++)
    must(rlx_entry_reader_wants(reader, terminal) == rlx_entry_wants_more(text, terminal));
  rlx_entry_reader_free(reader);
  RlxBuf entered = {0};
  uint32_t printed = 0;
  if (rlx_entry_transcript(text, &entered, &printed)) must(entered.size <= strlen(text));
  rlx_buf_free(&entered);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 8192) return 0;
  char *text = calloc(size + 1, 1);
  memcpy(text, bytes, size);
  const char *name = NULL;
  const size_t length = rlx_split_question(text, &name);
  if (length) must(name >= text && name + length <= text + strlen(text));
  check_split(text);
  check_reader(text);
  free(text);
  return 0;
}
