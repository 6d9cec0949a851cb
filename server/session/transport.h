/// Messages of the base protocol over file descriptors: a thread frames what comes in, so that a
/// cancellation or an edit is seen while an answer is being computed; the caller takes messages one
/// by one and writes answers.
///
/// Always true: a message is whole or it is an error with a reason; a bad header never stops the
/// stream; one writer.
#ifndef RLX_SERVER_TRANSPORT_H
#define RLX_SERVER_TRANSPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

typedef struct RlxTransport RlxTransport;

typedef struct RlxFrame {
  char *text; ///< the body, NUL-terminated, the caller's to free(); NULL: the header was bad,
              ///< `problem` says how
  size_t size;
  const char *problem;
  void *event; ///< not NULL: no message, but what rlx_transport_post was given
} RlxFrame;

/// Starts reading `in`; answers go to `out`.
RlxTransport *rlx_transport_new(int in, int out);
void rlx_transport_free(RlxTransport *transport);

/// Waits for the next message; false at the end of the input.
bool rlx_transport_next(RlxTransport *transport, RlxFrame *out);
/// Puts `event`, which is one piece of malloc(), behind the messages that wait, from any thread; whoever
/// takes it frees it.
void rlx_transport_post(RlxTransport *transport, void *event);
/// True when a message is waiting: work that only the latest state needs can be put off.
bool rlx_transport_pending(RlxTransport *transport);
/// Set while an edit waits that makes running analysis stale; rlx_transport_next clears it when it
/// hands that edit out.
const atomic_bool *rlx_transport_stale(RlxTransport *transport);
/// True, once, when the client has cancelled the request whose id is this JSON text.
bool rlx_transport_cancelled(RlxTransport *transport, const char *id_json);
/// Sends a message that is `head`, `body`, `tail` in one; a large body is not copied. False when the
/// other side is gone.
bool rlx_transport_send(RlxTransport *transport, const RlxBuf *head, const RlxBuf *body,
                        const char *tail);

#endif
