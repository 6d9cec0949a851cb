/// The rows of commands.def, settings.def, data.def and methods.def, for whoever lists, offers or looks them up.
#ifndef RLX_REPL_TABLES_H
#define RLX_REPL_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#define RLX_REPL(name, argument, help) RLX_REPL_COMMAND_##name,
typedef enum RlxReplCommandId {
#include "repl/commands.def"
  RLX_REPL_COMMAND_COUNT
} RlxReplCommandId;
#undef RLX_REPL

typedef enum RlxReplSet {
#define RLX_REPL_SETTING(id, name, values, help) RLX_REPL_SET_##id,
#include "repl/settings.def"
#undef RLX_REPL_SETTING
  RLX_REPL_SET_COUNT
} RlxReplSet;

typedef struct RlxReplCommandRow {
  const char *name;
  const char *argument; ///< what is typed behind it: "EXPR"; in brackets, it may be left out; or ""
  const char *help;     ///< one line
} RlxReplCommandRow;

typedef struct RlxReplAliasRow { ///< an older name of a command
  const char *alias;
  RlxReplCommandId command;
} RlxReplAliasRow;

typedef struct RlxReplSettingRow {
  const char *name;
  const char *values; ///< words with one blank between them, or "MIN to MAX"
  const char *help;   ///< one line
} RlxReplSettingRow;

typedef struct RlxReplDataRow { ///< a function of the prompt that makes values
  const char *name, *signature, *help;
} RlxReplDataRow;

/// How a method's operator is called.
typedef enum RlxReplMethodForm {
  RLX_REPL_METHOD_CALL,   ///< with its arguments
  RLX_REPL_METHOD_FLOATS, ///< the same; integers and bools become float32 first
  RLX_REPL_METHOD_COUNTS, ///< bools and narrower integers become int64 or uint64 first
  RLX_REPL_METHOD_TRUTHS, ///< what is no bool becomes whether it is not 0
  RLX_REPL_METHOD_DIMS,   ///< its arguments are one shape, or one list of axes
  RLX_REPL_METHOD_DTYPE,  ///< its argument names a dtype
  RLX_REPL_METHOD_CAST,   ///< the operator is a dtype
  RLX_REPL_METHOD_SELF,   ///< it gives the tensor itself
  RLX_REPL_METHOD_ITEM,   ///< the only element
  RLX_REPL_METHOD_SWAP,   ///< its arguments are two axes, which change places
  RLX_REPL_METHOD_MOVE,   ///< its arguments are an axis and the place where it is to stand
} RlxReplMethodForm;

typedef struct RlxReplMethodRow { ///< a method of tensors
  const char *name;
  RlxReplMethodForm form;
  const char *op; ///< of Relax, behind "R."
  const char *signature, *help;
} RlxReplMethodRow;

typedef struct RlxReplAttributeRow { ///< an attribute of tensors
  const char *name, *help;
} RlxReplAttributeRow;

typedef enum RlxReplBuiltinForm {
  RLX_REPL_BUILTIN_METHOD, ///< as the method, or the operator, of the first argument
  RLX_REPL_BUILTIN_FIRST,  ///< as the method along the first axis
  RLX_REPL_BUILTIN_FLAT,   ///< as the method, of tensors of one dimension
  RLX_REPL_BUILTIN_ONE,    ///< as the method, of one element
  RLX_REPL_BUILTIN_LENGTH,
} RlxReplBuiltinForm;

typedef struct RlxReplBuiltinRow { ///< a function of Python's that takes tensors
  const char *name;
  RlxReplBuiltinForm form;
  const char *method;
} RlxReplBuiltinRow;

/// In the order of RlxReplCommandId.
extern const RlxReplCommandRow rlx_repl_commands[RLX_REPL_COMMAND_COUNT];
extern const RlxReplAliasRow rlx_repl_aliases[];
extern const size_t rlx_repl_alias_count;
extern const RlxReplDataRow rlx_repl_data[];
extern const size_t rlx_repl_data_count;
extern const RlxReplMethodRow rlx_repl_methods[];
extern const size_t rlx_repl_method_count;
extern const RlxReplAttributeRow rlx_repl_attributes[];
extern const size_t rlx_repl_attribute_count;
/// In the order of RlxReplSet.
extern const RlxReplSettingRow rlx_repl_settings[RLX_REPL_SET_COUNT];

/// The command whose name, or older name, is the `size` bytes at `name`; RLX_REPL_COMMAND_COUNT: none.
RlxReplCommandId rlx_repl_command_named(const char *name, size_t size);
/// Whether the command's argument may not be left out.
bool rlx_repl_needs_argument(const RlxReplCommandRow *row);
/// The option behind `*at` in the command's argument column, `*size` bytes with its dashes, and goes on behind it; `*at` begins
/// as the column. NULL: that was the last.
const char *rlx_repl_next_option(const char **at, size_t *size);
/// Says that no command is called `word`, and which one is like it; false.
bool rlx_repl_refuse_command(const char *word);
/// The function of the prompt with that name; NULL: there is none.
const RlxReplDataRow *rlx_repl_data_named(const char *name);
/// The same for methods and attributes of tensors, and functions of Python's that take tensors.
const RlxReplMethodRow *rlx_repl_method_named(const char *name);
const RlxReplAttributeRow *rlx_repl_attribute_named(const char *name);
const RlxReplBuiltinRow *rlx_repl_builtin_named(const char *name);
/// How it is told, with the function's name and what this gives.
#define RLX_REPL_PYTHONS "`%s` is Python's, and a session evaluates Relax: %s"
/// A row of formulas.def: a function of numpy that is several of Relax's.
typedef struct RlxReplFormulaRow {
  const char *name, *params, *formula;
} RlxReplFormulaRow;
extern const RlxReplFormulaRow rlx_repl_formulas[];
extern const size_t rlx_repl_formula_count;
/// What has another name here, or none, and the name or what to type in its place.
typedef struct RlxReplInstead {
  const char *name, *instead;
} RlxReplInstead;
extern const RlxReplInstead rlx_repl_library[], rlx_repl_no_functions[], rlx_repl_no_methods[];
extern const size_t rlx_repl_library_count, rlx_repl_no_function_count, rlx_repl_no_method_count;
/// Whether there is one of that name.
bool rlx_repl_has_formula(const char *name);
/// What to type in place of a function of numpy or PyTorch that is not computed; NULL: nothing is known of it.
const char *rlx_repl_missing_function_named(const char *name);
/// What Relax, or a method of tensors, calls the function `name` of numpy or PyTorch: mostly the same.
const char *rlx_repl_library_named(const char *name);
/// What to type in place of a function of Python's that a session does not have; NULL: nothing is known of it.
const char *rlx_repl_python_named(const char *name);
/// The same of a method of numpy's or PyTorch's that tensors do not have.
const char *rlx_repl_missing_method_named(const char *name);
/// Whether setting `set` is a number, and then its limits.
bool rlx_repl_setting_limits(RlxReplSet set, long long *min, long long *max);

#endif
