/// Names of commands, settings and functions of the prompt: the only place where their rows become tables.
#include "repl/tables.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"

#define RLX_REPL(name, argument, help) {#name, argument, help},
const RlxReplCommandRow rlx_repl_commands[] = {
#include "repl/commands.def"
};
#undef RLX_REPL

#define RLX_REPL(name, argument, help)
#define RLX_REPL_ALIAS(alias, name) {#alias, RLX_REPL_COMMAND_##name},
const RlxReplAliasRow rlx_repl_aliases[] = {
#include "repl/commands.def"
};
#undef RLX_REPL
const size_t rlx_repl_alias_count = sizeof rlx_repl_aliases / sizeof *rlx_repl_aliases;

#define RLX_REPL_SETTING(id, name, values, help) {name, values, help},
const RlxReplSettingRow rlx_repl_settings[] = {
#include "repl/settings.def"
};
#undef RLX_REPL_SETTING

#define RLX_REPL_DATA(name, signature, help) {#name, signature, help},
const RlxReplDataRow rlx_repl_data[] = {
#include "repl/data.def"
};
#undef RLX_REPL_DATA
const size_t rlx_repl_data_count = sizeof rlx_repl_data / sizeof *rlx_repl_data;

#define RLX_REPL_METHOD(name, form, op, signature, help)                                           \
  {#name, RLX_REPL_METHOD_##form, op, signature, help},
const RlxReplMethodRow rlx_repl_methods[] = {
#include "repl/methods.def"
};
const size_t rlx_repl_method_count = sizeof rlx_repl_methods / sizeof *rlx_repl_methods;

#define RLX_REPL_NO_METHOD(name, instead) {#name, instead},
const RlxReplInstead rlx_repl_no_methods[] = {
#include "repl/methods.def"
};
const size_t rlx_repl_no_method_count = sizeof rlx_repl_no_methods / sizeof *rlx_repl_no_methods;

#define RLX_REPL_ATTRIBUTE(name, help) {#name, help},
const RlxReplAttributeRow rlx_repl_attributes[] = {
#include "repl/methods.def"
};
const size_t rlx_repl_attribute_count = sizeof rlx_repl_attributes / sizeof *rlx_repl_attributes;

#define RLX_REPL_BUILTIN(name, form, method) {#name, RLX_REPL_BUILTIN_##form, method},
static const RlxReplBuiltinRow builtins[] = {
#include "repl/methods.def"
};

#define RLX_REPL_PYTHON(name, instead) {#name, instead},
static const RlxReplInstead python[] = {
#include "repl/methods.def"
};

#define RLX_REPL_LIBRARY(name, relax) {#name, relax},
const RlxReplInstead rlx_repl_library[] = {
#include "repl/methods.def"
};
const size_t rlx_repl_library_count = sizeof rlx_repl_library / sizeof *rlx_repl_library;

#define RLX_REPL_FORMULA(name, params, formula) {name, params, formula},
const RlxReplFormulaRow rlx_repl_formulas[] = {
#include "repl/formulas.def"
};
const size_t rlx_repl_formula_count = sizeof rlx_repl_formulas / sizeof *rlx_repl_formulas;

#define RLX_REPL_NO_LIBRARY(name, instead) {name, instead},
const RlxReplInstead rlx_repl_no_functions[] = {
#include "repl/formulas.def"
};
const size_t rlx_repl_no_function_count =
    sizeof rlx_repl_no_functions / sizeof *rlx_repl_no_functions;

static bool is_it(const char *text, const char *name, size_t size) {
  return strlen(text) == size && !memcmp(text, name, size);
}

RlxReplCommandId rlx_repl_command_named(const char *name, size_t size) {
  for (size_t i = 0; i < rlx_repl_alias_count; i++)
    if (is_it(rlx_repl_aliases[i].alias, name, size)) return rlx_repl_aliases[i].command;
  RlxReplCommandId id = 0;
  while (id < RLX_REPL_COMMAND_COUNT && !is_it(rlx_repl_commands[id].name, name, size)) id++;
  return id;
}

bool rlx_repl_needs_argument(const RlxReplCommandRow *row) {
  const char *p = row->argument;
  while (*p == '[') {
    p += strcspn(p, "]");
    p += *p == ']';
    p += strspn(p, " ");
  }
  return *p != 0;
}

const char *rlx_repl_next_option(const char **at, size_t *size) {
  const char *found = strstr(*at, "--");
  if (!found) return NULL;
  *size = strcspn(found, "|] ");
  *at = found + *size;
  return found;
}

bool rlx_repl_refuse_command(const char *word) {
  RlxNearest nearest = rlx_nearest_start(word);
  for (size_t i = 0; i < rlx_repl_alias_count; i++)
    rlx_nearest_try(&nearest, rlx_repl_aliases[i].alias);
  for (int i = 0; i < RLX_REPL_COMMAND_COUNT; i++)
    rlx_nearest_try(&nearest, rlx_repl_commands[i].name);
  if (nearest.best)
    rlx_text_say(stdout, "error: there is no command :%s; did you mean :%s?", word, nearest.best);
  else
    rlx_text_say(stdout, "error: there is no command :%s; :help lists them", word);
  return false;
}

const RlxReplDataRow *rlx_repl_data_named(const char *name) {
  for (size_t i = 0; i < rlx_repl_data_count; i++)
    if (!strcmp(rlx_repl_data[i].name, name)) return &rlx_repl_data[i];
  return NULL;
}

const RlxReplMethodRow *rlx_repl_method_named(const char *name) {
  for (size_t i = 0; i < rlx_repl_method_count; i++)
    if (!strcmp(rlx_repl_methods[i].name, name)) return &rlx_repl_methods[i];
  return NULL;
}

const RlxReplAttributeRow *rlx_repl_attribute_named(const char *name) {
  for (size_t i = 0; i < rlx_repl_attribute_count; i++)
    if (!strcmp(rlx_repl_attributes[i].name, name)) return &rlx_repl_attributes[i];
  return NULL;
}

const RlxReplBuiltinRow *rlx_repl_builtin_named(const char *name) {
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (!strcmp(builtins[i].name, name)) return &builtins[i];
  return NULL;
}

static const char *instead_of(const RlxReplInstead *rows, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(rows[i].name, name)) return rows[i].instead;
  return NULL;
}

const char *rlx_repl_python_named(const char *name) {
  return instead_of(python, sizeof python / sizeof *python, name);
}

const char *rlx_repl_library_named(const char *name) {
  const char *ours = instead_of(rlx_repl_library, rlx_repl_library_count, name);
  return ours ? ours : name;
}

bool rlx_repl_has_formula(const char *name) {
  size_t i = 0;
  while (i < rlx_repl_formula_count && strcmp(rlx_repl_formulas[i].name, name) != 0) i++;
  return i < rlx_repl_formula_count;
}

const char *rlx_repl_missing_function_named(const char *name) {
  return instead_of(rlx_repl_no_functions, rlx_repl_no_function_count, name);
}

const char *rlx_repl_missing_method_named(const char *name) {
  return instead_of(rlx_repl_no_methods, rlx_repl_no_method_count, name);
}

bool rlx_repl_setting_limits(RlxReplSet set, long long *min, long long *max) {
  return sscanf(rlx_repl_settings[set].values, "%lld to %lld", min, max) == 2;
}
