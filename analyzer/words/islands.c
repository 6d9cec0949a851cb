/// Finds islands by the names in decorators. Names become dotted paths; the last two parts of a
/// decorator's path decide.
#include "analyzer/words/islands.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/logical_lines.h"
#include "analyzer/words/spell.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"

/// What a decorator makes: for functions a kind, for classes a module.
typedef struct Row {
  const char *space; // what the namespace's path ends with
  const char *name;
  bool is_module;
  RlxIslandKind kind;
} Row;

static const Row rows[] = {
    {"relax", "function", false, RLX_ISLAND_RELAX},
    {"relax", "func", false, RLX_ISLAND_RELAX},
    {"relax", "script", false, RLX_ISLAND_RELAX},
    {"relax", "macro", false, RLX_ISLAND_MACRO},
    {"tir", "prim_func", false, RLX_ISLAND_PRIM_FUNC},
    {"tir", "macro", false, RLX_ISLAND_MACRO},
    {"tir", "inline", false, RLX_ISLAND_MACRO},
    {"tir", "jit", false, RLX_ISLAND_JIT},
    {"tirx", "prim_func", false, RLX_ISLAND_PRIM_FUNC},
    {"tirx", "macro", false, RLX_ISLAND_MACRO},
    {"tirx", "inline", false, RLX_ISLAND_MACRO},
    {"tirx", "jit", false, RLX_ISLAND_JIT},
    {"ir", "pyfunc", false, RLX_ISLAND_PYFUNC},
    {"script", "tir", false, RLX_ISLAND_PRIM_FUNC},
    {"script", "prim_func", false, RLX_ISLAND_PRIM_FUNC},
    {"script", "relax", false, RLX_ISLAND_RELAX},
    {"ir", "ir_module", true, RLX_ISLAND_RELAX},
    {"script", "ir_module", true, RLX_ISLAND_RELAX},
    {"relax", "script", true, RLX_ISLAND_RELAX},
    {"script", "module", true, RLX_ISLAND_RELAX},
    {"relax", "rewriter", true, RLX_ISLAND_RELAX},
};

bool rlx_island_word(char root, const char *name) {
  const char *space = root == 'R' ? "relax" : root == 'T' ? "tirx" : "ir";
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].space, space) && !strcmp(rows[i].name, name)) return true;
  return false;
}

/// Names that need no import, as in printed scripts.
static const struct {
  const char *name, *path;
} customs[] = {
    {"R", "tvm.script.relax"},
    {"relax", "tvm.script.relax"},
    {"rx", "tvm.script.relax"},
    {"T", "tvm.script.tir"},
    {"tir", "tvm.script.tir"},
    {"tirx", "tvm.script.tirx"},
    {"Tx", "tvm.script.tirx"},
    {"I", "tvm.script.ir"},
    {"tvm", "tvm"},
    {"ir_module", "tvm.script.ir_module"},
};

static bool is_tvm(const char *path) {
  return strncmp(path, "tvm", 3) == 0 && (path[3] == 0 || path[3] == '.');
}

/// Notes what a name stands for; of two meanings TVM's wins, of two of TVM's that of `tvm.script.parser`, which has more names.
static void define(RlxIslandNames *f, RlxName name, const char *path) {
  uint64_t old = 0;
  bool known = rlx_map_get(&f->paths, name, &old);
  const bool is_widest = strncmp(path, "tvm.script.parser.", 18) == 0;
  if (known && is_tvm(rlx_store_text(f->store, (RlxName)old)) && !is_widest) return;
  rlx_map_put(&f->paths, name, rlx_store_intern(f->store, path, strlen(path)));
}

/// The path of a name or attribute chain; false when it is something else.
static bool path_of(const RlxIslandNames *f, const RlxAst *ast, RlxBuf *out) {
  if (ast->kind == RLX_AST_ATTRIBUTE) {
    if (!path_of(f, ast->children[0], out)) return false;
    rlx_buf_putc(out, '.');
    rlx_buf_puts(out, rlx_store_text(f->store, ast->name));
    return true;
  }
  if (ast->kind != RLX_AST_NAME) return false;
  const char *text = rlx_store_text(f->store, ast->name);
  uint64_t path = 0;
  if (rlx_map_get(&f->paths, ast->name, &path)) {
    rlx_buf_puts(out, rlx_store_text(f->store, (RlxName)path));
    return true;
  }
  for (size_t i = 0; i < sizeof customs / sizeof *customs; i++) {
    if (strcmp(customs[i].name, text) == 0) text = customs[i].path;
  }
  rlx_buf_puts(out, text);
  return true;
}

static void read_import(RlxIslandNames *f, const RlxStmt *stmt) {
  RlxBuf path = {0};
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    const RlxImport *import = &stmt->imports[i];
    const char *module = rlx_store_text(f->store, import->module),
               *name = rlx_store_text(f->store, import->name);
    if (!import->name || !import->module) continue;
    rlx_buf_clear(&path);
    if (import->member)
      rlx_buf_printf(&path, "%s%s%s", module, module[strlen(module) - 1] == '.' ? "" : ".",
                     rlx_store_text(f->store, import->member));
    else
      rlx_buf_puts(&path, strncmp(module, name, strlen(name)) == 0 && module[strlen(name)] == '.'
                              ? name
                              : module);
    define(f, import->name, rlx_buf_text(&path));
  }
  rlx_buf_free(&path);
}

/// Whether the decorator is no name and no attribute of one, and so gives none of TVM's functions.
static bool is_no_name(const RlxAst *head) {
  static const uint8_t kinds[] = {RLX_AST_LIST,   RLX_AST_TUPLE,  RLX_AST_STRING, RLX_AST_INT,
                                  RLX_AST_NONE,   RLX_AST_TRUE,   RLX_AST_FALSE,  RLX_AST_UNARY,
                                  RLX_AST_BINARY, RLX_AST_COMPARE};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (head->kind == kinds[i]) return true;
  return false;
}

/// The item that a list or tuple in the text has under a number, or a dict of one pair; NULL: it is not to be seen.
static const RlxAst *item_of(const RlxAst *subscript) {
  const RlxAst *of = subscript->children[0];
  const RlxAst *key = subscript->child_count == 2 ? subscript->children[1] : NULL;
  const bool is_last = key && key->kind == RLX_AST_UNARY && key->op == RLX_OP_NEG; // from the end
  if (is_last) key = key->children[0];
  if (!key || key->kind != RLX_AST_INT || key->is_big) return NULL;
  if (of->kind == RLX_AST_LIST || of->kind == RLX_AST_TUPLE) {
    const int64_t at = is_last ? of->child_count - key->integer : key->integer;
    return at >= 0 && at < of->child_count ? of->children[at] : NULL;
  }
  if (is_last) return NULL;
  const bool is_pair = of->kind == RLX_AST_DICT && of->child_count == 2;
  return is_pair && of->children[0]->kind == RLX_AST_INT && of->children[0]->integer == key->integer
             ? of->children[1]
             : NULL;
}

/// One step: the part that is the expression's value, if it is one that can decorate; NULL: there is no such part.
static const RlxAst *value_part(const RlxAst *ast) {
  if (ast->kind == RLX_AST_NAMED) return ast->children[0];
  if (ast->kind == RLX_AST_SUBSCRIPT) return item_of(ast);
  if (ast->kind ==
      RLX_AST_BOOL_OP) { // of `x or f`, an x that can be no function is false or a mistake
    const RlxAst *left = ast->children[0];
    const bool is_right = ast->op == RLX_OP_AND ? rlx_ast_flag(left) != 0 : is_no_name(left);
    return is_right ? ast->children[1] : left;
  }
  const int flag = ast->kind == RLX_AST_CONDITIONAL ? rlx_ast_flag(ast->children[1]) : -1;
  return flag < 0 ? NULL : ast->children[flag ? 0 : 2];
}

const RlxAst *rlx_decorator_function(const RlxAst *decorator) {
  const RlxAst *head = decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
  for (const RlxAst *part = head; part; part = value_part(part)) head = part;
  const bool is_part = head != decorator && decorator->kind != RLX_AST_CALL;
  return is_part && head->kind == RLX_AST_CALL ? head->children[0] : head;
}

/// What a name stands for whose value is `functools.partial(R.function, …)`.
static const char partial[] = "functools.partial", decorator_partial[] = "functools.partial()";

static const Row *row_of(const RlxIslandNames *f, const RlxAst *decorator, bool is_class);

/// Whether `functools.partial` can be what is called: an attribute of that name, or a name that stands for a path. Thousands of
/// other calls are told by it.
static bool may_be_partial(const RlxIslandNames *f, const RlxAst *callee) {
  return callee->kind == RLX_AST_ATTRIBUTE
             ? strcmp(rlx_store_text(f->store, callee->name), "partial") == 0
             : callee->kind == RLX_AST_NAME && rlx_map_get(&f->paths, callee->name, NULL);
}

/// `functools.partial(R.function, private=True)`
static bool makes_partial(const RlxIslandNames *f, const RlxAst *call) {
  if (call->kind != RLX_AST_CALL || call->child_count < 2 ||
      !may_be_partial(f, call->children[0]) || !row_of(f, call->children[1], false))
    return false;
  RlxBuf path = {0};
  const bool makes =
      path_of(f, call->children[0], &path) && strcmp(rlx_buf_text(&path), partial) == 0;
  rlx_buf_free(&path);
  return makes;
}

/// `function = R.function`: a name for a path that is TVM's.
static void read_assignment(RlxIslandNames *f, const RlxStmt *stmt) {
  if (stmt->target_count != 1 || stmt->targets[0]->kind != RLX_AST_NAME || !stmt->value) return;
  if (makes_partial(f, stmt->value)) define(f, stmt->targets[0]->name, decorator_partial);
  if (stmt->value->kind != RLX_AST_ATTRIBUTE) return;
  RlxBuf path = {0};
  if (path_of(f, stmt->value, &path) && is_tvm(rlx_buf_text(&path)))
    define(f, stmt->targets[0]->name, rlx_buf_text(&path));
  rlx_buf_free(&path);
}

bool rlx_island_hides_names(const RlxIslandNames *f, const RlxStmt *stmt) {
  const RlxStmt *around = stmt->block ? stmt->block->parent : NULL;
  if ((!around || around->kind == RLX_STMT_CLASS) && rlx_def_is_undecorated(f->store, stmt))
    return true;
  for (uint32_t k = 0; stmt->kind == RLX_STMT_DEF && k < stmt->decorator_count; k++) {
    const RlxAst *name = rlx_decorator_function(stmt->decorators[k]);
    if (name->kind != RLX_AST_ATTRIBUTE && name->kind != RLX_AST_NAME) continue;
    const char *text = rlx_store_text(f->store, name->name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (!rows[i].is_module && strcmp(rows[i].name, text) == 0) return true;
  }
  return false;
}

static void read_names(RlxIslandNames *f, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt->kind == RLX_STMT_IMPORT)
      read_import(f, stmt);
    else if (stmt->kind == RLX_STMT_ASSIGN)
      read_assignment(f, stmt);
    if (rlx_island_hides_names(f, stmt)) continue;
    read_names(f, stmt->body);
    read_names(f, stmt->orelse);
    for (uint32_t k = 0; k < stmt->block_count; k++) read_names(f, stmt->blocks[k]);
  }
}

bool rlx_decorator_is_partial(const RlxIslandNames *names, const RlxAst *decorator) {
  uint64_t path;
  return decorator->kind == RLX_AST_NAME
             ? rlx_map_get(&names->paths, decorator->name, &path) &&
                   strcmp(rlx_store_text(names->store, (RlxName)path), decorator_partial) == 0
             : makes_partial(names, decorator);
}

void rlx_island_names_read(RlxIslandNames *names, const RlxDocument *doc) {
  names->store = rlx_document_store(doc);
  rlx_map_clear(&names->paths);
  read_names(names, rlx_document_root(doc));
}

void rlx_island_names_free(RlxIslandNames *names) { rlx_map_free(&names->paths); }

/// Does the path end with `space.name`, below TVM or a package of the file's own? `tvm.vendor.script`
/// is a language of somebody else's.
static bool ends_with(const char *path, const char *space, const char *name) {
  size_t size = strlen(path), name_size = strlen(name), space_size = strlen(space);
  if (size < name_size + space_size + 1) return false;
  const char *at = path + size - name_size;
  if (strcmp(at, name) != 0 || at[-1] != '.') return false;
  at -= 1 + space_size;
  if (strncmp(at, space, space_size) != 0 || (at > path && at[-1] != '.')) return false;
  if (strcmp(space, "script") == 0 && path[0] != '.') return strncmp(path, "tvm.script.", 11) == 0;
  return is_tvm(path) || path[0] == '.';
}

static const Row *row_of(const RlxIslandNames *f, const RlxAst *decorator, bool is_class) {
  const RlxAst *name = rlx_decorator_function(decorator);
  RlxBuf path = {0};
  const Row *found = NULL;
  if (path_of(f, name, &path)) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !found; i++) {
      if (rows[i].is_module == is_class &&
          ends_with(rlx_buf_text(&path), rows[i].space, rows[i].name))
        found = &rows[i];
    }
  }
  rlx_buf_free(&path);
  return found;
}

/// The root of the first annotation of a def that is a dotted name, or the call of one; "": none is.
static const char *annotation_root(const RlxIslandNames *f, const RlxStmt *def) {
  for (uint32_t i = 0; i < def->param_count; i++) {
    const RlxAst *type = def->params[i].annotation;
    if (!type) continue;
    if (type->kind == RLX_AST_CALL) type = type->children[0];
    if (type->kind != RLX_AST_ATTRIBUTE || type->children[0]->kind != RLX_AST_NAME) continue;
    return rlx_store_text(f->store, type->children[0]->name);
  }
  return "";
}

/// Whether the annotations of a def are those of a PrimFunc.
static bool has_script_types(const RlxIslandNames *f, const RlxStmt *def) {
  const char *root = annotation_root(f, def);
  return strcmp(root, "T") == 0 || strcmp(root, "tirx") == 0;
}

/// Whether `path` is one name below `space`.
static bool is_directly_in(const char *path, const char *space) {
  size_t size = strlen(space);
  return strncmp(path, space, size) == 0 && path[size] == '.' && !strchr(path + size + 1, '.');
}

/// Whether a decorator was meant to make a module: `@I.irmodule`, `@tvm.script.r_module`, `@T.prim_func`, `@J.ir_module`.
static bool nears_module(const RlxIslandNames *f, const RlxAst *decorator) {
  const RlxAst *head = decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
  if (head->kind == RLX_AST_INT || head->kind == RLX_AST_STRING || head->kind == RLX_AST_NONE)
    return true;
  const RlxAst *root = head;
  while (root->kind == RLX_AST_ATTRIBUTE) root = root->children[0];
  RlxBuf path = {0};
  bool nears = false;
  if (root->kind == RLX_AST_NAME && path_of(f, head, &path)) {
    const char *text = rlx_buf_text(&path), *last = strrchr(text, '.');
    bool is_module = last && strcmp(last, ".ir_module") == 0;
    if (is_tvm(text)) {
      nears = is_directly_in(text, "tvm.script.ir") || is_directly_in(text, "tvm.script.relax") ||
              (is_directly_in(text, "tvm.script") && strcmp(last, ".tir") != 0) ||
              (is_module && strchr(strchr(text, '.') + 1, '.') == last);
      for (size_t i = 0; i < sizeof rows / sizeof *rows && !nears; i++)
        nears = !rows[i].is_module && ends_with(text, rows[i].space, rows[i].name);
    } else if (!rlx_map_get(&f->paths, root->name, NULL))
      nears = is_module || strcmp(text, "Iir_module") == 0;
  }
  rlx_buf_free(&path);
  return nears;
}

/// A class with functions of a module under a decorator that TVM has not, or not for classes.
static bool misses_module(const RlxIslandNames *f, const RlxStmt *stmt) {
  bool nears = false, has_function = false;
  for (uint32_t k = 0; k < stmt->decorator_count; k++)
    nears |= nears_module(f, stmt->decorators[k]);
  for (uint32_t i = 0; nears && stmt->body && i < stmt->body->count && !has_function; i++) {
    const RlxStmt *def = stmt->body->stmts[i];
    for (uint32_t k = 0; def->kind == RLX_STMT_DEF && k < def->decorator_count; k++)
      has_function |= row_of(f, def->decorators[k], false) != NULL;
  }
  return has_function;
}

/// Names that blocks may bind, each found once: keys are of a block and a name.
typedef struct RlxIslandBound {
  const RlxIslandNames *names;
  const RlxBlock *block; ///< whose names are being noted
  RlxMap map;
} Bound;

static const RlxName is_noted = 0, binds_all = UINT32_MAX; // in place of a name

static uint64_t bound_key(const RlxBlock *block, RlxName name) {
  return rlx_hash_mix((uint64_t)(uintptr_t)block, name);
}

static void note_bound(Bound *b, RlxName name) {
  rlx_map_put(&b->map, bound_key(b->block, name), 1);
}

static void note_targets(Bound *b, const RlxAst *target) {
  if (target->kind == RLX_AST_NAME) {
    note_bound(b, target->name);
    return;
  }
  for (uint32_t i = 0; i < target->child_count; i++) note_targets(b, target->children[i]);
}

/// Notes what a statement of the block, outside of functions, may bind.
static void note_block(Bound *b, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const bool is_scope = stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS;
    if (is_scope) note_bound(b, stmt->name);
    if (stmt->kind == RLX_STMT_IMPORT)
      for (uint32_t k = 0; k < stmt->import_count; k++) {
        const RlxName name = stmt->imports[k].name;
        const bool is_all = !name || strcmp(rlx_store_text(b->names->store, name), "*") == 0;
        note_bound(b, is_all ? binds_all : name);
      }
    for (uint32_t k = 0; !is_scope && k < stmt->target_count; k++)
      note_targets(b, stmt->targets[k]);
    for (uint32_t k = 0; k < stmt->item_count; k++)
      if (stmt->items[k].target) note_targets(b, stmt->items[k].target);
    if (stmt->kind == RLX_STMT_DEF) continue;
    note_block(b, stmt->body);
    note_block(b, stmt->orelse);
    for (uint32_t k = 0; k < stmt->block_count; k++) note_block(b, stmt->blocks[k]);
  }
}

/// Whether a statement of the block, outside of functions, may bind the name.
static bool may_bind(const RlxIslandNames *f, const RlxBlock *block, RlxName name) {
  Bound own = {.names = f}, *b = f->bound ? f->bound : &own;
  b->block = block;
  if (rlx_map_put(&b->map, bound_key(block, is_noted), 1)) note_block(b, block);
  const bool may = rlx_map_get(&b->map, bound_key(block, name), NULL) ||
                   rlx_map_get(&b->map, bound_key(block, binds_all), NULL);
  rlx_map_free(&own.map);
  return may;
}

/// Whether a decorator of a def at the top of the file, or of one in a class there, is a name that
/// nothing binds.
static bool is_unbound(const RlxIslandNames *f, const RlxStmt *def, const RlxAst *root) {
  const RlxBlock *block = def->block;
  if (!block || root->kind != RLX_AST_NAME ||
      rlx_names_is_builtin(rlx_store_text(f->store, root->name)))
    return false;
  if (block->parent && block->parent->kind != RLX_STMT_CLASS) return false;
  if (block->parent && may_bind(f, block, root->name)) return false;
  block = block->parent ? block->parent->block : block;
  return block && !block->parent && !may_bind(f, block, root->name);
}

/// A decorator that nearly makes an island: `@T.primfunc`, `@R.functio`, `@TT.prim_func`. TVM refuses it; which is
/// said of an island only.
static bool misses(const RlxIslandNames *f, const RlxStmt *def, RlxIslandKind *out) {
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *head = def->decorators[i];
    bool has_subscript = false;
    if (rlx_decorator_is_partial(f, head)) {
      *out = has_script_types(f, def) ? RLX_ISLAND_PRIM_FUNC : RLX_ISLAND_RELAX;
      return true;
    }
    while (head->kind == RLX_AST_CALL || head->kind == RLX_AST_SUBSCRIPT) {
      has_subscript |= head->kind == RLX_AST_SUBSCRIPT;
      head = head->children[0];
    }
    const char *last = head->kind == RLX_AST_NAME || head->kind == RLX_AST_ATTRIBUTE
                           ? rlx_store_text(f->store, head->name)
                           : "";
    const RlxAst *root = head;
    while (root->kind == RLX_AST_ATTRIBUTE || root->kind == RLX_AST_CALL ||
           root->kind == RLX_AST_SUBSCRIPT)
      root = root->children[0];
    if (is_no_name(root) && !has_subscript && has_script_types(f, def)) {
      *out = RLX_ISLAND_PRIM_FUNC;
      return true;
    }
    if (root->kind != RLX_AST_NAME) continue;
    const char *text = rlx_store_text(f->store, root->name);
    uint64_t path = 0;
    bool is_known = rlx_map_get(&f->paths, root->name, &path);
    bool is_space = strcmp(text, "T") == 0 || strcmp(text, "R") == 0 || strcmp(text, "I") == 0;
    is_space = is_space && is_known && is_tvm(rlx_store_text(f->store, (RlxName)path));
    if (is_space && (head != root || has_script_types(f, def))) {
      *out = text[0] == 'T' || (text[0] == 'I' && has_script_types(f, def)) ? RLX_ISLAND_PRIM_FUNC
                                                                            : RLX_ISLAND_RELAX;
      return true;
    }
    bool is_prim_func = strcmp(last, "prim_func") == 0, has_types = has_script_types(f, def);
    const int marks = is_known ? 0 : is_prim_func + has_types;
    if (marks == 2 || (marks && is_unbound(f, def, root))) {
      *out = RLX_ISLAND_PRIM_FUNC;
      return true;
    }
    bool is_relax = strcmp(last, head == root ? "Rfunction" : "function") == 0;
    if (!is_known && is_relax && strcmp(annotation_root(f, def), "R") == 0) {
      *out = RLX_ISLAND_RELAX;
      return true;
    }
  }
  return false;
}

bool rlx_island_kind_of(const RlxIslandNames *names, const RlxStmt *stmt, RlxIslandKind *out) {
  bool is_class = stmt->kind == RLX_STMT_CLASS;
  if (!is_class && stmt->kind != RLX_STMT_DEF) return false;
  for (uint32_t k = stmt->decorator_count; k-- > 0;) { // TVM reads a def as its last decorator says
    const Row *row = row_of(names, stmt->decorators[k], is_class);
    if (!row) continue;
    *out = row->kind;
    return true;
  }
  if (!is_class && misses(names, stmt, out)) return true;
  if (is_class && misses_module(names, stmt)) {
    *out = RLX_ISLAND_RELAX;
    return true;
  }
  const RlxStmt *around = stmt->block ? stmt->block->parent : NULL;
  *out = RLX_ISLAND_RELAX;
  if ((!around || around->kind == RLX_STMT_CLASS) && rlx_def_is_undecorated(names->store, stmt))
    return true;
  // A function of a module without its decorator, as is reported.
  RlxIslandKind module;
  *out = RLX_ISLAND_PRIM_FUNC;
  return !is_class && !stmt->decorator_count && around && around->kind == RLX_STMT_CLASS &&
         has_script_types(names, stmt) && rlx_island_kind_of(names, around, &module);
}

/// Looks at the statements of a block; `module` is the module class that they stand directly in.
static void find(const RlxIslandNames *names, const RlxBlock *block, RlxStmt *module, bool is_local,
                 RlxIslands *out) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    RlxStmt *stmt = block->stmts[i];
    bool is_class = stmt->kind == RLX_STMT_CLASS;
    if (is_class || stmt->kind == RLX_STMT_DEF) {
      RlxIslandKind kind = RLX_ISLAND_RELAX;
      bool is_island = rlx_island_kind_of(names, stmt, &kind);
      RlxIsland island = {.kind = (uint8_t)(is_class ? 0 : kind),
                          .is_module = is_class,
                          .is_plain = !is_island,
                          .is_local = is_local,
                          .stmt = stmt,
                          .module = is_class ? NULL : module};
      rlx_vec_push(out, island);
      find(names, stmt->body, is_class && is_island ? stmt : NULL,
           is_local || (is_island && !is_class), out);
      continue;
    }
    // An `if` in a class body does not hide the class.
    find(names, stmt->body, module, is_local, out);
    find(names, stmt->orelse, module, is_local, out);
    for (uint32_t k = 0; k < stmt->block_count; k++)
      find(names, stmt->blocks[k], module, is_local, out);
  }
}

void rlx_island_names_hold(RlxIslandNames *names) {
  names->bound = rlx_mem_zeroed(1, sizeof *names->bound);
  names->bound->names = names;
}

void rlx_island_names_let_go(RlxIslandNames *names) {
  rlx_map_free(&names->bound->map);
  free(names->bound);
  names->bound = NULL;
}

void rlx_islands_all(RlxIslandNames *names, const RlxDocument *doc, RlxIslands *out) {
  rlx_island_names_hold(names);
  find(names, rlx_document_root(doc), NULL, false, out);
  rlx_island_names_let_go(names);
}

void rlx_islands(const RlxDocument *doc, RlxIslands *out) {
  RlxIslandNames names = {0};
  uint32_t first = out->count;
  rlx_island_names_read(&names, doc);
  rlx_islands_all(&names, doc, out);
  rlx_island_names_free(&names);
  uint32_t kept = first;
  for (uint32_t i = first; i < out->count; i++)
    if (!out->at[i].is_plain) out->at[kept++] = out->at[i];
  out->count = kept;
}

// ---- without parsing
// An island has a decorator whose dotted path, names replaced by what they stand for, ends with the
// name of a row. In the text that is an `@` with, behind it, `….name`, or a bare word that the file
// imports or assigns under another name. What is neither a chain of words nor certain to end there
// counts as possible.

static bool is_row_name(const char *word, size_t size) {
  const char *const made = strrchr(partial, '.') + 1; // of a row
  if (strlen(made) == size && memcmp(made, word, size) == 0) return true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strlen(rows[i].name) == size && memcmp(rows[i].name, word, size) == 0) return true;
  for (size_t i = 0; i < sizeof customs / sizeof *customs; i++)
    if (strlen(customs[i].name) == size && memcmp(customs[i].name, word, size) == 0) return true;
  return false;
}

static bool is_space_byte(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\\' || c == '\r' || c == '\n';
}

/// Whether the file may give the word a meaning: `… as word`, `word = …`, `word: … = …`.
static bool may_be_defined(const char *text, size_t size, const char *word, size_t word_size) {
  for (const char *at = text, *end = text + size;
       (at = memmem(at, (size_t)(end - at), word, word_size)) != NULL; at += word_size) {
    const char *before = at, *after = at + word_size;
    if ((before > text && rlx_text_in_name(before[-1])) ||
        (after < end && rlx_text_in_name(*after)))
      continue;
    while (after < end && is_space_byte(*after)) after++;
    if (after < end && (*after == ':' || (*after == '=' && !(after + 1 < end && after[1] == '='))))
      return true;
    while (before > text && is_space_byte(before[-1])) before--;
    if (before - text >= 2 && before[-1] == 's' && before[-2] == 'a' &&
        (before - text == 2 || !rlx_text_in_name(before[-3])))
      return true;
  }
  return false;
}

enum { MAX_WORDS = 32 }; // bare decorators that are looked up; files with more are parsed

typedef struct Words {
  const char *at[MAX_WORDS];
  size_t sizes[MAX_WORDS];
  uint32_t count;
} Words;

/// Whether what stands behind an `@` at `at` may make an island.
static bool may_decorate(const char *text, size_t size, const char *at, Words *seen) {
  const char *end = text + size;
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  const char *first = at, *last = at;
  for (;;) {
    last = at;
    while (at < end && rlx_text_in_name(*at)) at++;
    if (at == last || at >= end || *at != '.') break;
    at++;
  }
  const char *next = at;
  while (next < end && *next == ' ') next++;
  bool is_plain = at > last && (next == end || *next == '(' || *next == '\n' || *next == '\r' ||
                                *next == '#'); // as nearly all are
  if (!is_plain || is_row_name(last, (size_t)(at - last))) return true;
  for (const char *c = first; c < at; c++)
    if (*c & 0x80) return true; // spelt otherwise, it may be the same name
  bool is_space =
      last != first && (*first == 'T' || *first == 'R' || *first == 'I') && first[1] == '.';
  if (is_space) return true;       // a misspelt word of TVM's
  if (last != first) return false; // ends with another attribute
  size_t word_size = (size_t)(at - last);
  for (uint32_t i = 0; i < seen->count; i++)
    if (seen->sizes[i] == word_size && memcmp(seen->at[i], last, word_size) == 0) return false;
  if (seen->count == MAX_WORDS) return true;
  seen->at[seen->count] = last;
  seen->sizes[seen->count++] = word_size;
  return may_be_defined(text, size, last, word_size);
}

/// Whether the line's mistakes may make another decorator of it than its first words say.
static bool is_odd(const char *text, const RlxLogicalLine *line) {
  bool has_call = memchr(text + line->start, '(', line->end - line->start) != NULL;
  return line->is_broken || (has_call && text[line->end - 1] != ')');
}

/// Whether `R.` or `T.` stands there, as in the parameters of a def that is taken for an island without a
/// decorator. Behind a byte that is not ASCII it may: where it belongs to no letter, a name begins behind it.
static bool has_word(const char *text, const char *from, const char *end, char word) {
  for (; (from = memchr(from, word, (size_t)(end - from))) != NULL; from++) {
    const char *next = from + 1;
    if (from > text && !(from[-1] & 0x80) && rlx_text_in_name(from[-1])) continue;
    while (next < end && (is_space_byte(*next) || *next == ')')) next++;
    if (next < end && (*next == '.' || *next == '#')) return true;
  }
  return false;
}

static bool has_annotation(const char *text, const char *from, const char *end) {
  return has_word(text, from, end, 'R') || has_word(text, from, end, 'T');
}

/// The quick look: any `@`, be it in a string, and any `R.`.
static bool has_candidate(const char *text, size_t size) {
  Words seen = {.count = 0};
  for (const char *at = text, *end = text + size;
       (at = memchr(at, '@', (size_t)(end - at))) != NULL;)
    if (may_decorate(text, size, ++at, &seen)) return true;
  return has_annotation(text, text, text + size);
}

bool rlx_islands_possible(const char *text, size_t size) {
  Words seen = {.count = 0};
  RlxLogicalLine line;
  if (!has_candidate(text, size)) return false;
  if (size >= UINT32_MAX) return true;
  // The document's own scanner says which of them start a line of code.
  for (uint32_t at = 0; rlx_logical_line_next(text, (uint32_t)size, at, &line); at = line.next) {
    if (line.kind == RLX_LINE_DEF && has_annotation(text, text + line.start, text + line.end))
      return true;
    if (line.kind == RLX_LINE_DECORATOR &&
        (is_odd(text, &line) || may_decorate(text, size, text + line.start + 1, &seen)))
      return true;
  }
  return false;
}
