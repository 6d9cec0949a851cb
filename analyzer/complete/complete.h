/// What may be written at a place of a script: completion and signature help, for the language
/// server and the REPL. The text around the place is usually broken; what is offered follows from
/// the brackets around it and from what the analysis knows of the statements before it.
#ifndef RLX_ANALYZER_COMPLETE_H
#define RLX_ANALYZER_COMPLETE_H

#include "analyzer/state/file.h"
#include "analyzer/syntax/span.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"

typedef enum RlxOfferKind {
  RLX_OFFER_VARIABLE,  ///< of Relax, or a number of a PrimFunc
  RLX_OFFER_DIMENSION, ///< symbolic variable
  RLX_OFFER_BUFFER,
  RLX_OFFER_LOOP, ///< variable of a loop or a block
  RLX_OFFER_FUNCTION,
  RLX_OFFER_PRIM_FUNC,
  RLX_OFFER_OPERATOR,
  RLX_OFFER_WORD,      ///< of the vocabulary: R.const, T.grid, I.ir_module
  RLX_OFFER_TYPE,      ///< R.Tensor, T.Buffer
  RLX_OFFER_NAMESPACE, ///< R, T, R.nn, cls
  RLX_OFFER_MEMBER,    ///< what a value has behind a dot
  RLX_OFFER_DTYPE,
  RLX_OFFER_VALUE,     ///< that an attribute can take
  RLX_OFFER_PARAMETER, ///< `axis=`
  RLX_OFFER_KEYWORD,   ///< of Python
  RLX_OFFER_SNIPPET,
} RlxOfferKind;

typedef struct RlxOffer {
  const char *label;  ///< what is shown and, unless `insert` says otherwise, written
  const char *insert; ///< or NULL
  const char *filter; ///< what the word before the cursor is held against; NULL: the label
  const char *detail; ///< signature or StructInfo; NULL: none
  const char *import; ///< a line that the file needs for it, without line end; NULL: none
  const char *id;     ///< for rlx_offer_page; NULL: there is no more to say
  uint8_t kind;       ///< RlxOfferKind
  bool is_snippet;    ///< `insert` has tab stops, ${1:name} and $0
  bool is_deprecated; ///< an old spelling
  uint32_t rank;      ///< smaller is better: kind, nearness, whether its StructInfo fits
} RlxOffer;

typedef struct RlxOffers {
  RlxArena *arena; ///< of the texts
  Vec(RlxOffer) items;
  RlxSpan word; ///< absolute: what an offer replaces; the cursor is in it or at its end
  bool is_cut;  ///< there were more: ask again with a longer word
} RlxOffers;

/// What may stand at byte `offset`. Offers whose text cannot go on from the word before the cursor
/// may be left out. The caller frees `out` with rlx_offers_free, before or after edits of the file.
/// `snippets`: whether texts with tab stops are wanted.
void rlx_file_offers_at(RlxFile *file, uint32_t offset, bool snippets, RlxOffers *out);
void rlx_offers_free(RlxOffers *offers);
/// Whether byte `offset` is right behind the `=` of an argument by name, where its value comes next: `R.sum(x, axis=`.
bool rlx_file_awaits_argument(RlxFile *file, uint32_t offset);

/// Appends what there is to say of an offer with this `id`, as Markdown. False: no such id.
bool rlx_offer_page(const char *id, RlxBuf *out);

/// What strings of one kind usually say, blank separated: "SCOPE" and others of values.def. "": no such kind.
const char *rlx_offer_values(const char *what);

/// The call around a place, as it is declared.
typedef struct RlxSignature {
  RlxBuf label;        ///< "R.permute_dims(x, axes=None)"
  Vec(RlxSpan) params; ///< bytes of `label`
  RlxArena *arena;
  const char **meanings; ///< of each parameter; NULL: none
  const char *summary;   ///< one line of Markdown, or NULL
  int32_t active;        ///< parameter that the place is in; -1: none of them
} RlxSignature;

/// The innermost call around byte `offset` whose signature is known: operators, words of R, T and
/// I, functions of the file, and inside of the tuple of R.call_tir its PrimFunc. False: none; else
/// the caller frees `out` with rlx_signature_free.
bool rlx_file_signature_at(RlxFile *file, uint32_t offset, RlxSignature *out);
void rlx_signature_free(RlxSignature *signature);

#endif
