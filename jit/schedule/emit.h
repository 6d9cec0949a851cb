/// The steps of a schedule that the rules carry out, as a trace that analyzer/schedule reads.
///
/// A loop is named by its place among the loops around a block whose name is unique, else by its
/// number among the loops of that name. The numbers hold because rules go from the last statement
/// to the first.
#ifndef RLX_JIT_SCHEDULE_EMIT_H
#define RLX_JIT_SCHEDULE_EMIT_H

#include "base/vec.h"
#include "jit/codegen/codegen.h"

typedef struct EmitFrame {
  const RlxTirStmt *stmt;
  uint32_t child; // which body the walk is in
} EmitFrame;

typedef struct Emit {
  RlxBuf *out;
  const RlxInterner *names;
  const RlxPrimFunc *f; // before
  const RlxTarget *target;
  Vec(EmitFrame) path; // from the body down to the statement that is looked at
} Emit;

// ---- all of these do nothing where `emit` is NULL
void rules_emit_enter(Emit *emit, const RlxTirStmt *s, uint32_t child);
void rules_emit_leave(Emit *emit);
/// A rule of its own replaced the nest that begins with `loop`.
void rules_emit_rule(Emit *emit, const RlxTirStmt *loop, const char *rule);
void rules_emit_parallel(Emit *emit, const RlxTirStmt *loop);
/// The init of the one block below `loop` now stands before `reduce`, a loop from there down.
void rules_emit_decompose(Emit *emit, const RlxTirStmt *loop, const RlxTirStmt *reduce);

#endif
