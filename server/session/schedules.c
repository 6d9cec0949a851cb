/// The schedule that is kept of the PrimFunc that was asked about last, so that moving the cursor does
/// not read and analyse it again.
#include <stdlib.h>
#include <string.h>

#include "analyzer/schedule/schedule.h"
#include "analyzer/script/script.h"
#include "base/mem.h"
#include "jit/rewriter.h"
#include "server/session/session.h"

enum { TRIALS_MAX = 4096 }; ///< with one schedule, whose memory grows with each

void rlx_server_forget_schedule(RlxServer *server) {
  RlxScheduleMemory *m = &server->schedule;
  rlx_schedule_free(m->schedule);
  free(m->uri);
  *m = (RlxScheduleMemory){0};
}

RlxSchedule *rlx_server_new_schedule(RlxServer *server, RlxOpenFile *file, const RlxStmt *def) {
  RlxSchedule *s = rlx_schedule_new(rlx_analyzer_store(server->analyzer));
  rlx_schedule_set_rewriter(s, rlx_jit_rewriter());
  rlx_schedule_set_lines(s, rlx_document_lines(rlx_file_document(file->file)));
  rlx_schedule_add(s, rlx_file_primfunc(file->file, def, NULL), def->start);
  return s;
}

RlxScheduleMemory *rlx_server_schedule(RlxServer *server, RlxOpenFile *file, const RlxStmt *def) {
  RlxScheduleMemory *m = &server->schedule;
  bool is_it = m->schedule && file->has_version && m->version == file->version &&
               m->start == def->start && !strcmp(m->uri, file->uri) && m->trials < TRIALS_MAX;
  if (is_it) return m;
  rlx_server_forget_schedule(server);
  m->schedule = rlx_server_new_schedule(server, file, def);
  m->uri = rlx_mem_strdup(file->uri);
  m->version = file->version;
  m->start = def->start;
  return m;
}
