/// What attributes and methods in a PrimFunc's script have in common: whose they are, and what they give.
#ifndef RLX_ANALYZER_KINDS_MEMBERS_H
#define RLX_ANALYZER_KINDS_MEMBERS_H

#include "analyzer/function/kinds_args.h"

typedef enum KindOwner {
  NO_OWNER,
  OF_BUFFER,
  OF_VARIABLE,
  OF_ELEMENT, ///< of a buffer
  OF_EXPRESSION,
  OF_REGION,
  OF_FRAME, ///< a loop, too
  OF_SHAPE, ///< a list that TVM made
  OF_ANNOTATION,
  OF_NONE,
  OF_INT, ///< a bool, too
  OF_FLOAT,
  OF_STRING,
  OF_BYTES, ///< b"x"
  OF_LIST,
  OF_TUPLE,
  OF_DICT,
  OF_RANGE,   ///< range(3)
  OF_SLICE,   ///< slice(0, 2)
  OF_SET,     ///< {1, 2}
  OF_COMPLEX, ///< 1j
  OF_FUNCTION ///< a function, a class or a method of Python: what any class has
} KindOwner;

/// What a member or a method gives: see members.def.
typedef enum KindGives {
  GIVES_ANY,
  GIVES_METHOD,
  GIVES_INT,
  GIVES_FLOAT,
  GIVES_STR,
  GIVES_NONE,
  GIVES_INDEX,
  GIVES_HANDLE,
  GIVES_ARRAY,
  GIVES_SHAPE,
  GIVES_BUFFER,
  GIVES_OBJECT,
  GIVES_OBJECTS,
  GIVES_TYPE,
  GIVES_BOOL,
  GIVES_LIST,
  GIVES_TUPLE,
  GIVES_DICT,
  GIVES_OTHER
} KindGives;

/// The owner of what stands behind `base` and a dot.
KindOwner rlx_kind_owner(Kind base);
/// What a member of `base` gives, where that does not depend on which one it is.
Kind rlx_kind_given(Kinds *k, const RlxAst *ast, Kind base, KindGives gives);

#endif
