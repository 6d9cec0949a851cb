/// How soon the scheduler lets a process run that has something to do.
#ifndef RLX_SERVER_PRIORITY_H
#define RLX_SERVER_PRIORITY_H

/// The calling thread, and those it will start, do little at a time and are waited for: Linux from 6.12 on lets such a
/// thread run before those in the middle of a long slice. Others do not know it, and nothing changes.
void rlx_priority_prompt(void);
/// The calling process works for long while others are waited for: whoever types comes first.
void rlx_priority_beside(void);

#endif
