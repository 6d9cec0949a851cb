/// The syntax the analyzer works on: Python statements and expressions, lowered from tree-sitter's
/// tree by syntax.c. A statement owns its nodes (one arena each), spans inside are relative to the
/// statement's first byte, so a statement survives every edit outside it. Where the text is broken
/// there are HOLE nodes: never NULL children.
#ifndef RLX_ANALYZER_AST_H
#define RLX_ANALYZER_AST_H

#include "analyzer/syntax/span.h"
#include "base/arena.h"
#include "base/intern.h"
#include <stdbool.h>

typedef enum RlxAstKind {
  RLX_AST_HOLE,  ///< broken or missing
  RLX_AST_NAME,  ///< name
  RLX_AST_INT,   ///< integer; `text` when it does not fit int64 (is_big)
  RLX_AST_FLOAT, ///< number
  RLX_AST_IMAGINARY,
  RLX_AST_STRING,  ///< text: decoded value (prefixes, escapes, implicit concatenation done)
  RLX_AST_BYTES,   ///< text
  RLX_AST_FSTRING, ///< children: STRING parts and expressions in order; op 1: a part has a
                   ///< conversion, format or `=`
  RLX_AST_TRUE,
  RLX_AST_FALSE,
  RLX_AST_NONE,
  RLX_AST_ELLIPSIS,
  RLX_AST_TUPLE, ///< children; with or without parentheses (is_parenthesized)
  RLX_AST_LIST,
  RLX_AST_SET,
  RLX_AST_DICT, ///< children: key, value, key, value…; `**x` has a HOLE of no length as key and a
                ///< DOUBLE_STARRED value
  RLX_AST_CALL, ///< children[0] callee, then arguments in source order: expressions, STARRED,
                ///< DOUBLE_STARRED, KEYWORD
  RLX_AST_KEYWORD,     ///< name = children[0]
  RLX_AST_ATTRIBUTE,   ///< children[0].name; name_span is where the name stands
  RLX_AST_SUBSCRIPT,   ///< children[0][children[1…]]
  RLX_AST_SLICE,       ///< children: start, stop, step; an absent one is a NONE node of zero length
  RLX_AST_UNARY,       ///< op children[0]
  RLX_AST_BINARY,      ///< children[0] op children[1]
  RLX_AST_BOOL_OP,     ///< AND / OR of two
  RLX_AST_COMPARE,     ///< children[0] ops[0] children[1] ops[1] children[2]…
  RLX_AST_CONDITIONAL, ///< children: then, condition, else
  RLX_AST_LAMBDA,      ///< params, children[0] body
  RLX_AST_STARRED,
  RLX_AST_DOUBLE_STARRED,
  RLX_AST_COMPREHENSION, ///< list/set/generator/dict comprehension; `comp` says; children: element
                         ///< (dict: key, value), then clauses flat: COMP_FOR, COMP_IF
  RLX_AST_COMP_FOR,      ///< children: target, iterable
  RLX_AST_COMP_IF,       ///< children: condition
  RLX_AST_NAMED,         ///< name := children[0]
  RLX_AST_AWAIT,
  RLX_AST_YIELD,
} RlxAstKind;

typedef enum RlxAstOp {
  RLX_OP_NONE,
  RLX_OP_ADD,
  RLX_OP_SUB,
  RLX_OP_MUL,
  RLX_OP_DIV,
  RLX_OP_FLOORDIV,
  RLX_OP_MOD,
  RLX_OP_POW,
  RLX_OP_MATMUL,
  RLX_OP_SHL,
  RLX_OP_SHR,
  RLX_OP_BITAND,
  RLX_OP_BITOR,
  RLX_OP_BITXOR,
  RLX_OP_INVERT,
  RLX_OP_NOT,
  RLX_OP_NEG,
  RLX_OP_POS,
  RLX_OP_AND,
  RLX_OP_OR,
  RLX_OP_EQ,
  RLX_OP_NE,
  RLX_OP_LT,
  RLX_OP_LE,
  RLX_OP_GT,
  RLX_OP_GE,
  RLX_OP_IN,
  RLX_OP_NOT_IN,
  RLX_OP_IS,
  RLX_OP_IS_NOT,
} RlxAstOp;

typedef enum RlxCompKind {
  RLX_COMP_LIST,
  RLX_COMP_SET,
  RLX_COMP_DICT,
  RLX_COMP_GENERATOR
} RlxCompKind;

typedef struct RlxAst RlxAst;
typedef struct RlxParam RlxParam;

/// A large file has hundreds of thousands of nodes: a byte more here is a quarter of a megabyte. A
/// node and its places for children are one piece of memory, so that `*node` alone copies no children.
struct RlxAst {
  uint8_t kind;         ///< RlxAstKind
  uint8_t op;           ///< RlxAstOp of UNARY, BINARY, BOOL_OP; RlxCompKind of COMPREHENSION
  uint16_t height : 14; ///< levels: 1 without children
  uint16_t is_parenthesized : 1; ///< of TUPLE and what else stands in parentheses
  uint16_t is_big : 1;           ///< INT: text instead of integer
  RlxSpan span;
  uint32_t child_count;
  RlxName name; ///< NAME, ATTRIBUTE, KEYWORD, NAMED
  union {
    uint32_t text_size;   ///< with `text`
    uint32_t param_count; ///< with `params`
  };
  union {
    RlxSpan name_span; ///< NAME, ATTRIBUTE, KEYWORD, NAMED: of the name
    int64_t integer;
    double number;
    const char *text;   ///< NUL terminated
    const uint8_t *ops; ///< COMPARE: RlxAstOp, child_count - 1 of them
    RlxParam *params;   ///< LAMBDA
  };
  RlxAst *children[]; ///< child_count of them
};

/// A parameter of a def or lambda.
struct RlxParam {
  RlxName name;
  RlxSpan span, name_span;
  uint8_t star;              ///< 0; 1: *args (or a bare * with name 0); 2: **kwargs
  bool is_positional_marker; ///< a bare /
  RlxAst *annotation;        ///< or NULL
  RlxAst *default_value;     ///< or NULL
};

/// Parameters that stand beside each other.
typedef struct RlxParams {
  RlxParam *at;
  uint32_t count;
} RlxParams;

typedef enum RlxStmtKind {
  RLX_STMT_HOLE, ///< broken beyond recognition; targets may hold expressions that were recognised,
                 ///< body the suite of a stray clause
  RLX_STMT_EXPR, ///< value
  RLX_STMT_ASSIGN,    ///< targets[0..target_count) = value  (a = b = c has two targets)
  RLX_STMT_ANNOTATED, ///< targets[0]: annotation [= value]
  RLX_STMT_AUGMENTED, ///< targets[0] op= value
  RLX_STMT_RETURN,    ///< value or NULL
  RLX_STMT_ASSERT,    ///< value, message
  RLX_STMT_DELETE,
  RLX_STMT_RAISE,
  RLX_STMT_PASS,
  RLX_STMT_BREAK,
  RLX_STMT_CONTINUE,
  RLX_STMT_IMPORT, ///< names bound are in `imports`
  RLX_STMT_GLOBAL, ///< global / nonlocal: names in `imports`
  RLX_STMT_TYPE_ALIAS,
  RLX_STMT_IF, ///< value = condition, body, orelse (an elif is one IF statement in orelse, is_elif)
  RLX_STMT_WHILE, ///< value, body, orelse
  RLX_STMT_FOR,   ///< targets[0], value = iterable, body, orelse
  RLX_STMT_WITH,  ///< items, body
  RLX_STMT_TRY,   ///< body; handlers, else and finally in `blocks`
  RLX_STMT_MATCH, ///< value; case bodies in `blocks`
  RLX_STMT_DEF,   ///< name, params, annotation = return annotation, decorators, type_params, body
  RLX_STMT_CLASS, ///< name, bases (arguments of the class) in targets, decorators, body
} RlxStmtKind;

typedef struct RlxStmt RlxStmt;

/// Statements of one indented suite (or of the file).
typedef struct RlxBlock {
  RlxStmt **stmts;
  uint32_t count, capacity;
  RlxStmt *parent; ///< statement whose suite it is; NULL for the file
} RlxBlock;

typedef struct RlxImport { ///< one name bound by an import, global or nonlocal statement
  RlxName name;            ///< bound name (`np` in `import numpy as np`); 0 for `*`
  RlxName module;          ///< "tvm.script" (dots included); 0 for global/nonlocal
  RlxName member;          ///< imported member of `from m import member`; 0 for plain import
  RlxSpan span;
} RlxImport;

typedef struct RlxWithItem {
  RlxAst *value;
  RlxAst *target; ///< `as target`, or NULL
} RlxWithItem;

struct RlxStmt {
  uint8_t kind;                        ///< RlxStmtKind
  uint8_t op;                          ///< AUGMENTED: RlxAstOp
  bool is_elif, is_async, is_nonlocal; ///< IF in an orelse; DEF, FOR, WITH; GLOBAL
  bool has_error; ///< an ERROR or MISSING node stands directly in its own text (not in its suite's
                  ///< statements)
  bool is_docstring;
  bool is_mended;     ///< its parts are read from a text without what is wrong in its own
  uint32_t index;     ///< position in `block`, kept current; what is kept current stands together
  uint32_t start;     ///< first byte in the file (of the first decorator), kept current
  uint32_t size;      ///< bytes to the end of its last token, suite included, kept current
  uint32_t head_size; ///< bytes of its own part: all of a simple statement; decorators and header
                      ///< up to ':' of a compound one
  uint32_t line;      ///< line of `start`, from 0, kept current
  uint64_t text_hash; ///< of its own part: equal hash and kind means equal text
  RlxBlock *block;    ///< where it stands
  RlxArena *arena;    ///< owns the nodes below
  RlxAst **targets;
  uint32_t target_count;
  uint32_t decorator_count;
  RlxAst *value, *annotation, *message; ///< or NULL
  RlxAst **decorators;
  RlxName name;
  RlxSpan name_span;
  uint32_t param_count, item_count, import_count, type_param_count;
  union { ///< as the counts say: one of them at most is not 0
    RlxParam *params;
    RlxWithItem *items;
    RlxImport *imports;
  };
  RlxName *type_params;    ///< PEP 695 names of a def or class
  RlxBlock *body, *orelse; ///< or NULL
  RlxBlock **blocks;       ///< TRY handlers/else/finally, MATCH cases
  uint32_t block_count;
  RlxSpan left_out; ///< of the head of a function that is mended: bytes that are not read, relative
  RlxStmt
      *reading; ///< of a broken simple statement: what it can mean, linked by `reading`, the last
                ///< (has_error) as it stands; of a reading: the next one
  RlxSpan *errors; ///< ERROR and MISSING nodes of its own part, relative
  uint32_t error_count;
  bool is_spelling_known;    ///< the next two were computed (dialect.c)
  uint8_t spelling_fits;     ///< dialects, as bits, that have all spellings of its own part
  uint8_t spelling_votes[4]; ///< for each dialect, from spellings that not all have
  uint8_t spelling_today; ///< of these, votes against tlc-pack for spellings of its last year, too
  uint8_t
      spelling_taken; ///< of these, votes for spellings that other dialects take as something else
  uint8_t spelling_reads; ///< as spelling_fits, with the dialects that take those
  uint8_t spelling_marks; ///< RlxSpellingMarks
  void *analysis;         ///< owned by the analyzer; freed through the document's drop callback
};

enum { RLX_AST_DOTTED_MAX = 160, RLX_AST_DOTTED_PARTS = 16 };
struct RlxStore;

/// Writes the names behind the first of an attribute chain ("axis.spatial" of `T.axis.spatial`) to
/// `out` and returns the first name's node. NULL: `ast` is no chain of names, or one of more than
/// RLX_AST_DOTTED_PARTS or longer than fits.
const RlxAst *rlx_ast_dotted(const struct RlxStore *store, const RlxAst *ast,
                             char out[static RLX_AST_DOTTED_MAX]);

/// A node like `like`, in `arena`, with other children; theirs are the nodes themselves, not copies.
RlxAst *rlx_ast_with_children(struct RlxArena *arena, const RlxAst *like,
                              const RlxAst *const *children, uint32_t count);

/// `stmt`'s parts become those of one of its readings.
void rlx_stmt_take_reading(RlxStmt *stmt, const RlxStmt *reading);

/// Whether the statement's own text is broken and nothing says what it is without its slip.
static inline bool rlx_stmt_is_garbled(const RlxStmt *stmt) {
  return stmt->has_error && !stmt->is_mended;
}

/// What a decorator's flag says that is written as a constant, `private=True`, `pure=0`: 1 or 0, as Python takes it for true or
/// false; -1 of anything else.
int rlx_ast_flag(const RlxAst *ast);

/// Whether `name` is read in the expression, alone or behind a dot. NULL is an expression without names.
bool rlx_ast_names(const RlxAst *ast, RlxName name);
/// The first place in the expression where `name` stands by itself, not behind a dot nor in a string; NULL: there is none.
const RlxAst *rlx_ast_find_name(const RlxAst *ast, RlxName name);
/// The value of an integer that is written and that uint64 holds and int64 does not; false for all else.
bool rlx_ast_unsigned(const RlxAst *ast, uint64_t *out);

/// The first name of a target of an assignment that stands in it before, `a, (b, a)`; NULL: there is none.
const RlxAst *rlx_ast_name_again(const RlxAst *target);

/// Of a def's parameters those that TVM's parser takes, which reads the plain ones of Python's `ast.arguments`: not those before `/`,
/// with a star, or behind one.
RlxParams rlx_taken_params(const RlxStmt *def);
/// Whether `param`, of the same def, is a name that is not among these.
static inline bool rlx_is_left_out(RlxParams taken, const RlxParam *param) {
  return param->name && (param < taken.at || param >= taken.at + taken.count);
}

#endif
