/// The modules of the project that use a name of another one. Each is opened, and each of its words
/// that is spelled like the name is followed through the imports.
#include "server/methods/project_uses.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/imported.h"
#include "analyzer/edit/rename.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

enum { FILES_MAX = 5000, FILE_BYTES_MAX = 1 << 20 };

typedef struct Search {
  RlxServer *server;
  const RlxProjectName *name;
  const char *new_name; ///< or NULL
  RlxProjectUses *out;
  RlxBuf *why;
  uint32_t files;
} Search;

/// A module that is being looked through.
typedef struct Module {
  Search *s;
  RlxFile *file;
  RlxProject project;
  const char *path, *text;
  uint32_t size;
  RlxSpans spans;
} Module;

/// The next place at or behind `from` where `word` stands by itself; its end is 0: there is none.
static RlxSpan next_word(const Module *m, const char *word, uint32_t from) {
  uint32_t length = (uint32_t)strlen(word);
  const char *at = m->text + from;
  while ((at = memmem(at, m->size - (size_t)(at - m->text), word, length)) != NULL) {
    uint32_t start = (uint32_t)(at - m->text);
    bool begins = !start || !rlx_text_in_name(at[-1]);
    if (begins && (start + length == m->size || !rlx_text_in_name(at[length])))
      return rlx_span(start, start + length);
    at++;
  }
  return rlx_span(0, 0);
}

static void say_taken(Module *m, const RlxBuf *why) {
  rlx_buf_printf(m->s->why, "in %s %s", m->path, rlx_buf_text(why));
}

/// Whether the name that an import binds here can have the new name.
static void check(Module *m, RlxSpan word) {
  RlxSymbol symbol;
  RlxBuf why = {0};
  if (m->s->why->size) return;
  if (rlx_file_symbol_at(m->file, word.start, &symbol) && symbol.kind == RLX_SYMBOL_OUTER &&
      symbol.span.start == word.start) {
    if (!rlx_symbol_may_be_called(m->file, &symbol, m->s->new_name, &why)) say_taken(m, &why);
  } else if (!word.start || m->text[word.start - 1] != '.') { // of `from module import *`
    RlxSpan taken = next_word(m, m->s->new_name, 0);
    if (taken.end)
      rlx_buf_printf(
          &why, "`%s` stands in line %u already", m->s->new_name,
          rlx_lines_locate(rlx_document_lines(rlx_file_document(m->file)), taken.start).line + 1);
    if (taken.end) say_taken(m, &why);
  }
  rlx_buf_free(&why);
}

/// Of `from module import NAME as other`, whose NAME is `word`: where `other` stands.
static void follow_alias(Module *m, RlxSpan word) {
  const char *at = m->text + word.end, *end = m->text + m->size;
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  if (end - at < 4 || strncmp(at, "as", 2) != 0 || rlx_text_in_name(at[2])) return;
  for (at += 2; at < end && (*at == ' ' || *at == '\t'); at++) {
  }
  if (at < end && rlx_text_in_name(*at))
    rlx_file_references(m->file, (uint32_t)(at - m->text), &m->spans);
}

static void look_through(Module *m) {
  const RlxProjectName *name = m->s->name;
  for (RlxSpan at = next_word(m, name->name, 0); at.end; at = next_word(m, name->name, at.end)) {
    RlxImportTarget target;
    RlxSpan word;
    bool is_it = rlx_file_import_target(m->file, at.start, &word, &target) && target.stmt &&
                 target.span.start == name->span.start && !strcmp(target.path, name->path);
    if (!is_it) continue;
    rlx_vec_push(&m->spans, at);
    if (m->s->new_name)
      check(m, at);
    else
      follow_alias(m, at);
  }
}

static int by_start(const void *a, const void *b) {
  const RlxSpan *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

/// The function that the place is in, as a number of `uses->defs` + 1; 0: none.
static uint32_t user_at(Module *m, uint32_t offset, const RlxStmt **last, RlxFileUses *uses) {
  RlxServer *server = m->s->server;
  const RlxStmt *stmt = rlx_document_stmt_at(rlx_file_document(m->file), offset);
  while (stmt && stmt->kind != RLX_STMT_DEF) stmt = stmt->block ? stmt->block->parent : NULL;
  if (!stmt || !stmt->name) return 0;
  if (stmt != *last) {
    RlxSpan name = rlx_stmt_absolute(stmt, stmt->name_span);
    RlxUser user = {
        rlx_mem_strdup(rlx_store_text(rlx_analyzer_store(server->analyzer), stmt->name)),
        rlx_position_of(server, m->file, stmt->start),
        rlx_position_of(server, m->file, stmt->start + stmt->size),
        rlx_position_of(server, m->file, name.start), rlx_position_of(server, m->file, name.end)};
    rlx_vec_push(&uses->defs, user);
  }
  *last = stmt;
  return uses->defs.count;
}

static void keep(Module *m, const RlxOpenFile *open) {
  if (!m->spans.count || m->s->why->size) return;
  RlxFileUses uses = {.uri = rlx_server_uri(m->s->server, m->path),
                      .has_version = open && open->has_version,
                      .version = open ? open->version : 0};
  const RlxStmt *last = NULL;
  qsort(m->spans.at, m->spans.count, sizeof *m->spans.at, by_start);
  for (uint32_t i = 0; i < m->spans.count; i++) {
    RlxUse use = {rlx_position_of(m->s->server, m->file, m->spans.at[i].start),
                  rlx_position_of(m->s->server, m->file, m->spans.at[i].end),
                  user_at(m, m->spans.at[i].start, &last, &uses)};
    rlx_vec_push(&uses.at, use);
  }
  rlx_vec_push(m->s->out, uses);
}

static void search_file(Search *s, const char *path) {
  RlxBuf text = {0};
  RlxError err = {0};
  const RlxOpenFile *open = rlx_server_open_at(s->server, path);
  uint32_t size = 0;
  const char *held = open ? rlx_open_file_text(open, &size) : NULL;
  if (held) rlx_buf_putn(&text, held, size);
  bool is_read = held || rlx_file_read_regular(path, FILE_BYTES_MAX, &text, &err);
  bool may_use = is_read && text.size && strstr(rlx_buf_text(&text), s->name->name) &&
                 strstr(rlx_buf_text(&text), "import");
  if (may_use) {
    Module m = {.s = s, .path = path};
    m.file = rlx_file_open(s->server->analyzer, rlx_buf_text(&text), (uint32_t)text.size);
    m.text = rlx_document_text(rlx_file_document(m.file), &m.size);
    rlx_project_attach(&m.project, m.file, path, s->name->project->root);
    m.project.open_text = s->name->project->open_text;
    m.project.open_data = s->name->project->open_data;
    look_through(&m);
    keep(&m, open);
    rlx_vec_free(&m.spans);
    s->server->column->line = NULL; // it may be one of this text's
    rlx_file_close(m.file);
    rlx_project_deinit(&m.project);
  }
  rlx_buf_free(&text);
}

static bool visit(void *user, const RlxFileVisit *at) {
  Search *s = user;
  static const char *const others[] = {"node_modules", "__pycache__", "venv", "build", "dist"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(at->name, others[i])) return false;
  if (*at->name == '.' || s->why->size || s->files >= FILES_MAX) return false;
  bool is_module = !at->is_folder && rlx_text_ends_in(at->name, ".py");
  if (is_module) s->files++;
  if (is_module && strcmp(at->path, s->name->path) != 0) search_file(s, at->path);
  return true;
}

/// Finds out where the project is; false: it is on no disk.
static bool is_located(RlxProject *project) {
  if (!project) return false;
  RlxModuleReader reader = rlx_project_reader(project);
  RlxBuf text = {0}, path = {0};
  (void)reader.read(reader.data, "", ".", &text, &path);
  rlx_buf_free(&text);
  rlx_buf_free(&path);
  return project->file && project->root;
}

bool rlx_project_name(RlxServer *server, RlxOpenFile *file, const RlxSymbol *symbol,
                      RlxProjectName *out) {
  const RlxStmt *def = symbol->def_stmt;
  bool may_be = symbol->kind == RLX_SYMBOL_FUNCTION || symbol->kind == RLX_SYMBOL_MODULE ||
                symbol->kind == RLX_SYMBOL_OUTER;
  if (!may_be || !def || def->kind == RLX_STMT_IMPORT || !is_located(file->project)) return false;
  for (const RlxBlock *at = def->block; at->parent; at = at->parent->block)
    if (at->parent->kind == RLX_STMT_DEF) return false; // nobody else can name it
  *out = (RlxProjectName){file->project, file->project->file, symbol->def_span,
                          rlx_store_text(rlx_analyzer_store(server->analyzer), symbol->name)};
  return true;
}

bool rlx_project_uses(RlxServer *server, const RlxProjectName *name, const char *new_name,
                      RlxProjectUses *out, RlxBuf *why) {
  Search s = {.server = server, .name = name, .new_name = new_name, .out = out, .why = why};
  RlxError err = {0};
  (void)rlx_file_walk(name->project->root, visit, &s, &err);
  return !why->size;
}

void rlx_project_uses_free(RlxProjectUses *all) {
  for (uint32_t i = 0; i < all->count; i++) {
    rlx_vec_free(&all->at[i].at);
    for (uint32_t k = 0; k < all->at[i].defs.count; k++) free(all->at[i].defs.at[k].name);
    rlx_vec_free(&all->at[i].defs);
    free(all->at[i].uri);
  }
  rlx_vec_free(all);
}
