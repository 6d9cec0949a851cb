/// What commands over files do alike: the command line with its settings, the files it means, one
/// exit code at the end.
///
///     RlxOption options[1 + RLX_SETTING_OPTIONS_MAX] = {…};
///     RlxUsage usage = {"outline", "[PATH…]", "Lists …", options, 1};
///     RlxFilesCommand c;
///     if (!rlx_files_begin(&c, &usage, options, scopes, argc, argv)) return c.code;
///     for (uint32_t i = 0; i < c.inputs.count; i++) …
///     return rlx_files_end(&c);
#ifndef RLX_CLI_FILES_H
#define RLX_CLI_FILES_H

#include "base/buf.h"
#include "cli/inputs.h"
#include "cli/settings.h"

typedef struct RlxFilesCommand {
  RlxUsage usage; // the options of the settings included
  RlxSettingOptions settings;
  RlxArgs args;
  RlxInputs inputs;
  int code; // what is to be returned so far
} RlxFilesCommand;

/// Reads the command line. `options` are those of `usage`, with room for RLX_SETTING_OPTIONS_MAX
/// more. False: the command is over, `code` is its exit code, nothing is left to be freed. A path
/// that is not there is reported, and the others are gone on with.
bool rlx_files_begin(RlxFilesCommand *c, const RlxUsage *usage, RlxOption *options, int scopes,
                     int argc, char **argv);

/// The settings that hold for one of the files.
RlxSettings rlx_files_settings(RlxFilesCommand *c, const RlxInput *input);

/// The folder of the configuration that holds for one of the files, or NULL; it lives as long as `c`.
const char *rlx_files_project(RlxFilesCommand *c, const RlxInput *input);

/// Reports what is wrong with the configurations, frees, and returns the exit code.
int rlx_files_end(RlxFilesCommand *c);

typedef enum RlxTextUse {
  RLX_TEXT_PRINT, // to standard output
  RLX_TEXT_NAME,  // the path to standard output, when the text changed
  RLX_TEXT_DIFF,  // to standard output
  RLX_TEXT_WRITE, // into the file, when the text changed; of "-" to standard output
} RlxTextUse;

/// Does with a file's new text what the options ask for. False when it can't be written.
/// `project`: rlx_files_project.
bool rlx_files_use_text(RlxTextUse use, const char *path, const char *project, const RlxBuf *was,
                        const RlxBuf *text, bool changed, RlxError *err);

#endif
