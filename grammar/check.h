// What Python forbids and the grammar lets through, because a context-free rule would cost every
// file more than a look at the finished node: `a or lambda: b`, `"a" b"b"`, a name with a currency
// sign.
//
// Not here: what the analyzer checks on its own statements and expressions, that is targets inside
// tuples and parentheses (`(a, f()) = x`), the order of parameters, and whatever depends on the
// function or loop around.
#ifndef RLX_GRAMMAR_CHECK_H
#define RLX_GRAMMAR_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <tree_sitter/api.h>

/// The mistake of `node` by itself and its direct children: a message without a full stop, static,
/// or NULL. `text` is the whole text that the tree was parsed from; `*out_at` gets the node to
/// underline. A node that contains ERROR or MISSING has none: that is reported already. Worth
/// asking for every named node; cheap for all but names and patterns. Source: CPython 3.13,
/// Grammar/python.gram.
const char *rlx_syntax_fault(TSNode node, const char *text, TSNode *out_at);

/// Called for each finding; node and message as above.
typedef void RlxSyntaxFound(void *payload, TSNode node, const char *message);

/// Asks rlx_syntax_fault for every named node from `root` down, in the order of the text.
/// `base_indent` nodes are the caller's business: in a whole file they mean "unexpected indent", in
/// a fragment nothing.
void rlx_syntax_check(TSNode root, const char *text, RlxSyntaxFound *found, void *payload);

/// Whether `text` may be given to tree-sitter. Its runtime counts the children of an ERROR node in
/// 16 bits (seen in 0.20.7; more corrupt the heap) and takes quadratic time over long nonsense:
/// text of more than 60,000 tokens is bounded only if it looks like a table, i.e. has many commas,
/// and no text is whose brackets are more than 200 deep, which is CPython's limit, too. Text within
/// closed quotes does not count.
bool rlx_text_is_bounded(const char *text, uint32_t size);

#endif
