/// An analyzer, its files, its settings: the names under which all rooms above pass them around.
/// What is in them is in state.h.
#ifndef RLX_ANALYZER_FILE_H
#define RLX_ANALYZER_FILE_H

#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct RlxAnalyzer RlxAnalyzer; ///< store and settings shared by files

typedef struct RlxFile RlxFile; ///< one document and its analysis

// What a file is made of; state.h says what is in them.
typedef struct RlxModule RlxModule;     ///< a class that is a module
typedef struct RlxFn RlxFn;             ///< a function, or what else is an island
typedef struct RlxAnalysis RlxAnalysis; ///< the results of one statement
typedef struct RlxSuite RlxSuite;       ///< those of a block
typedef struct RlxEnv RlxEnv;           ///< names and what they stand for, in one sweep
typedef struct RlxDef RlxDef;           ///< a name that a statement binds

typedef struct RlxSettings {
  bool implicit_match_cast; ///< spec 1.4 case 2 is a match_cast
  uint8_t normal_form;      ///< 0: hint on nested calls, 1: anf, 2: t-anf as errors
  const char *dialect;      ///< NULL: recognised per island
  bool returns_warn;        ///< a refuted result annotation is a warning, not an error
  bool printed;             ///< every island is a compiler's output
  bool is_prompt;           ///< entries of a session: each calls functions of any module by name
  bool is_evaluated;        ///< the values of large constants are asked for, too
} RlxSettings;

typedef struct RlxFileStats {   ///< counters that tests read
  uint64_t analyzed_statements; ///< statements analysed since the file was opened
  uint64_t checked_functions;
  uint64_t
      reread_statements; ///< broken ones that mean something else than before the last edit, which
                         ///< was elsewhere: answers made of their syntax are out of date
} RlxFileStats;

typedef struct RlxImportOrigin RlxImportOrigin; ///< where an imported constant is assigned

/// Gives the text of a Python module of the project to an analysis, which reads no files itself.
typedef struct RlxModuleReader {
  /// The text of the module that is called `module` ("config", "pkg.sizes", "..base", ".") in the
  /// file `from`: a path that this function gave before, "" for the file that is analysed. Appends
  /// the text, and to `path` what names that module. False: there is no such module, or it must not
  /// be read.
  bool (*read)(void *data, const char *from, const char *module, RlxBuf *text, RlxBuf *path);
  void *data;
} RlxModuleReader;

/// How a person is told a line (from 0) of a file that consists of several texts: the cells of a notebook. Appends "line 3 of cell 2".
typedef struct RlxLineNames {
  void (*put)(void *data, const RlxFile *file, uint32_t line, RlxBuf *out);
  void *data;
} RlxLineNames;

/// Appends a line (from 0) of the file as a person is told it: "line 3".
void rlx_file_put_line(const RlxFile *file, uint32_t line, RlxBuf *out);

#endif
