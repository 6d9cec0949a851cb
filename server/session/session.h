/// The language server's state and what its methods use: open documents, positions, answers.
///
/// Always true: one thread analyses and answers; a handler writes exactly one JSON value (or none,
/// which is null); positions of the protocol are turned into byte offsets here and nowhere else.
#ifndef RLX_SERVER_SESSION_H
#define RLX_SERVER_SESSION_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "analyzer/analyzer.h"
#include "analyzer/words/dialect.h"
#include "base/json.h"
#include "base/map.h"
#include "config/config.h"
#include "config/modules.h"
#include "server/session/script_json.h"
#include "server/session/transport.h"

typedef enum RlxEncoding { RLX_UTF8, RLX_UTF16, RLX_UTF32 } RlxEncoding;

/// A semantic token, placed by the one before it as in the protocol. A large file has hundreds of
/// thousands: what does not fit here, a name of 4,096 characters or one that begins a million
/// characters into its line, is no token.
typedef struct RlxToken {
  uint64_t lines : 24;  ///< behind the line of the token before
  uint64_t start : 20;  ///< behind that token's start; in another line: behind the line's start
  uint64_t length : 12; ///< in code units of the client's encoding, as `start`
  uint64_t type : 4;
  uint64_t mods : 4; ///< bits
} RlxToken;

typedef Vec(RlxToken) RlxTokenData;

/// What edits did to the semantic tokens that were answered last.
typedef struct RlxTokenDamage {
  bool is_whole;     ///< none of them is good
  uint32_t from, to; ///< lines [from, to) of the text as it is now; none when empty
  int64_t lines;     ///< that the text has more than then
  uint64_t rereads;  ///< RlxFileStats.reread_statements of the analysis that they were made of
} RlxTokenDamage;

/// Which other dialects the island that was asked about last can be converted to, and the text that
/// it then is where that was wanted: the cursor moves in it, and each would convert it anew.
typedef struct RlxConversions {
  bool is_known;
  uint32_t start; ///< of the island
  bool changes[RLX_DIALECT_COUNT];
  RlxBuf text[RLX_DIALECT_COUNT]; ///< empty: not made
} RlxConversions;

/// A document that the client has open.
typedef struct RlxOpenFile {
  char *uri;
  int64_t version;
  bool has_version;
  bool is_dirty;           ///< diagnostics of this version have not been published
  RlxFile *file;           ///< NULL: asleep (documents.c); never in what rlx_server_find gives
  RlxLineNames line_names; ///< how its lines are told
  char *text;              ///< of one that is asleep, `size` bytes
  uint32_t size;
  bool asks_modules;     ///< of one that is asleep: rlx_file_asks_modules
  uint64_t used;         ///< when it was asked for last
  RlxProject *project;   ///< reads the modules that it imports; NULL: on no disk
  bool hints;            ///< inlay hints are wanted
  bool backward;         ///< what later uses require of values is shown
  bool form_hints;       ///< those that name the temporaries of normal form
  bool check_hints;      ///< those that say what a call checks at run time
  int argument_hints;    ///< RlxArgumentHints
  int hint_form;         ///< 0: full, 1: short where the full one is long, 2: short
  RlxSettings settings;  ///< of its configuration, for analyses of other texts of it
  RlxPolicy policy;      ///< what its configuration says about diagnostics
  RlxTokenData tokens;   ///< the semantic tokens that were answered last
  uint32_t tokens_id;    ///< their id; 0: none were
  RlxTokenDamage damage; ///< to them
  RlxConversions conversions;
  uint64_t published; ///< hash of the diagnostics that the client has, when they are many; else 0
} RlxOpenFile;

/// The error codes of JSON-RPC and LSP that a handler can answer with; 0 is success.
typedef enum RlxRpcCode {
  RLX_RPC_OK = 0,
  RLX_RPC_LATER = 1, ///< not now: what works it out answers it (jobs.h)
  RLX_RPC_PARSE_ERROR = -32700,
  RLX_RPC_INVALID_REQUEST = -32600,
  RLX_RPC_METHOD_NOT_FOUND = -32601,
  RLX_RPC_INVALID_PARAMS = -32602,
  RLX_RPC_INTERNAL_ERROR = -32603,
  RLX_RPC_NOT_INITIALIZED = -32002,
  RLX_RPC_REQUEST_FAILED = -32803,
  RLX_RPC_SERVER_CANCELLED = -32802,
  RLX_RPC_CONTENT_MODIFIED = -32801,
  RLX_RPC_CANCELLED = -32800,
} RlxRpcCode;

/// The schedule of one PrimFunc, without steps, for a version of its document.
typedef struct RlxScheduleMemory {
  struct RlxSchedule *schedule; ///< NULL: none
  char *uri;
  int64_t version;
  uint32_t start, trials; ///< of the PrimFunc in its document; steps that were tried
} RlxScheduleMemory;

/// Requests that came as one message: their answers go back as one.
typedef struct RlxBatch {
  uint32_t open;  ///< requests that are not answered, and one while it is being read
  RlxBuf answers; ///< so far, with commas between
} RlxBatch;

typedef struct RlxJob RlxJob;

/// What functions were compiled to, by everything that it depends on: RlxViewKey.
typedef struct RlxViewKey {
  uint64_t low, high;
} RlxViewKey;
typedef struct RlxViewText {
  RlxViewKey key;
  char *text;
  size_t size;
  uint64_t used; ///< when it was asked for last
} RlxViewText;
typedef struct RlxViewMemory {
  Vec(RlxViewText) texts;
  size_t bytes;
  uint64_t uses;
} RlxViewMemory;

typedef struct RlxServer {
  RlxTransport *transport;
  RlxAnalyzer *analyzer;
  Vec(RlxOpenFile) files; ///< in no order
  RlxStrMap by_uri;       ///< places in `files`
  uint64_t uses;          ///< counts when documents are asked for
  uint32_t awake;         ///< documents that are
  bool has_woken;         ///< one did since the last rlx_server_tidy
  uint32_t due;           ///< messages since a new store would give memory back
  size_t held_bytes;      ///< by the store, at the last rlx_server_tidy
  size_t renew_at;        ///< bytes of the store above which a new one begins; 0: not known yet
  size_t gone_bytes;      ///< of text that was replaced or closed since the store is there
  size_t freed_bytes;     ///< of text whose analysis was given back since memory went to the system
  RlxEncoding encoding;
  RlxColumns *column; ///< of the line that was written last; forgotten when any text changes
  Vec(struct RlxNotebook *) notebooks; ///< that are open (notebooks.h)
  const struct RlxCell *cell;          ///< of a notebook, that the request is about; NULL: of none
  struct RlxIndex *index;              ///< scripts on disk (methods/index.h); or NULL
  bool is_initialized, is_shut_down;
  bool can_related, can_code_description, can_tags, can_versions, can_markdown, can_markdown_items,
      can_snippets, can_resolve_edits, can_disabled, can_insert_replace, can_default_range,
      can_label_details, can_deprecated_items, can_commit, can_document_changes, can_symbol_trees,
      can_progress;     ///< what the client takes
  bool shows_links_raw; ///< the client shows a link of Markdown with its address, as it is written
  bool pulls_diagnostics;    ///< the client asks for diagnostics; nothing is pushed
  bool can_label_offsets;    ///< parameters are told by their places in the signature
  bool can_resolve_places;   ///< of the parts of a hint's label
  bool can_resolve_commands; ///< the same: what a click on a part does
  bool can_refresh_diagnostics, can_refresh_hints; ///< the client can be told to ask again
  uint32_t asked;          ///< requests sent to the client: the next one's number
  uint32_t token_ids;      ///< answers with semantic tokens: the last one's id
  RlxConfigs *configs;     ///< of the open files
  uint32_t config_changes; ///< how often configurations were read anew
  RlxArena *client_arena;
  const RlxToml *client;      ///< settings that the client sent, in client_arena; or NULL
  Vec(char *) config_uris;    ///< configuration files whose problems are shown
  uint32_t config_shown;      ///< problems of configuration files that are shown
  bool can_watch;             ///< the client watches files when asked to
  RlxScheduleMemory schedule; ///< of the PrimFunc that was asked about last
  char pages[4200];           ///< URI of the page of diagnostics, without the place in it; "": none
  bool has_operator_page;     ///< the page of operators is beside it
  bool explains_links;        ///< the client opens rlx:explain/CODE
  bool can_register_settings; ///< it tells changes of settings when asked to
  bool can_configuration;     ///< the client can be asked for its settings
  bool has_asked_settings;    ///< the settings came as an answer to workspace/configuration
  uint32_t settings_asked;    ///< number of the request that asked for them last; 0: none
  const char *error;          ///< message of a handler that answers with an error code
  RlxError problem;           ///< where `error` may stand
  bool is_beside;             ///< this is a child that handles a request (rlx_server_handle_beside)
  const char *request;        ///< id of the request that is being answered, as JSON text
  const cJSON *message;       ///< it, whole
  RlxBatch *batch;            ///< that it came in; or NULL
  RlxJob *jobs;               ///< the latest first (jobs.h)
  void (*again)(struct RlxServer *server,
                const char *message); ///< handles a request that was put off
  RlxViewMemory views;
  FILE *log;                ///< lines about the server; NULL: none (log.h)
  int log_level;            ///< RlxLogLevel: of the file
  int client_log_level;     ///< of window/logMessage
  int trace;                ///< RlxTrace
  uint32_t progress_tokens; ///< that the server made
} RlxServer;

/// A method: reads `params` (never NULL: null when absent), writes its result into `result`.
/// Anything but RLX_RPC_OK is the error answered; `server->error` may say more.
typedef RlxRpcCode RlxMethodFn(RlxServer *server, const cJSON *params, RlxJson *result);

// ---- session.c

/// The open document that `params.textDocument.uri` names; NULL when it is not open or the
/// parameters are wrong.
RlxOpenFile *rlx_server_file(RlxServer *server, const cJSON *params);
/// The document, analysed, and the byte offset of `params.position`. RLX_RPC_OK, or what to answer.
RlxRpcCode rlx_server_at(RlxServer *server, const cJSON *params, RlxOpenFile **out_file,
                         uint32_t *out_offset);
/// What a request points at: rlx_server_at, and the symbol there.
typedef struct RlxPlace {
  RlxOpenFile *file;
  uint32_t offset;
  bool found;       ///< a symbol stands there
  RlxSymbol symbol; ///< zero when there is none
} RlxPlace;
/// What stands at the position that `params` name; an error where the document is not open.
RlxRpcCode rlx_server_place(RlxServer *server, const cJSON *params, RlxPlace *out);

// ---- documents.c

/// The open document with this URI, awake; NULL: none, or `uri` is NULL. Its address is good until
/// the next document opens or closes.
RlxOpenFile *rlx_server_find(RlxServer *server, const char *uri);
/// Opens a document that is not open; configured and to be analysed.
RlxOpenFile *rlx_server_open(RlxServer *server, const char *uri, const char *text, uint32_t size);
/// Forgets the document; its URI may be opened again.
void rlx_server_close(RlxServer *server, RlxOpenFile *file);
/// The same for all of them.
void rlx_server_close_all(RlxServer *server);
/// Its text, its settings or what it imports have changed: diagnostics are due, and nothing that was
/// made of it is good any more.
void rlx_open_file_changed(RlxOpenFile *file);
void rlx_open_file_forget_conversions(RlxOpenFile *file);
/// Keeps the text alone; what was asked of its analysis is gone.
void rlx_server_sleep(RlxServer *server, RlxOpenFile *file);
/// Analyses a document that sleeps; nothing when it is awake.
void rlx_server_wake(RlxServer *server, RlxOpenFile *file);
/// Its text, awake or asleep, NUL-terminated; good until the next change.
static inline const char *rlx_open_file_text(const RlxOpenFile *file, uint32_t *size) {
  *size = file->size;
  return file->file ? rlx_document_text(rlx_file_document(file->file), size) : file->text;
}
/// Between two messages: puts documents to sleep and begins with a new store where that gives much
/// memory back. Pointers to files and into the store are invalid afterwards. `is_idle`: no message
/// waits.
void rlx_server_tidy(RlxServer *server, bool is_idle);

// ---- messages.c

/// Answers the request `id` (as it came, JSON text; "null" when it is not known): with `result`
/// (NULL: null) when `code` is RLX_RPC_OK, else with the error.
void rlx_server_answer(RlxServer *server, const char *id, RlxRpcCode code, const RlxBuf *result);
/// Writes the answer of a command: {"text": …}.
void rlx_write_text_answer(const RlxBuf *text, RlxJson *result);
/// The token that a request has under `key`, as JSON text that the caller frees; NULL: none.
char *rlx_json_token(const cJSON *params, const char *key);
/// When the client gave a token for partial results (NULL: it did not), and `result` is an array or an object of nothing
/// but `items`: sends the items with that token, in parts, and leaves none.
void rlx_server_send_parts(RlxServer *server, const char *token, RlxBuf *result);
/// A request of the batch needs no answer any more, or all of it is read: sends the answers when they
/// are complete, and frees it.
void rlx_server_batch_less(RlxServer *server, RlxBatch *batch);
/// Sends `method` with the parameters in `params` (a whole JSON value).
void rlx_server_notify(RlxServer *server, const char *method, const RlxBuf *params);
/// Sends the request `method` with `params` (a whole JSON value, or NULL), whose answer says
/// nothing.
void rlx_server_ask(RlxServer *server, const char *method, const RlxBuf *params);
const char *rlx_json_string(const cJSON *object,
                            const char *key);                    ///< NULL when absent or no string
const cJSON *rlx_json_get(const cJSON *object, const char *key); ///< NULL when absent

// ---- configuration.c

/// Takes the client's settings: {"rlx": {…}} or bare, in the words of rlx.toml or in camelCase. All
/// open files follow.
void rlx_server_configure(RlxServer *server, const cJSON *settings);
/// Asks the client for its settings, where it can be asked.
void rlx_server_ask_settings(RlxServer *server);
/// Takes an answer of the client: the settings, when they were asked for.
void rlx_server_take_answer(RlxServer *server, const cJSON *message);
/// Reads the configuration files anew; all open files follow.
void rlx_server_reconfigure(RlxServer *server);
/// Applies what holds for the file.
void rlx_server_configure_file(RlxServer *server, RlxOpenFile *file);
/// A module may have changed: the open document `module`, or (NULL) a file on disk. The documents
/// that looked for values in modules are analysed anew.
void rlx_server_module_changed(RlxServer *server, const RlxOpenFile *module);
/// Publishes what is wrong in configuration files, when that is news.
void rlx_server_show_config_problems(RlxServer *server);
/// Frees what was read of configuration files.
void rlx_server_drop_configuration(RlxServer *server);

// ---- uris.c

/// Appends the path of a file: URI, percent-decoded; false for other schemes.
bool rlx_uri_path(const char *uri, RlxBuf *out);
/// The file: URI of a path; the caller's to free().
char *rlx_path_uri(const char *path);
/// The open document of the file at an absolute path, awake or asleep; NULL: none.
const RlxOpenFile *rlx_server_open_at(const RlxServer *server, const char *path);
/// The URI of the file at an absolute path, as the client spells it where it has it open; the
/// caller's to free().
char *rlx_server_uri(const RlxServer *server, const char *path);

// ---- schedules.c

/// The schedule of the PrimFunc `def` of an analysed document: the one that is kept when the document
/// did not change. Good until the next one is asked for.
RlxScheduleMemory *rlx_server_schedule(RlxServer *server, RlxOpenFile *file, const RlxStmt *def);
/// One of its own, the caller's.
struct RlxSchedule *rlx_server_new_schedule(RlxServer *server, RlxOpenFile *file,
                                            const RlxStmt *def);
/// Before the store goes, and when a document closes.
void rlx_server_forget_schedule(RlxServer *server);

// ---- view_memory.c

/// The text of a view; NULL: not known (any more). Good until the next one is kept.
const RlxViewText *rlx_server_known_view(RlxServer *server, RlxViewKey key);
/// Keeps the text of a view, copied, until others take its room.
void rlx_server_keep_view(RlxServer *server, RlxViewKey key, const char *text, size_t size);
/// When something else than the text decides anew what comes out: settings.
void rlx_server_forget_views(RlxServer *server);

// ---- positions (position.c): the only place that knows UTF-16

/// Byte offset of a Position; clamped to the line and the text. False when `position` is none.
bool rlx_position_offset(const RlxServer *server, RlxFile *file, const cJSON *position,
                         uint32_t *out);
/// The bytes of a Range, its ends in order; false when it is none.
bool rlx_range_offsets(const RlxServer *server, RlxFile *file, const cJSON *range, RlxSpan *out);
/// The same of a text that is no document.
bool rlx_text_range_offsets(const RlxServer *server, const RlxBuf *text, const cJSON *range,
                            RlxSpan *out);
/// A Position of the byte `offset`.
void rlx_write_position(const RlxServer *server, RlxFile *file, uint32_t offset, RlxJson *json);
/// A Range of a span of the document.
void rlx_write_range(const RlxServer *server, RlxFile *file, RlxSpan span, RlxJson *json);
/// The same for spans one behind the other: `*line` is where the one before began, and then where this
/// one does.
void rlx_write_range_near(const RlxServer *server, RlxFile *file, RlxSpan span, uint32_t *line,
                          RlxJson *json);
/// The members `range` and `selectionRange` of a symbol, as rlx_write_range_near: large answers hold
/// tens of thousands of these.
void rlx_write_symbol_ranges(const RlxServer *server, RlxFile *file, RlxSpan range,
                             RlxSpan selection, uint32_t *line, RlxJson *json);
/// A Location: the document's URI and a range.
void rlx_write_location(const RlxServer *server, const RlxOpenFile *file, RlxSpan span,
                        RlxJson *json);
/// A TextEdit: `size` bytes of text for what stands in `span`.
void rlx_write_text_edit(const RlxServer *server, RlxFile *file, RlxSpan span, const char *text,
                         size_t size, RlxJson *json);
/// A WorkspaceEdit of one file; between the two calls come its TextEdits.
void rlx_begin_changes(const RlxOpenFile *file, RlxJson *json);
void rlx_end_changes(RlxJson *json);
/// The same for the document's version (documentChanges) where client and document know versions.
void rlx_begin_edits(const RlxServer *server, const RlxOpenFile *file, RlxJson *json);
void rlx_end_edits(const RlxServer *server, const RlxOpenFile *file, RlxJson *json);
/// A WorkspaceEdit of several documents, as the client knows them (documentChanges or changes); between the two calls come its documents.
void rlx_begin_documents(const RlxServer *server, RlxJson *json);
void rlx_end_documents(const RlxServer *server, RlxJson *json);
/// One of them; between the two calls come its TextEdits. `version`: NULL where it is as on disk.
void rlx_begin_document(const RlxServer *server, const char *uri, const int64_t *version,
                        RlxJson *json);
void rlx_end_document(const RlxServer *server, RlxJson *json);
/// Line and column in the client's units.
typedef RlxScriptPlace RlxPosition;
/// The place of a byte of the document.
RlxPosition rlx_position_of(const RlxServer *server, RlxFile *file, uint32_t offset);

#endif
