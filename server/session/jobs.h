/// Requests whose answers take long: worked out in a process of its own, while the loop goes on with
/// other messages.
#ifndef RLX_SERVER_JOBS_H
#define RLX_SERVER_JOBS_H

#include "server/session/session.h"

/// The child's way to say how far it is.
typedef struct RlxJobReport {
  int fd;
} RlxJobReport;

/// Work for a child process: appends its result to `out`; false and `err`.
typedef bool RlxJobFn(void *data, const RlxJobReport *report, RlxBuf *out, RlxError *err);
/// Makes the answer, one JSON value, from what the child wrote; in the server. `data` is the request's
/// own copy.
typedef void RlxJobDoneFn(RlxServer *server, void *data, const RlxBuf *from, RlxJson *result);

typedef struct RlxJobKind {
  RlxJobFn *work;
  RlxJobDoneFn *done;
  void (*free)(void *data); ///< of `kept`; may be NULL
} RlxJobKind;

/// Says that `percent` of the work is done, and what comes now; in the child.
void rlx_job_report(const RlxJobReport *report, uint32_t percent, const char *message);

/// Starts `kind->work(data)` in a forked process with limits of time and memory, so that neither a
/// crash nor an endless loop in it takes the server down; what it changes in memory is lost. The
/// request that is being handled is answered when it is done; it fails when the child does, when the
/// client cancels it, or when `file` is edited or closed before. `kept` is the job's from now on,
/// whatever comes back. The client sees progress under `title` when it asked for it, or when it takes
/// long and the client can show it. RLX_RPC_LATER, or what to answer. `file` NULL: no document matters.
/// Where no request is being handled it is the server's own job: nobody is answered, and when there is
/// no room it does not begin.
RlxRpcCode rlx_server_beside(RlxServer *server, const RlxOpenFile *file, const char *title,
                             const RlxJobKind *kind, void *data, void *kept);

/// The same for a request whose answer `handle` makes: `handle(server, params)` is called in the child,
/// where `server->is_beside` is set. What reads all files of a project goes this way.
RlxRpcCode rlx_server_handle_beside(RlxServer *server, const RlxOpenFile *file, const char *title,
                                    RlxMethodFn *handle, const cJSON *params);

/// What a job's thread has to say (RlxFrame.event).
void rlx_server_job_event(RlxServer *server, void *event);
/// Ends the job of the request with this id (JSON text), and answers it.
void rlx_server_cancel_job(RlxServer *server, const char *id);
/// The same for the job whose progress has this token (JSON text).
void rlx_server_cancel_job_of_token(RlxServer *server, const char *token);
/// Ends the jobs about a document that has another text now; `uri` NULL: all, the server stops.
void rlx_server_stale_jobs(RlxServer *server, const char *uri);
/// Ends all of them without a word; events that are still in the queue may not be handed in afterwards.
void rlx_server_drop_jobs(RlxServer *server);

#endif
