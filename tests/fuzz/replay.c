/// A plain main for a fuzz target, with any compiler: runs it once on each file given, or on standard
/// input, so that a finding can be repeated and seeds are a test. With `--mutate SECONDS INPUT
/// DICTIONARY SEED FILE…` it runs on random changes of the files for some time: what libFuzzer does
/// better, where clang is not there. INPUT is the file that gets each input before it is run, so the
/// one that crashed is in it; DICTIONARY has words in libFuzzer's format.
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"
#include "base/vec.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { INPUT_MOST = 8192 };

static void run(const RlxBuf *text) {
  LLVMFuzzerTestOneInput((const uint8_t *)text->at, text->size);
}

static bool read_input(const char *path, RlxBuf *out) {
  RlxError err = {0};
  if (!rlx_file_read(path, out, &err)) {
    fprintf(stderr, "%s\n", err.text);
    return false;
  }
  rlx_buf_reserve(out, 0); // an empty file is not NULL
  return true;
}

// ---- mutations

typedef Vec(RlxBuf) Texts;

typedef struct Mutator {
  uint64_t state;
  Texts words, files;
  RlxBuf text, next;
} Mutator;

static uint32_t below(Mutator *m, size_t n) {
  m->state = m->state * 6364136223846793005u + 1442695040888963407u;
  return n ? (uint32_t)((m->state >> 33) % n) : 0;
}

/// Replaces [start, end) of the text.
static void replace(Mutator *m, size_t start, size_t end, const char *by, size_t size) {
  rlx_buf_clear(&m->next);
  rlx_buf_putn(&m->next, m->text.at, start);
  rlx_buf_putn(&m->next, by, size);
  rlx_buf_putn(&m->next, m->text.at + end, m->text.size - end);
  RlxBuf old = m->text;
  m->text = m->next;
  m->next = old;
}

static void mutate(Mutator *m) {
  size_t size = m->text.size, start = below(m, size + 1), end = start + below(m, 16);
  if (end > size) end = size;
  char byte = (char)below(m, 256);
  const RlxBuf *other = &m->files.at[below(m, m->files.count)];
  size_t from = below(m, other->size + 1), count = below(m, 200);
  if (count > other->size - from) count = other->size - from;
  switch (below(m, 7)) {
  case 0: replace(m, start, end, "", 0); break;
  case 1: replace(m, start, start, &byte, 1); break;
  case 2: replace(m, start, start < size ? start + 1 : start, &byte, 1); break;
  case 3: replace(m, start, end, other->at + from, count); break;
  case 4: replace(m, start, start, m->text.at + start, end - start); break;
  case 5: replace(m, start, size, other->at + from, count); break;
  default:
    if (m->words.count) {
      const RlxBuf *word = &m->words.at[below(m, m->words.count)];
      replace(m, start, below(m, 2) ? start : end, word->at, word->size);
    }
  }
}

static int hex(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

/// One word a line, in quotes; "\xNN" stands for a byte.
static void read_words(Mutator *m, const char *text) {
  for (const char *p = strchr(text, '"'); p; p = strchr(p, '"')) {
    RlxBuf word = {0};
    for (p++; *p && *p != '"' && *p != '\n'; p++)
      if (p[0] == '\\' && p[1] == 'x' && p[2] && p[3]) {
        rlx_buf_putc(&word, (char)(hex(p[2]) * 16 + hex(p[3])));
        p += 3;
      } else
        rlx_buf_putc(&word, *p);
    if (*p) p++;
    rlx_vec_push(&m->words, word);
  }
}

static int mutations(int argc, char **argv) {
  if (argc < 7) return fprintf(stderr, "--mutate SECONDS INPUT DICTIONARY SEED FILE…\n"), 2;
  Mutator m = {.state = strtoull(argv[5], NULL, 10) * 2 + 1};
  RlxBuf text = {0};
  if (!read_input(argv[4], &text)) return 2;
  read_words(&m, text.at);
  rlx_buf_free(&text);
  for (int i = 6; i < argc; i++) {
    RlxBuf file = {0};
    if (!read_input(argv[i], &file)) return 2;
    if (file.size > INPUT_MOST)
      rlx_buf_free(&file);
    else
      rlx_vec_push(&m.files, file);
  }
  int fd = open(argv[3], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0 || !m.files.count) return fprintf(stderr, "nothing to change, or to write to\n"), 2;
  time_t end = time(NULL) + strtol(argv[2], NULL, 10);
  uint64_t runs = 0;
  for (; time(NULL) < end; runs++) {
    const RlxBuf *file = &m.files.at[below(&m, m.files.count)];
    rlx_buf_clear(&m.text);
    rlx_buf_putn(&m.text, file->at, file->size);
    for (uint32_t i = 0, n = 1 + below(&m, 8); i < n; i++) mutate(&m);
    if (m.text.size > INPUT_MOST) rlx_buf_truncate(&m.text, INPUT_MOST);
    rlx_buf_reserve(&m.text, 0);
    if (ftruncate(fd, 0) || pwrite(fd, m.text.at, m.text.size, 0) != (ssize_t)m.text.size) return 2;
    run(&m.text);
  }
  close(fd);
  for (uint32_t i = 0; i < m.files.count; i++) rlx_buf_free(&m.files.at[i]);
  for (uint32_t i = 0; i < m.words.count; i++) rlx_buf_free(&m.words.at[i]);
  rlx_vec_free(&m.files);
  rlx_vec_free(&m.words);
  rlx_buf_free(&m.text);
  rlx_buf_free(&m.next);
  printf("%llu runs\n", (unsigned long long)runs);
  return 0;
}

int main(int argc, char **argv) {
  char standard_input[] = "-";
  char *only[] = {argv[0], standard_input, NULL};
  if (argc > 1 && !strcmp(argv[1], "--mutate")) return mutations(argc, argv);
  if (argc < 2) {
    argv = only;
    argc = 2;
  }
  for (int i = 1; i < argc; i++) {
    RlxBuf text = {0};
    if (!read_input(argv[i], &text)) return 2;
    fprintf(stderr, "%s (%zu bytes)\n", argv[i], text.size);
    run(&text);
    rlx_buf_free(&text);
  }
  return 0;
}
