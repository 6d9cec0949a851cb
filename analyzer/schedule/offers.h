/// Steps that an editor offers at a loop or block, from the rows of offers.def. They are not checked
/// yet: rlx_schedule_try says whether one is legal, and why not.
#ifndef RLX_ANALYZER_SCHEDULE_OFFERS_H
#define RLX_ANALYZER_SCHEDULE_OFFERS_H

#include "analyzer/schedule/schedule.h"

enum { RLX_OFFERS_MAX = 64 }; ///< at one place

typedef struct RlxScheduleOffer {
  const char *title; ///< "split i by 16"
  RlxScheduleStep step;
} RlxScheduleOffer;
typedef Vec(RlxScheduleOffer) RlxScheduleOffers;

/// Appends what is offered at loop or block `index` (pre-order number, as RlxScheduleRef) of function
/// `function`, always in the same order for the same PrimFunc; texts and values live in `arena`.
void rlx_schedule_offers(RlxSchedule *s, int function, bool is_loop, int index, RlxArena *arena,
                         RlxScheduleOffers *out);

/// A loop or block that a statement of the text is, for asking at a place.
typedef struct RlxScheduleNode {
  const RlxTirStmt *stmt; ///< of the PrimFunc as it is now
  bool is_loop;
  int index;  ///< pre-order number
  int parent; ///< the node around, or -1
} RlxScheduleNode;
typedef Vec(RlxScheduleNode) RlxScheduleNodes;
/// Appends all loops and blocks of function `function`, outer ones before inner ones, in the order of
/// the text. The root that is not written is none.
void rlx_schedule_nodes(const RlxSchedule *s, int function, RlxScheduleNodes *out);
/// Appends what the loop tree says of a loop or block, without a line end.
void rlx_schedule_node_text(const RlxSchedule *s, const RlxTirStmt *stmt, RlxBuf *out);

#endif
