/// What the files of inlining share (normalize_inline*.c): one pass over a function, what it
/// inlines, the texts it gathers. A pass keeps what names mean in two texts, the one that is there
/// and the one that is written, so that it sees where they differ.
#ifndef RLX_ANALYZER_NORMALIZE_INLINE_H
#define RLX_ANALYZER_NORMALIZE_INLINE_H

#include "analyzer/rewrite/normalize_edits.h"
#include "analyzer/state/file.h"
#include "base/map.h"

typedef struct RlxMention { // a name that a text reads, and what it stands for there
  RlxName name;
  const void *thing;
} RlxMention;
typedef Vec(RlxMention) RlxMentions;

typedef struct RlxInlineField { // of a tuple literal
  const char *text;
  const RlxMention *mentions;
  uint32_t mention_count, field_count;
  const struct RlxInlineField *fields; // its own, when it is a tuple literal itself
  bool is_tuple;                       // the text is one of Python
} RlxInlineField;

/// A binding that goes, or becomes a match_cast.
typedef struct RlxInlineItem {
  const RlxBinding *binding;
  const RlxStmt *stmt;
  const char *text;             // what stands for the variable
  const char *shape_text;       // the same in annotations, or NULL
  const RlxInlineField *fields; // of a tuple literal
  uint32_t field_count;
  RlxMentions mentions;
  const void *culprit; // what took one of the names
  RlxTextEdits edits;  // listing: of this one alone
  bool is_alias, is_cast, is_renamed, is_captured, can_apply;
} RlxInlineItem;

typedef struct RlxInlineUndo {
  RlxMap *env;
  RlxName name;
  uint64_t old;
} RlxInlineUndo;
typedef struct RlxSubstitute {
  RlxSpan span; // relative to the statement
  const char *text;
} RlxSubstitute;

/// One pass over a function.
typedef struct RlxInliner {
  RlxFile *file;
  RlxStore *store;
  const char *text;
  const char *prefix; // "R"
  const RlxNormalize *how;
  RlxArena *arena;
  RlxTextEdits *out;     // NULL: listing
  const RlxAst *operand; // a name where a tuple is to be `R.tuple(…)`
  RlxMap env;            // name → what it stands for in the text as it is
  RlxMap new_env;        // the same in the text as it will be
  Vec(RlxInlineUndo) undo;
  Vec(RlxInlineItem) items;
  RlxMap item_of;              // variable → item + 1
  RlxMap binding_of;           // variable → its binding
  RlxMap outputs;              // variables that R.output names
  RlxMap def_count;            // name → statements and parameters that bind it
  RlxMap renamed;              // variable → its new name
  RlxMap kept;                 // variables that stay as they are
  RlxMap given;                // names that were made up
  Vec(const void *) takers;    // variables that took the name of another one
  Vec(const RlxStmt *) hollow; // dataflow blocks that let nothing out any more
  Vec(RlxName) shadowed;       // by lambdas and comprehensions around
  bool in_annotation, is_rendering;
} RlxInliner;

/// What is found while a part of a statement is looked through.
typedef struct RlxGather {
  const RlxStmt *stmt;
  Vec(RlxSubstitute) subs;
  RlxMentions mentions;
} RlxGather;

// ---- normalize_inline_names.c

/// What `name` means in one of the two texts; NULL: nothing that the function defines.
void *rlx_inline_find(const RlxMap *env, RlxName name);
void *rlx_inline_meaning(const RlxInliner *n, RlxName name); ///< in the text as it is
/// From here on, until the undo list is cut back to where it was.
void rlx_inline_define(RlxInliner *n, RlxMap *env, RlxName name, const void *thing);
/// In both texts.
void rlx_inline_define_both(RlxInliner *n, RlxName name, const void *thing);
/// Takes back what was defined since the undo list had `mark` entries.
void rlx_inline_restore(RlxInliner *n, uint32_t mark);
/// What `unit` defines: in the new text not what goes, and what gets another name under that name.
void rlx_inline_apply(RlxInliner *n, const RlxAnalysis *unit);
/// The thing that a definition makes a name mean: its variable, if it is one.
const void *rlx_inline_identity(const RlxDef *def);
RlxInlineItem *rlx_inline_item(const RlxInliner *n, const void *var); ///< NULL: none
/// The binding of a variable; NULL: it has none here.
const RlxBinding *rlx_inline_binding(const RlxInliner *n, const void *var);
/// The name of a text.
RlxName rlx_inline_name(const RlxInliner *n, const char *text);

/// The variable that a canonical form reads instead of the one bound; NULL: none.
const RlxVar *rlx_inline_canonical(const RlxInliner *n, const RlxBinding *b);
/// A statement that does nothing but bind the names of its one target, with no call inside that is
/// still to be bound (or calls that are, when `with_calls`).
bool rlx_inline_is_plain(const RlxStmt *stmt, bool with_calls);

/// Notes the bindings of a suite, its outputs, and how often names are bound.
void rlx_inline_survey(RlxInliner *n, const RlxBlock *block);
/// Notes that a name is bound `by` times more.
void rlx_inline_count_def(RlxInliner *n, RlxName name, uint64_t by);
/// Notes the variables that may take the name of an output that is another name for them.
void rlx_inline_plan_renames(RlxInliner *n, const RlxBlock *block);
/// A name was taken between a binding and a use of it: the binding stays for now, the taker gets
/// another name. False: that happened nowhere.
bool rlx_inline_settle(RlxInliner *n, const RlxStmt *def);

// ---- normalize_inline_text.c

/// Notes that the text mentions a name, which means `thing`.
void rlx_gather_mention(RlxGather *g, RlxName name, const void *thing);
/// Frees what was gathered.
void rlx_gather_free(RlxGather *g);
/// Looks through an expression: its uses of items become substitutes, what it reads mentions.
void rlx_inline_gather(RlxInliner *n, RlxGather *g, const RlxAst *ast);
/// Text of an expression with what is inlined; in parentheses where it would not hold together.
/// NULL: too long.
const char *rlx_inline_render(RlxInliner *n, RlxGather *g, const RlxAst *ast);
/// Text that stands for the variable of `item`; NULL: there is none.
const char *rlx_inline_text(RlxInliner *n, RlxGather *g, RlxInlineItem *item);
/// Part of the value's syntax that `b` is made of; `*index` is the field when it is not written
/// out, else -1.
const RlxAst *rlx_inline_value(const RlxStmt *stmt, const RlxBinding *b, int *index);

#endif
