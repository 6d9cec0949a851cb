// What Python forbids and the grammar lets through, because a context-free rule would cost every file more than this
// check costs: `(a, f()) = x`, a parameter without default after one with, `a or lambda: b`.
#ifndef RLX_GRAMMAR_CHECK_H
#define RLX_GRAMMAR_CHECK_H

#include <tree_sitter/api.h>

/// Called for each finding with the node to underline and a message without a full stop; both live as long as the tree
/// and the program. Findings come in the order of the text.
typedef void RlxSyntaxFound(void *payload, TSNode node, const char *message);

/// Checks `root` and what is below it against the rules of CPython's parser (Grammar/python.gram of 3.13) that the
/// grammar leaves out. `text` is the whole text that the tree was parsed from. Subtrees with ERROR or MISSING nodes are
/// entered, but nodes that contain one are not judged: their mistake is reported already. `base_indent` nodes are the
/// caller's business: in a whole file they mean "unexpected indent", in a fragment nothing.
void rlx_syntax_check(TSNode root, const char *text, RlxSyntaxFound *found, void *payload);

#endif
