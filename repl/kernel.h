/// The session behind a notebook: cells in, what they print and the values that they show out.
#ifndef RLX_REPL_KERNEL_H
#define RLX_REPL_KERNEL_H

#include "repl/line.h"
#include "repl/repl.h"

typedef struct RlxKernel RlxKernel;

/// A piece of what a cell gives, in order.
typedef struct RlxKernelPiece {
  char *text;    ///< what was printed, or a value as text
  char *html;    ///< the value as a table; NULL: no table
  char *mime;    ///< of a picture, whose text is what a terminal shows; NULL: it is none
  char *content; ///< the picture's file: SVG as it is, others in base64
  bool is_value; ///< of an expression
} RlxKernelPiece;
typedef Vec(RlxKernelPiece) RlxKernelPieces;

/// A session of its own; `options` outlive it. NULL after a message on standard error: a file of
/// `with` cannot be used.
RlxKernel *rlx_kernel_open(const RlxReplOptions *options);
void rlx_kernel_close(RlxKernel *kernel);
/// Runs a cell; standard output is caught meanwhile. False: an error is the last that was printed.
/// rlx_kernel_pieces_free frees `out`.
bool rlx_kernel_execute(RlxKernel *kernel, const char *code, RlxKernelPieces *out);
/// Ends the cell that runs. From another thread, which has SIGINT blocked.
void rlx_kernel_interrupt(void);
/// Before the next cell: interrupts so far are over, or this one is to end as soon as it begins. Not
/// while another thread is in rlx_kernel_interrupt.
void rlx_kernel_begin(bool is_interrupted);
void rlx_kernel_pieces_free(RlxKernelPieces *pieces);
/// What may stand at byte `cursor`; rlx_line_offers_free frees `out`.
void rlx_kernel_complete(RlxKernel *kernel, const char *code, size_t cursor, RlxLineOffers *out);
/// Appends what is known of the name at byte `cursor`; false: nothing.
bool rlx_kernel_inspect(RlxKernel *kernel, const char *code, size_t cursor, RlxBuf *out);
/// Whether the code wants more lines.
bool rlx_kernel_wants_more(const char *code);

#endif
