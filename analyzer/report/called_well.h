/// Which functions of a file somebody calls rightly.
#ifndef RLX_ANALYZER_CALLED_WELL_H
#define RLX_ANALYZER_CALLED_WELL_H

#include "analyzer/state/state.h"
#include "base/map.h"

/// Filled when it is asked for the first time: all of the file is looked at once, however many functions are asked about.
typedef struct RlxCalledWell {
  RlxMap names; ///< of a class and a name
  bool is_filled;
} RlxCalledWell;

/// The class around a statement, whose functions call each other; NULL: none is around. Functions
/// of two modules may have one name.
const RlxStmt *rlx_class_around(const RlxStmt *stmt);
/// An error of the program, not of the form that is asked of it.
bool rlx_is_error_of_program(const RlxDiag *diag);
/// Whether a function of the class, not the one of that name itself, has a call of `name` in which nothing is wrong.
bool rlx_is_called_well(RlxCalledWell *calls, const RlxFile *file, const RlxStmt *class,
                        RlxName name);

#endif
