/// Looking at the program: its forms down to machine code, what happens when it runs, what a new
/// definition changed.
#ifndef RLX_REPL_LOOK_H
#define RLX_REPL_LOOK_H

#include "repl/session.h"

/// Appends an expression of a normal form as TVMScript.
void rlx_repl_put_expr(RlxRepl *repl, const RlxExpr *x, RlxBuf *out);
/// Takes `option` off the front of `*text`.
bool rlx_repl_take_option(const char **text, const char *option);
/// Appends the function `name` of the analysed script as it is printed, at column 0. False: there is none.
bool rlx_repl_put_definition(RlxRepl *repl, const char *name, RlxBuf *out);

// ---- paint.c
typedef enum RlxPaint { RLX_PAINT_SCRIPT, RLX_PAINT_LLVM, RLX_PAINT_ASM, RLX_PAINT_DIFF } RlxPaint;
/// Whether standard output is a terminal with colours, and NO_COLOR is not set.
bool rlx_repl_is_colored(void);
/// Appends `text`, coloured as `kind` says where there are colours.
void rlx_repl_paint(const char *text, RlxPaint kind, RlxBuf *out);
/// Prints it so, through the pager when it is longer than the screen.
void rlx_repl_print_painted(const RlxRepl *repl, const char *text, RlxPaint kind);

#endif
