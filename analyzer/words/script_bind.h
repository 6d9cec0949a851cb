/// Python's binding of the arguments of a call to the parameters of a function of T.
#ifndef RLX_ANALYZER_WORDS_SCRIPT_BIND_H
#define RLX_ANALYZER_WORDS_SCRIPT_BIND_H

#include "analyzer/diag/diag.h"
#include "analyzer/words/script_names.h"

/// An argument, in the order in which it is written.
typedef struct RlxScriptArg {
  const char *keyword; ///< NULL: by position
  bool is_none;        ///< it is None
} RlxScriptArg;

typedef enum RlxScriptFault {
  RLX_SCRIPT_BINDS,    ///< none
  RLX_SCRIPT_TOO_MANY, ///< by position
  RLX_SCRIPT_UNKNOWN,  ///< a keyword that is no parameter
  RLX_SCRIPT_TWICE,    ///< by position and by keyword, or by two keywords
  RLX_SCRIPT_MISSING,  ///< a parameter without a value
} RlxScriptFault;

/// What came of it. Filled in up to the first fault.
typedef struct RlxScriptBinding {
  RlxScriptSignature params;
  int argument[RLX_SCRIPT_PARAMS]; ///< of each parameter its argument + 1; 0: not given
  RlxScriptFault fault;
  int at;           ///< the argument at fault; -1: the call as a whole
  const char *name; ///< UNKNOWN, TWICE: the keyword; MISSING: the parameter
  int most, given;  ///< TOO_MANY: arguments by position, allowed and given
} RlxScriptBinding;

/// Binds `count` arguments to the parameters of `row`; false when it cannot be told, since they are
/// not known. `out->name` lives as long as `out` and `args`.
bool rlx_script_bind(const RlxScriptName *row, const RlxScriptArg *args, int count,
                     RlxScriptBinding *out);
/// Reports the fault of a call of `what` ("T.max") at `span`; NULL: there is none.
RlxDiag *rlx_script_bind_report(RlxSink *sink, const RlxScriptBinding *binding, const char *what,
                                RlxSpan span);

#endif
