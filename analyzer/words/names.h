/// Names of the script's vocabulary: from an import path or an attribute chain to what it stands
/// for.
#ifndef RLX_ANALYZER_NAMES_H
#define RLX_ANALYZER_NAMES_H

#include "analyzer/ops/op_table.h"
#include "analyzer/struct_info/ir.h"
#include "base/map.h"

typedef enum RlxWord {
  RLX_WORD_NONE,
#define RLX_WORD(id, path, params, call) RLX_WORD_##id,
#include "analyzer/words/words.def"
#undef RLX_WORD
  RLX_WORD_COUNT
} RlxWord;

/// Kinds of RlxValue that only the evaluator sees, behind those of RlxValueKind.
enum {
  RLX_VALUE_NAMESPACE =
      32,              ///< string: canonical path ("R.nn"); count, nested: those of eval/metadata.c
  RLX_VALUE_MISSING,   ///< string: path of an R attribute that does not exist
  RLX_VALUE_OP,        ///< thing: RlxOpRow
  RLX_VALUE_WORD,      ///< integer: RlxWord
  RLX_VALUE_DTYPE,     ///< integer: packed dtype (T.float32)
  RLX_VALUE_TFUNC,     ///< string: other function of T (T.log2)
  RLX_VALUE_CLASS,     ///< thing: RlxModule
  RLX_VALUE_FUNCTION,  ///< thing: RlxFn outside of any module, or of one, as a Python object
  RLX_VALUE_BUILTIN,   ///< string: Python's
  RLX_VALUE_METHOD,    ///< thing: RlxMethod
  RLX_VALUE_SYMDECL,   ///< integer: name and dtype of a symbolic variable to be (T.int64(),
                       ///< TypeVar("n")); is_bare: a TypeVar
  RLX_VALUE_CAST,      ///< thing: RlxCastPair
  RLX_VALUE_LAMBDA,    ///< thing: RlxAst; see rlx_lambda_value
  RLX_VALUE_ARRAY,     ///< expr: constant, an array of numpy's; is_bare: of TVM's runtime
  RLX_VALUE_LIMITS,    ///< integer: packed dtype (numpy.iinfo("int64"))
  RLX_VALUE_STATEMENT, ///< integer: RlxWord of a call that is a statement (R.output, R.func_attr),
                       ///< done
};

/// What is remembered of names; lives as long as the analyzer.
typedef struct RlxWords {
  RlxStore *store;
  RlxArena *arena;         ///< of the analyzer
  RlxMap paths;            ///< (namespace, attribute) → RlxValue *
  RlxMap predefined;       ///< row of a predefined name → RlxValue *
  RlxStrMap spelled;       ///< a dotted path → what rows of dialects say of it (dialect.c)
  RlxMap spelled_keywords; ///< RlxName of a keyword → whether rows of dialects speak of it
  RlxStrMap
      dialects; ///< words that dialects spell differently; low byte: those that have it, as bits
} RlxWords;
void rlx_words_free(RlxWords *words); ///< what it remembers; store and arena are others'

const char *rlx_word_path(RlxWord word); ///< "R.const"

/// The name of a word of the vocabulary, interned once.
RlxName rlx_word_name(RlxWords *words, const char *text);

/// Meaning of `namespace.attribute`.
RlxValue rlx_names_attribute(RlxWords *words, RlxName path, RlxName attribute);

/// `path` as it is called inside where the whole of it, or the module that it begins with, is an alias ("tvm.script.relax.add":
/// "R.add"), in `out`; false: it is called so inside, too.
bool rlx_names_canonical(const char *path, RlxBuf *out);

/// The value that a canonical or import path stands for.
RlxValue rlx_names_path(RlxWords *words, const char *path);

/// Whether Python has the name without an import.
bool rlx_names_is_builtin(const char *text);
/// Whether the text may say what a target is: a kind that the wheels list, a tag, JSON. Options behind a kind are refused from 0.25 on.
bool rlx_names_is_target(const char *text);
/// Whether the wheels have targets of that kind.
bool rlx_names_is_target_kind(const char *text);
/// Whether `path` ("tvm.topi.add") lies inside of TVM's vocabulary, whose names the tables of this
/// room know; anything else is what a module of Python holds.
bool rlx_names_is_vocabulary(const char *path);
/// Whether a call of the word opens a scope of the builder of the IR, for `with`: R.dataflow, R.SeqExpr, R.If and its branches.
bool rlx_word_opens_frame(RlxWord word);

/// A name that is defined without an import: I, R, T, tvm, metadata.
bool rlx_names_predefined(RlxWords *words, const char *text, RlxValue *out);

static inline int64_t rlx_pack_dtype(RlxDType t) {
  return (int64_t)t.code | (int64_t)t.bits << 8 | (int64_t)t.lanes << 16;
}

static inline RlxDType rlx_unpack_dtype(int64_t v) {
  RlxDType t = {(uint8_t)(v & 255), (uint8_t)(v >> 8 & 255), (uint16_t)(v >> 16 & 65535)};
  return t;
}
/// Of a SYMDECL.
static inline RlxDType rlx_symbol_dtype(const RlxValue *v) {
  return rlx_unpack_dtype(v->integer >> 32);
}

#endif
