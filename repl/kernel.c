/// The session behind a notebook. A cell's output is caught in a memory file in place of standard
/// output; a value that is shown ends the piece of text before it.
#include "repl/kernel.h"
#include "repl/results.h"
#include "repl/sugar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "jit/runtime/format.h"
#include "jit/runtime/mapping_guard.h"
#include "repl/about.h"
#include "repl/follow.h"
#include "repl/offer.h"
#include "repl/reader.h"
#include "repl/sched.h"
#include "repl/values.h"

struct RlxKernel {
  RlxRepl repl;
  RlxKernelPieces *pieces; ///< of the cell that runs
  int fd;                  ///< what it prints
};

static volatile sig_atomic_t interrupted; // what a signal handler can reach

/// The flag is set by who sends the signal, when it is known that something runs; this ends waits.
static void on_interrupt(int signal_number) { (void)signal_number; }

void rlx_kernel_interrupt(void) {
  interrupted = 1;
  kill(getpid(), SIGINT);
}

void rlx_kernel_begin(bool is_interrupted) { interrupted = is_interrupted; }

/// The text that was printed since the last piece becomes one.
static void take_text(RlxKernel *k) {
  RlxBuf text = {0};
  char block[4096];
  off_t at = 0;
  fflush(stdout);
  for (ssize_t n; (n = pread(k->fd, block, sizeof block, at)) > 0; at += n)
    rlx_buf_putn(&text, block, (size_t)n);
  if (text.size)
    rlx_vec_push(k->pieces, (RlxKernelPiece){.text = rlx_mem_strdup(rlx_buf_text(&text))});
  rlx_buf_free(&text);
  if (ftruncate(k->fd, 0) || lseek(k->fd, 0, SEEK_SET) < 0) return;
}

static void put_html(RlxBuf *out, const char *text) {
  for (; *text; text++) {
    if (*text == '<' || *text == '&')
      rlx_buf_puts(out, *text == '<' ? "&lt;" : "&amp;");
    else
      rlx_buf_putc(out, *text);
  }
}

/// Indices of a dimension that are shown: all, or its ends with -1 between them.
static int shown(int64_t size, int64_t *at) {
  enum { ALL = 20, ENDS = 8 };
  int n = 0;
  for (int64_t i = 0; i < size; i++) {
    if (size > ALL && i == ENDS) at[n++] = -1;
    if (size > ALL && i == ENDS) i = size - ENDS;
    at[n++] = i;
  }
  return n;
}

/// Appends a tensor of one or two dimensions as a table; others have none. `precision`: digits of a float, at most 6.
static void put_table(const RlxObject *x, int precision, RlxBuf *out) {
  enum { DIGITS = 6 };
  if (x->kind != RLX_OBJECT_TENSOR || x->count < 1 || x->count > 2 || !rlx_tensor_count(x)) return;
  int64_t rows[24], columns[24], height = x->count == 2 ? x->dims[0] : 1,
                                 width = x->dims[x->count - 1];
  int down = shown(height, rows), across = shown(width, columns);
  RlxBuf sinfo = {0};
  rlx_object_print_sinfo(x, &sinfo);
  rlx_buf_puts(out, "<table><caption>");
  put_html(out, rlx_buf_text(&sinfo));
  rlx_buf_puts(out, "</caption>\n<tr><th></th>");
  for (int c = 0; c < across; c++)
    if (columns[c] < 0)
      rlx_buf_puts(out, "<th>…</th>");
    else
      rlx_buf_printf(out, "<th>%lld</th>", (long long)columns[c]);
  rlx_buf_puts(out, "</tr>\n");
  for (int r = 0; r < down; r++) {
    rlx_buf_puts(out, "<tr>");
    if (rows[r] < 0)
      rlx_buf_puts(out, "<th>⋮</th>");
    else if (x->count == 2)
      rlx_buf_printf(out, "<th>%lld</th>", (long long)rows[r]);
    else
      rlx_buf_puts(out, "<th></th>");
    for (int c = 0; c < across; c++) {
      int64_t at = rows[r] * width + columns[c];
      if (rows[r] < 0 || columns[c] < 0)
        rlx_buf_puts(out, "<td>…</td>");
      else if (rlx_dtype_is_bool(x->dtype))
        rlx_buf_printf(out, "<td>%s</td>",
                       rlx_element_integer(x->data, x->dtype, at) ? "True" : "False");
      else if (x->dtype.code == RLX_DTYPE_UINT)
        rlx_buf_printf(out, "<td>%llu</td>",
                       (unsigned long long)rlx_element_integer(x->data, x->dtype, at));
      else if (x->dtype.code == RLX_DTYPE_INT)
        rlx_buf_printf(out, "<td>%lld</td>", (long long)rlx_element_integer(x->data, x->dtype, at));
      else
        rlx_buf_printf(out, "<td>%.*g</td>", precision < DIGITS ? precision : DIGITS,
                       rlx_element_number(x->data, x->dtype, at));
    }
    rlx_buf_puts(out, "</tr>\n");
  }
  rlx_buf_puts(out, "</table>");
  rlx_buf_free(&sinfo);
}

static void on_value(void *data, const RlxObject *x, const char *text) {
  RlxKernel *k = data;
  take_text(k);
  RlxBuf table = {0};
  put_table(x, k->repl.set[RLX_REPL_SET_PRECISION], &table);
  RlxKernelPiece piece = {.text = rlx_mem_strdup(text),
                          .html = table.size ? rlx_mem_strdup(rlx_buf_text(&table)) : NULL,
                          .is_value = true};
  rlx_vec_push(k->pieces, piece);
  rlx_buf_free(&table);
}

static void on_picture(void *data, const char *mime, const RlxBuf *file, const char *text) {
  RlxKernel *k = data;
  take_text(k);
  RlxBuf content = {0};
  if (strstr(mime, "svg"))
    rlx_buf_putn(&content, rlx_buf_text(file), file->size);
  else
    rlx_base64_write((const unsigned char *)file->at, file->size, &content);
  RlxKernelPiece piece = {.text = rlx_mem_strdup(text),
                          .mime = rlx_mem_strdup(mime),
                          .content = rlx_buf_steal(&content)};
  rlx_vec_push(k->pieces, piece);
}

RlxKernel *rlx_kernel_open(const RlxReplOptions *options) {
  RlxKernel *k = rlx_mem_zeroed(1, sizeof *k);
  rlx_repl_open(&k->repl, options, &interrupted);
  rlx_repl_sugar_attach(&k->repl);
  rlx_repl_take_settings(&k->repl, &options->settings);
  k->fd = memfd_create("rlx-cell", MFD_CLOEXEC);
  if (k->fd < 0 || !rlx_repl_supply(&k->repl, k->repl.jit)) {
    if (k->fd < 0) fprintf(stderr, "rlx kernel: no memory file: %s\n", strerror(errno));
    rlx_kernel_close(k);
    return NULL;
  }
  k->repl.on_value = on_value;
  k->repl.on_picture = on_picture;
  k->repl.value_data = k;
  struct sigaction action = {.sa_handler = on_interrupt}; // without SA_RESTART
  sigaction(SIGINT, &action, NULL);
  rlx_mapping_guard_start();
  return k;
}

void rlx_kernel_close(RlxKernel *k) {
  rlx_repl_sched_close(&k->repl);
  rlx_repl_walk_close(&k->repl);
  rlx_repl_sugar_free(&k->repl);
  rlx_repl_results_free(&k->repl);
  rlx_repl_close(&k->repl);
  if (k->fd >= 0) close(k->fd);
  free(k);
}

bool rlx_kernel_execute(RlxKernel *k, const char *code, RlxKernelPieces *out) {
  k->pieces = out;
  fflush(stdout);
  int kept = dup(STDOUT_FILENO);
  if (kept < 0 || dup2(k->fd, STDOUT_FILENO) < 0) {
    if (kept >= 0) close(kept);
    return false;
  }
  bool ok = rlx_repl_enter(&k->repl, code);
  take_text(k);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  return ok;
}

void rlx_kernel_pieces_free(RlxKernelPieces *pieces) {
  for (uint32_t i = 0; i < pieces->count; i++) {
    free(pieces->at[i].text);
    free(pieces->at[i].html);
    free(pieces->at[i].mime);
    free(pieces->at[i].content);
  }
  rlx_vec_free(pieces);
}

void rlx_kernel_complete(RlxKernel *k, const char *code, size_t cursor, RlxLineOffers *out) {
  size_t start = cursor; // of the line
  while (start && code[start - 1] != '\n') start--;
  // A command, or a statement that begins in column 0, has nothing to do with what is above it.
  bool is_alone = code[start] == ':' || !rlx_entry_goes_on(code, code + start);
  char *before = rlx_mem_strndup(code, is_alone ? 0 : start);
  char *line = rlx_mem_strndup(code + start, strcspn(code + start, "\n"));
  rlx_repl_offer(&k->repl, before, line, cursor - start, out);
  free(before);
  free(line);
}

bool rlx_kernel_inspect(RlxKernel *k, const char *code, size_t cursor, RlxBuf *out) {
  return rlx_repl_inspect(&k->repl, code, cursor, out);
}

bool rlx_kernel_wants_more(const char *code) { return rlx_entry_wants_more(code, true); }
