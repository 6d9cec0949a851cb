/// Why something outside of the program failed: a file, a pipe, LLVM, a value out of range at run
/// time.
///
/// A function that can fail in this way returns bool (or an enum) and takes an `RlxError *` last
/// among its inputs. Mistakes in a user's program are diagnostics, not errors.
///
/// Always true: the text lives inside, so an RlxError needs no freeing and may be copied; a text
/// that does not fit ends in "…".
#ifndef RLX_BASE_ERROR_H
#define RLX_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

enum { RLX_ERROR_BYTES = 1024 };

typedef struct RlxError {
  char text[RLX_ERROR_BYTES]; // NUL-terminated, no line end; "" is no error
  char code[8];               // of the page that explains it ("RLX0801"), or ""
} RlxError;

/// Sets the text. Always false, so that a failing function can `return rlx_error_set(…)`.
/// A NULL `err` is fine: nobody wants to know.
bool rlx_error_set(RlxError *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool rlx_error_vset(RlxError *err, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/// Says which page explains it; texts that are set or put before it keep the code. Always false.
bool rlx_error_code(RlxError *err, const char *code);

/// Puts "context: " before the text. Always false.
bool rlx_error_prefix(RlxError *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
