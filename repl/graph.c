/// :graph: the dataflow graph of a function as DOT or SVG, on the screen, in a file or in a notebook.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/graph.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "repl/commands.h"
#include "repl/look.h"
#include "repl/values.h"

typedef void WriteGraph(const RlxStore *store, const RlxFunction *fn, RlxBuf *out);

typedef struct GraphForm {
  const char *ending, *option;
  WriteGraph *write;
} GraphForm;

static const GraphForm dot_form = {".dot", NULL, rlx_graph_dot},
                       svg_form = {".svg", "--svg", rlx_graph_svg};

static void write_graph(RlxRepl *repl, const RlxStmt *stmt, const RlxFunction *fn, RlxBuf *out,
                        void *data) {
  const GraphForm *form = data;
  RlxBuf graph = {0};
  (void)stmt;
  if (fn) form->write(repl->store, fn, &graph);
  rlx_repl_put_plain(rlx_buf_text(&graph), out);
  rlx_buf_free(&graph);
}

static bool graph_of(RlxRepl *repl, const char *text, const GraphForm *form, RlxBuf *out) {
  GraphForm copy = *form;
  return rlx_repl_each_relax(repl, text, write_graph, &copy, out);
}

/// Takes a file name off the front of `*text`, when something comes behind it; the caller frees it.
static char *take_file(const char **text, const char *ending) {
  const size_t size = strcspn(*text, " \t"), n = strlen(ending), gap = strspn(*text + size, " \t");
  if (size <= n || !gap || !(*text)[size + gap] || memcmp(*text + size - n, ending, n) != 0)
    return NULL;
  char *file = rlx_mem_strndup(*text, size);
  *text += size + gap;
  return file;
}

bool rlx_repl_graph(RlxRepl *repl, const char *text) {
  const bool is_svg = rlx_repl_take_option(&text, svg_form.option);
  char *svg_file = take_file(&text, svg_form.ending),
       *file = svg_file ? svg_file : take_file(&text, dot_form.ending);
  RlxBuf out = {0}, picture = {0};
  RlxError err;
  bool ok = *text != 0;
  if (!ok) printf("error: :graph takes EXPR or FUNC, and a file before it\n");
  ok = ok && (!file || rlx_repl_may_act(repl, ":graph FILE"));
  ok = ok && graph_of(repl, text, is_svg || svg_file ? &svg_form : &dot_form, &out);
  if (ok && file) {
    ok = rlx_file_write(file, rlx_buf_text(&out), out.size, &err);
    if (!ok) rlx_text_say(stdout, "error: %s", err.text);
  } else if (ok && repl->on_picture && graph_of(repl, text, &svg_form, &picture))
    repl->on_picture(repl->value_data, "image/svg+xml", &picture, rlx_buf_text(&out));
  else if (ok)
    rlx_repl_print_paged(repl, rlx_buf_text(&out));
  rlx_buf_free(&picture);
  rlx_buf_free(&out);
  free(file);
  return ok;
}
