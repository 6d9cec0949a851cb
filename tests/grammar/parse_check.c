// Parses files with the grammar alone and says how many ERROR and MISSING nodes and findings of the
// check on the tree each has; with --document how many syntax errors the analyzer's documents
// report.
//
// usage: parse_check [--document] [--tree|--sexp] [--time] [--repeat N] FILE... ("-": paths from
// standard input, one a line) One line a file: errors, bytes, path. --tree prints the tree with
// places, --sexp as in grammar/test/corpus, --time a last line with files, bytes and seconds of
// parsing alone. Exit status 1 when a file cannot be read. Coding cookies are the caller's
// business: bytes are UTF-8.
#include "analyzer/syntax/document.h"
#include "analyzer/symbolic/store.h"
#include "grammar/check.h"
#include "grammar/grammar.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  bool document, tree, sexp, time;
  int repeat;
  unsigned long files, bytes;
  double seconds;
  bool failed;
  TSParser *parser;
} Run;

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/// The bytes of `path`, `*size` of them, from malloc; NULL when it cannot be read.
static char *read_all(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  size_t room = 1 << 16;
  char *text = malloc(room);
  *size = 0;
  for (size_t got; text && (got = fread(text + *size, 1, room - *size, f)) > 0;) {
    *size += got;
    if (*size < room) continue;
    char *more = realloc(text, room *= 2);
    if (!more) free(text);
    text = more;
  }
  fclose(f);
  return text;
}

/// ERROR and MISSING nodes of the tree; a subtree without any is not entered.
static unsigned count_errors(TSNode root) {
  unsigned errors = 0;
  TSTreeCursor at = ts_tree_cursor_new(root);
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&at);
    if (ts_node_is_missing(node) || ts_node_symbol(node) == (TSSymbol)-1) errors++;
    if (ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&at)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&at)) {
      if (!ts_tree_cursor_goto_parent(&at)) {
        ts_tree_cursor_delete(&at);
        return errors;
      }
    }
  }
}

static void count_finding(void *payload, TSNode node, const char *message) {
  (void)node;
  (void)message;
  ++*(unsigned *)payload;
}

static void print_tree(TSNode node, const char *field, int depth, const char *text) {
  if (ts_node_is_named(node) || ts_node_is_missing(node)) {
    TSPoint from = ts_node_start_point(node), to = ts_node_end_point(node);
    printf("%*s%s%s%s%s [%u:%u-%u:%u]", depth * 2, "", field ? field : "", field ? ": " : "",
           ts_node_is_missing(node) ? "MISSING " : "", ts_node_type(node), from.row + 1,
           from.column, to.row + 1, to.column);
    if (ts_node_child_count(node) == 0 && from.row == to.row)
      printf(" %.*s", (int)(to.column - from.column), text + ts_node_start_byte(node));
    printf("\n");
  }
  TSTreeCursor at = ts_tree_cursor_new(node);
  if (ts_tree_cursor_goto_first_child(&at)) {
    do
      print_tree(ts_tree_cursor_current_node(&at), ts_tree_cursor_current_field_name(&at),
                 depth + 1, text);
    while (ts_tree_cursor_goto_next_sibling(&at));
  }
  ts_tree_cursor_delete(&at);
}

/// Problems that CPython's parser, not only its compiler, would report.
static unsigned count_problems(const char *text, size_t size) {
  RlxStore *store = rlx_store_new();
  RlxDocument *doc = rlx_document_new(store, NULL, NULL);
  rlx_document_set_text(doc, text, (uint32_t)size);
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(doc, &problems);
  unsigned count = 0;
  for (uint32_t i = 0; i < problems.count; i++) count += problems.at[i].is_late ? 0 : 1;
  rlx_vec_free(&problems);
  rlx_document_free(doc);
  rlx_store_free(store);
  return count;
}

static void check(Run *run, const char *path) {
  size_t size = 0;
  char *text = read_all(path, &size);
  if (!text || size > UINT32_MAX) {
    fprintf(stderr, "parse_check: cannot read %s\n", path);
    run->failed = true;
    free(text);
    return;
  }
  if (run->document) {
    printf("%u %zu %s\n", count_problems(text, size), size, path);
    free(text);
    return;
  }
  TSTree *tree = NULL;
  double start = now();
  for (int i = 0; i < run->repeat; i++) {
    ts_tree_delete(tree);
    tree = ts_parser_parse_string(run->parser, NULL, text, (uint32_t)size);
  }
  run->seconds += (now() - start) / run->repeat;
  run->files++;
  run->bytes += size;
  if (!run->time || run->tree) {
    unsigned errors = count_errors(ts_tree_root_node(tree));
    if (errors == 0 && ts_node_has_error(ts_tree_root_node(tree))) errors = 1;
    rlx_syntax_check(ts_tree_root_node(tree), text, count_finding, &errors);
    printf("%u %zu %s\n", errors, size, path);
  }
  if (run->sexp) {
    char *sexp = ts_node_string(ts_tree_root_node(tree));
    printf("%s\n", sexp);
    free(sexp);
  }
  if (run->tree) print_tree(ts_tree_root_node(tree), NULL, 0, text);
  ts_tree_delete(tree);
  free(text);
}

static void check_listed(Run *run) {
  char path[4096];
  while (fgets(path, sizeof path, stdin)) {
    path[strcspn(path, "\n")] = 0;
    if (*path) check(run, path);
  }
}

int main(int argc, char **argv) {
  Run run = {.repeat = 1, .parser = ts_parser_new()};
  if (!ts_parser_set_language(run.parser, tree_sitter_tvmscript())) {
    fprintf(stderr, "parse_check: the grammar's ABI does not fit this runtime\n");
    return 2;
  }
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--tree") == 0)
      run.tree = true;
    else if (strcmp(argv[i], "--document") == 0)
      run.document = true;
    else if (strcmp(argv[i], "--sexp") == 0)
      run.sexp = true;
    else if (strcmp(argv[i], "--time") == 0)
      run.time = true;
    else if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc)
      run.repeat = atoi(argv[++i]);
    else if (strcmp(argv[i], "-") == 0)
      check_listed(&run);
    else
      check(&run, argv[i]);
    if (run.repeat < 1) run.repeat = 1;
  }
  if (run.time)
    printf("%lu files, %lu bytes, %.3f s, %.1f MB/s\n", run.files, run.bytes, run.seconds,
           (double)run.bytes / 1e6 / run.seconds);
  ts_parser_delete(run.parser);
  return run.failed ? 1 : 0;
}
