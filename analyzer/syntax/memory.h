/// Memory of the parser.
#ifndef RLX_ANALYZER_SYNTAX_MEMORY_H
#define RLX_ANALYZER_SYNTAX_MEMORY_H

/// From here on the parser takes its memory with rlx_mem_alloc, which says so when there is none.
/// Called once, by main, before anything is parsed: it holds for the whole process.
void rlx_syntax_use_memory(void);

#endif
