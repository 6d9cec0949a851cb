/// What `rlx tir` writes of one PrimFunc: its analysis as JSON (spec 5's names) and as a tree for
/// people.
#ifndef RLX_CLI_TIR_H
#define RLX_CLI_TIR_H

#include "analyzer/syntax/document.h"
#include "analyzer/tir/access.h"
#include "analyzer/tir/blocks.h"
#include "base/json.h"
#include <stdio.h>

typedef struct RlxTirTextStyle {
  bool color;
  bool is_verbose; ///< regions and dependencies, and verdicts that hold, too
  bool has_moves;  ///< where blocks may be computed at, too
  FILE *stream;    ///< where long texts go piece by piece
  /// how many dependencies may still be listed of the file's PrimFuncs: there may be one for each
  /// pair of blocks
  uint32_t *dependencies_left;
} RlxTirTextStyle;

/// A schedule step that was tried: a line of a trace, and why it is refused.
typedef struct RlxTirStep {
  const char *text;
  bool is_legal;
  const char *code, *reason; ///< "" when legal
} RlxTirStep;
typedef struct RlxTirSteps {
  RlxTirStep *at;
  int count;
} RlxTirSteps;
/// Where a function stands, and what was found of it (analyzer/tir/findings.h): spans of findings
/// are relative to `start`.
typedef struct RlxTirScript {
  const RlxDocument *document;
  uint32_t start;
  const RlxTirAccesses *accesses;
  const RlxSink *findings;
  RlxTirSteps steps; ///< with `has_moves`
} RlxTirScript;
/// Tries fuse, reorder, rfactor and decompose_reduction of the loops of `a`, in its arena; `copy`, the
/// same PrimFunc once more, is consumed.
RlxTirSteps rlx_tir_steps(const RlxTirAnalysis *a, const RlxTirScript *script, RlxPrimFunc *copy);

/// One object; ranges are those in the script's document.
void rlx_tir_json(RlxJson *json, const RlxTirAnalysis *a, const RlxTirScript *script,
                  RlxTirTextStyle style);
/// The loops and blocks, and what was found.
void rlx_tir_text(RlxBuf *out, const RlxTirAnalysis *a, const RlxTirScript *script,
                  RlxTirTextStyle style);
/// The dependencies as a DOT digraph, a cluster for each scope with several blocks.
void rlx_tir_dot(RlxBuf *out, const RlxTirAnalysis *a, RlxTirTextStyle style);
/// The next dependency that is to be listed. False at the end, and where there is one that is left
/// out: then `*is_cut`.
bool rlx_tir_next_listed(const RlxTirAnalysis *a, RlxTirDependencyWalk *walk, RlxTirTextStyle style,
                         RlxTirDependency *out, bool *is_cut);
/// Hands what is in `out` on, when it is long.
void rlx_tir_stream(RlxBuf *out, RlxTirTextStyle style);

#endif
