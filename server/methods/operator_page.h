/// The installed page of operators, which tells of each parameter in a row of its own.
#ifndef RLX_SERVER_OPERATOR_PAGE_H
#define RLX_SERVER_OPERATOR_PAGE_H

#include "server/session/session.h"

/// Whether the page is there.
bool rlx_operator_page_exists(const RlxServer *server);

/// Writes the Location of the row of a parameter; `label` is the call as signature help shows it
/// ("R.zeros(shape, dtype)"), `name` the bytes of the parameter's name in it. False: the page is not
/// there, or does not know the operator or the parameter; nothing was written.
bool rlx_write_operator_parameter(const RlxServer *server, const char *label, RlxSpan name,
                                  RlxJson *json);
/// The same of an operator's heading; `script` are its spellings, as its row has them.
bool rlx_write_operator(const RlxServer *server, const char *script, RlxJson *json);

#endif
