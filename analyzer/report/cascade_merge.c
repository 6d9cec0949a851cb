/// Reports that one mistake causes at several places become one report (rows RLX_REPEAT of
/// cascades.def).
/// Always true: the report that is left has the fixes of all.
#include "analyzer/report/cascade.h"

#include <ctype.h>
#include <string.h>

#include "analyzer/state/state.h"
#include "base/hash.h"
#include "base/map.h"

typedef enum Scope {
  SCOPE_FILE,
  SCOPE_FUNCTION,
  SCOPE_NAME,
  SCOPE_OPERAND,
  SCOPE_ARGUMENT,
  SCOPE_STATEMENT
} Scope;
typedef struct Repeat {
  const RlxDiagId *id;
  Scope scope;
  bool same_message;
} Repeat;
#define RLX_CASCADE(effect, cause, where)
#define RLX_REPEAT(id, scope, same_message) extern const RlxDiagId rlx_diag_id_##id;
#include "analyzer/report/cascades.def"
#undef RLX_REPEAT
#undef RLX_CASCADE
static const Repeat repeats[] = {
#define RLX_CASCADE(effect, cause, where)
#define RLX_REPEAT(id, scope, same_message) {&rlx_diag_id_##id, SCOPE_##scope, same_message},
#include "analyzer/report/cascades.def"
#undef RLX_REPEAT
#undef RLX_CASCADE
};

/// The row of an id at `*next` or behind; NULL: there is none. Moves `*next` behind it.
static const Repeat *next_repeat(RlxDiagId id, size_t *next) {
  while (*next < sizeof repeats / sizeof repeats[0])
    if (*repeats[(*next)++].id == id) return &repeats[*next - 1];
  return NULL;
}

static bool is_name(const char *text, RlxSpan span) {
  for (uint32_t i = span.start; i < span.end; i++)
    if (text[i] != '_' && !isalnum((unsigned char)text[i])) return false;
  return span.end > span.start && !isdigit((unsigned char)text[span.start]);
}

/// Whether a name is a module or a namespace: a dot follows, or a statement binds it as it is.
static bool is_space(const RlxFileDiag *d, const char *text, uint32_t size) {
  const RlxAst *value = d->stmt->kind == RLX_STMT_ASSIGN ? d->stmt->value : NULL;
  return (d->span.end < size && text[d->span.end] == '.') || (value && value->kind == RLX_AST_NAME);
}

/// A key that reports of one mistake share; 0: this row is not about the report.
static uint64_t key_of(const RlxFile *file, const RlxFileDiag *d, const Repeat *repeat) {
  const Scope scope = repeat->scope;
  const char *message = d->diag->message;
  uint64_t key = rlx_hash_mix(rlx_hash_u64(d->diag->id + 1), (uint64_t)(repeat - repeats));
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  const bool has_text = d->span.end <= size;
  if (scope == SCOPE_ARGUMENT) {
    message = strstr(message, " is ");
    if (!message || !has_text || !is_name(text, d->span)) return 0;
  }
  if (repeat->same_message) key = rlx_hash_bytes(message, strlen(message), key);
  if (scope == SCOPE_FILE && d->diag->related_count) // functions of two modules share a name
    key = rlx_hash_mix(key, (uint64_t)(uintptr_t)d->diag->related[0].stmt);
  if (scope == SCOPE_STATEMENT) key = rlx_hash_mix(key, (uint64_t)(uintptr_t)d->stmt);
  if ((scope == SCOPE_NAME || scope == SCOPE_ARGUMENT) && has_text)
    key = rlx_hash_bytes(text + d->span.start, d->span.end - d->span.start, key);
  if (scope == SCOPE_FUNCTION || scope == SCOPE_OPERAND || scope == SCOPE_ARGUMENT ||
      (scope == SCOPE_NAME && !is_space(d, text, size)))
    key = rlx_hash_mix(key, (uint64_t)(uintptr_t)rlx_file_fn_at(file, d->span.start));
  return key | 1;
}

/// What leaders' statements read, and which pair of statements was compared last: diagnostics of
/// one statement stand together.
typedef struct Reads {
  RlxMap names; ///< keys of a statement and a name
  const RlxStmt *stmt, *leader;
  bool answer;
} Reads;

static uint64_t read_key(const RlxStmt *stmt, uint64_t name) {
  return rlx_hash_mix(rlx_hash_u64((uint64_t)(uintptr_t)stmt), name);
}

static void note_names(Reads *reads, const RlxStmt *stmt, const RlxAst *ast) {
  if (!ast) return;
  if (ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE)
    rlx_map_put(&reads->names, read_key(stmt, ast->name), 1);
  for (uint32_t i = 0; i < ast->child_count; i++) note_names(reads, stmt, ast->children[i]);
}

/// Whether a value reads a variable that the leader's does: names before a dot are namespaces and
/// modules.
static bool reads_one_of(const Reads *reads, const RlxAst *ast, const RlxStmt *leader) {
  if (!ast || ast->kind == RLX_AST_ATTRIBUTE) return false;
  if (ast->kind == RLX_AST_NAME)
    return rlx_map_get(&reads->names, read_key(leader, ast->name), NULL);
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (reads_one_of(reads, ast->children[i], leader)) return true;
  return false;
}

static bool share_name(Reads *reads, const RlxStmt *stmt, const RlxStmt *leader) {
  if (reads->stmt == stmt && reads->leader == leader) return reads->answer;
  if (rlx_map_put(&reads->names, read_key(leader, UINT64_MAX), 1))
    note_names(reads, leader, leader->value);
  reads->stmt = stmt;
  reads->leader = leader;
  reads->answer = reads_one_of(reads, stmt->value, leader);
  return reads->answer;
}

/// Places of one mistake that are shown; edits that one fix may have.
enum { SHOWN = 8, EDITS = 64 };

/// Whether the fixes of two reports can be done together.
static bool fixes_match(const RlxDiag *a, const RlxDiag *b) {
  if (a->fix_count != b->fix_count) return false;
  for (uint32_t i = 0; i < a->fix_count; i++)
    if (strcmp(a->fixes[i].title, b->fixes[i].title) != 0 ||
        a->fixes[i].edit_count + b->fixes[i].edit_count > EDITS)
      return false;
  return true;
}

/// Adds the edits of `d`'s fix `i` to those of `diag`, but for what is there already. Edits stand
/// relative to the leader's statement; those before it wrap around, as unsigned numbers do.
static void add_edits(RlxFile *file, const RlxFileDiag *leader, RlxFix *fix, const RlxFileDiag *d,
                      uint32_t i) {
  const RlxFix *more = &d->diag->fixes[i];
  const RlxStmt *own = fix->stmt ? fix->stmt : leader->stmt;
  RlxEdit *edits = rlx_arena_array(file->diag_arena, RlxEdit, fix->edit_count + more->edit_count);
  uint32_t count = fix->edit_count;
  memcpy(edits, fix->edits, count * sizeof *edits);
  for (uint32_t k = 0; k < more->edit_count; k++) {
    RlxSpan span = rlx_file_diag_edit(d, more, k);
    RlxEdit edit = {rlx_span(span.start - own->start, span.end - own->start), more->edits[k].text};
    bool known = false;
    for (uint32_t j = 0; j < count && !known; j++)
      known = edits[j].span.start == edit.span.start && edits[j].span.end == edit.span.end &&
              strcmp(edits[j].text, edit.text) == 0;
    if (!known) edits[count++] = edit;
  }
  fix->edits = edits;
  fix->edit_count = count;
}

static void add_place(RlxFile *file, RlxFileDiag *leader, const RlxFileDiag *d, uint32_t places) {
  RlxDiag *diag = rlx_arena_one(file->diag_arena, RlxDiag);
  *diag = *leader->diag;
  if (places < SHOWN) rlx_diag_related(&file->diag_sink, diag, d->stmt, d->diag->span, "here, too");
  if (diag->fix_count)
    diag->fixes =
        rlx_arena_copy(file->diag_arena, diag->fixes, diag->fix_count, sizeof *diag->fixes);
  const bool matches = fixes_match(leader->diag, d->diag);
  for (uint32_t i = 0; i < diag->fix_count && matches; i++)
    add_edits(file, leader, &diag->fixes[i], d, i);
  leader->diag = diag;
}

/// Whether `d` is said by `leader`.
static bool is_repeat(Reads *reads, const Repeat *repeat, const RlxFileDiag *leader,
                      const RlxFileDiag *d) {
  // What a name may be meant to be differs from place to place: it is one name all the same.
  return (repeat->scope == SCOPE_NAME || fixes_match(leader->diag, d->diag)) &&
         (repeat->scope != SCOPE_OPERAND || share_name(reads, d->stmt, leader->stmt));
}

/// What reports were left of, by the keys of all their rows: index, and how many places were added.
typedef struct Leaders {
  RlxMap by_key;
  Reads reads;
} Leaders;

/// The key of a report by a row; 0: it is not about the report.
static uint64_t key_by(const RlxFile *file, const RlxFileDiag *d, const Repeat *repeat) {
  const bool is_compound = repeat->scope == SCOPE_STATEMENT && d->stmt->body;
  return is_compound ? 0 : key_of(file, d, repeat);
}

/// Adds a report to the one that says it; false: there is none, others may be added to this one,
/// which is kept as number `kept`.
static bool is_merged(RlxFile *file, RlxFileDiags *diags, Leaders *leaders, const RlxFileDiag *d,
                      uint32_t kept) {
  const Repeat *repeat;
  for (size_t next = 0; (repeat = next_repeat(d->diag->id, &next));) {
    uint64_t key = key_by(file, d, repeat), known = 0;
    if (!key || !rlx_map_get(&leaders->by_key, key, &known) ||
        !is_repeat(&leaders->reads, repeat, &diags->at[(uint32_t)known], d))
      continue;
    add_place(file, &diags->at[(uint32_t)known], d, (uint32_t)(known >> 32));
    rlx_map_put(&leaders->by_key, key, known + ((uint64_t)1 << 32));
    return true;
  }
  for (size_t next = 0; (repeat = next_repeat(d->diag->id, &next));) {
    uint64_t key = key_by(file, d, repeat);
    if (key) rlx_map_put(&leaders->by_key, key, kept);
  }
  return false;
}

void rlx_cascade_merge(RlxFile *file, RlxFileDiags *diags, uint32_t from) {
  Leaders leaders = {0};
  uint32_t kept = from;
  for (uint32_t i = from; i < diags->count; i++) {
    const RlxFileDiag d = diags->at[i];
    if (!d.stmt || d.diag->severity != RLX_ERROR || !is_merged(file, diags, &leaders, &d, kept))
      diags->at[kept++] = d;
  }
  diags->count = kept;
  rlx_map_free(&leaders.by_key);
  rlx_map_free(&leaders.reads.names);
}
