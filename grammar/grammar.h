// The grammar's only entry. Node kinds and fields by number are in symbols.h.
#ifndef RLX_GRAMMAR_H
#define RLX_GRAMMAR_H

#include <tree_sitter/api.h>

/// The language of TVMScript files: all of Python 3.8 to 3.13. Static, ABI 14.
const TSLanguage *tree_sitter_tvmscript(void);

#endif
