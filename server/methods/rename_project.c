/// Renames across files: the modules of the project that import the name.
#include "server/methods/rename_project.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/edit/rename.h"
#include "base/file.h"
#include "base/mem.h"

enum { FILES_MAX = 5000, FILE_BYTES_MAX = 1 << 20 };

typedef struct Search {
  RlxServer *server;
  RlxProject *home; ///< of the file that defines the name
  const char *old, *name;
  RlxProjectRename *out;
  RlxBuf *why;
  uint32_t files;
} Search;

/// A module that is being looked through.
typedef struct Module {
  Search *s;
  RlxFile *file;
  RlxProject project;
  const char *path;
  RlxSpans spans;
} Module;

static bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c & 0x80);
}

/// Whether the dotted name is the file that defines the symbol.
static bool is_home(Module *m, const char *module, const char *member) {
  RlxModuleReader reader = rlx_project_reader(&m->project);
  RlxBuf text = {0}, path = {0}, dotted = {0};
  rlx_buf_puts(&dotted, module);
  if (*member) rlx_buf_printf(&dotted, "%s%s", module[strspn(module, ".")] ? "." : "", member);
  bool is = reader.read(reader.data, "", rlx_buf_text(&dotted), &text, &path) &&
            !strcmp(rlx_buf_text(&path), m->s->home->file);
  rlx_buf_free(&text);
  rlx_buf_free(&path);
  rlx_buf_free(&dotted);
  return is;
}

/// The symbol that the import of `stmt` binds, which ends at `end`.
static bool bound(Module *m, uint32_t end, RlxSymbol *out) {
  return rlx_file_symbol_at(m->file, end, out) && out->kind == RLX_SYMBOL_OUTER;
}

static void say_taken(Module *m, const RlxBuf *why) {
  rlx_buf_printf(m->s->why, "in %s %s", m->path, rlx_buf_text(why));
}

/// `from home import NAME [as …]`.
static void take_member(Module *m, const RlxStmt *stmt, const RlxImport *import) {
  uint32_t size, length = (uint32_t)strlen(m->s->old);
  const char *text = rlx_document_text(rlx_file_document(m->file), &size);
  RlxSpan span = rlx_stmt_absolute(stmt, import->span);
  RlxSymbol symbol;
  if (span.end - span.start > length) { // with `as`
    rlx_vec_push(&m->spans, rlx_span(span.start, span.start + length));
    return;
  }
  if (memcmp(text + span.start, m->s->old, length) != 0 || !bound(m, span.end, &symbol)) return;
  RlxBuf why = {0};
  if (rlx_symbol_may_be_called(m->file, &symbol, m->s->name, &why))
    rlx_file_symbol_references(m->file, &symbol, &m->spans);
  else
    say_taken(m, &why);
  rlx_buf_free(&why);
}

/// `import home`, `from … import home`: NAME behind a dot.
static void take_attributes(Module *m, const RlxStmt *stmt, const RlxImport *import) {
  uint32_t size, length = (uint32_t)strlen(m->s->old);
  const char *text = rlx_document_text(rlx_file_document(m->file), &size);
  RlxSymbol symbol;
  RlxSpans uses = {0};
  if (bound(m, stmt->start + import->span.end, &symbol))
    rlx_file_symbol_references(m->file, &symbol, &uses);
  for (uint32_t i = 0; i < uses.count; i++) {
    uint32_t at = uses.at[i].end;
    bool is_it = at + 1 + length <= size && text[at] == '.' &&
                 !memcmp(text + at + 1, m->s->old, length) && !is_word(text[at + 1 + length]);
    if (is_it) rlx_vec_push(&m->spans, rlx_span(at + 1, at + 1 + length));
  }
  rlx_vec_free(&uses);
}

static void look_through(Module *m, const RlxBlock *block, int depth) {
  const RlxStore *store = rlx_analyzer_store(m->s->server->analyzer);
  for (uint32_t i = 0; block && depth < 100 && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    for (uint32_t k = 0; stmt->kind == RLX_STMT_IMPORT && k < stmt->import_count; k++) {
      const RlxImport *import = &stmt->imports[k];
      const char *module = rlx_store_text(store, import->module),
                 *member = import->member ? rlx_store_text(store, import->member) : "";
      if (!strcmp(member, m->s->old) && is_home(m, module, ""))
        take_member(m, stmt, import);
      else if (import->name && is_home(m, module, member))
        take_attributes(m, stmt, import);
    }
    look_through(m, stmt->body, depth + 1);
    look_through(m, stmt->orelse, depth + 1);
    for (uint32_t k = 0; k < stmt->block_count; k++) look_through(m, stmt->blocks[k], depth + 1);
  }
}

static int by_start(const void *a, const void *b) {
  const RlxSpan *x = a, *y = b;
  return x->start < y->start ? -1 : x->start > y->start;
}

static void keep(Module *m, const RlxOpenFile *open) {
  if (!m->spans.count || m->s->why->size) return;
  RlxProjectEdits edits = {.uri = rlx_server_uri(m->s->server, m->path),
                           .is_open = open != NULL,
                           .has_version = open && open->has_version,
                           .version = open ? open->version : 0};
  qsort(m->spans.at, m->spans.count, sizeof *m->spans.at, by_start);
  for (uint32_t i = 0; i < m->spans.count; i++) {
    if (i && m->spans.at[i].start == m->spans.at[i - 1].start) continue;
    RlxProjectEdit edit = {rlx_position_of(m->s->server, m->file, m->spans.at[i].start),
                           rlx_position_of(m->s->server, m->file, m->spans.at[i].end)};
    rlx_vec_push(&edits.at, edit);
  }
  rlx_vec_push(m->s->out, edits);
}

static void search_file(Search *s, const char *path) {
  RlxBuf text = {0};
  RlxError err = {0};
  const RlxOpenFile *open = rlx_server_open_at(s->server, path);
  uint32_t size = 0;
  const char *held = open ? rlx_open_file_text(open, &size) : NULL;
  if (held) rlx_buf_putn(&text, held, size);
  bool is_read = held || rlx_file_read_regular(path, FILE_BYTES_MAX, &text, &err);
  bool may_use = is_read && text.size && strstr(rlx_buf_text(&text), s->old) &&
                 strstr(rlx_buf_text(&text), "import");
  if (may_use) {
    Module m = {.s = s, .path = path};
    m.file = rlx_file_open(s->server->analyzer, rlx_buf_text(&text), (uint32_t)text.size);
    rlx_project_attach(&m.project, m.file, path, s->home->root);
    m.project.open_text = s->home->open_text;
    m.project.open_data = s->home->open_data;
    look_through(&m, rlx_document_root(rlx_file_document(m.file)), 0);
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
  size_t length = strlen(at->name);
  bool is_module = !at->is_folder && length > 3 && !strcmp(at->name + length - 3, ".py");
  if (is_module) s->files++;
  if (is_module && strcmp(at->path, s->home->file) != 0) search_file(s, at->path);
  return true;
}

bool rlx_server_rename_elsewhere(RlxServer *server, RlxOpenFile *file, const RlxSymbol *symbol,
                                 const char *name, RlxProjectRename *out, RlxBuf *why) {
  bool is_top =
      symbol->scope && !symbol->scope->parent && symbol->def_stmt->kind != RLX_STMT_IMPORT;
  if (!is_top || !file->project) return true;
  RlxModuleReader reader = rlx_project_reader(file->project);
  RlxBuf text = {0}, path = {0};
  (void)reader.read(reader.data, "", ".", &text, &path); // finds out where the project is
  rlx_buf_free(&text);
  rlx_buf_free(&path);
  if (!file->project->file || !file->project->root) return true;
  Search s = {.server = server,
              .home = file->project,
              .old = rlx_store_text(rlx_analyzer_store(server->analyzer), symbol->name),
              .name = name,
              .out = out,
              .why = why};
  RlxError err = {0};
  (void)rlx_file_walk(file->project->root, visit, &s, &err);
  return !why->size;
}

void rlx_project_rename_free(RlxProjectRename *all) {
  for (uint32_t i = 0; i < all->count; i++) {
    rlx_vec_free(&all->at[i].at);
    free(all->at[i].uri);
  }
  rlx_vec_free(all);
}
