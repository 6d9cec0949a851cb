/// :edit: a definition in the editor that the user has chosen, and back.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "repl/session.h"

/// Runs $VISUAL, $EDITOR or vi on the file; false after a message.
static bool run_editor(const char *path) {
  const char *editor = getenv("VISUAL");
  if (!editor || !*editor) editor = getenv("EDITOR");
  if (!editor || !*editor) editor = "vi";
  RlxBuf command = {0};
  rlx_buf_printf(&command, "%s \"$1\"", editor); // may have arguments of its own
  fflush(stdout);
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGINT, &ignore, &before); // Ctrl-C is the editor's
  const pid_t pid = fork();
  if (pid == 0) {
    sigaction(SIGINT, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    execl("/bin/sh", "sh", "-c", rlx_buf_text(&command), "sh", path, (char *)NULL);
    _exit(127);
  }
  int status = -1;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  sigaction(SIGINT, &before, NULL);
  rlx_buf_free(&command);
  if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  rlx_text_say(stdout,
               "error: the editor %.200s failed; nothing was changed ($EDITOR names another one)",
               editor);
  return false;
}

/// What the editor begins with: what was refused the last time, the definition, or how one begins.
static void put_draft(const RlxRepl *repl, const char *name, const RlxReplDef *def, RlxBuf *out) {
  const RlxReplDraft *draft = &repl->draft;
  const char *text = def ? def->text : "";
  if (draft->name && !strcmp(draft->name, name) && !strcmp(draft->base, text))
    rlx_buf_puts(out, draft->text);
  else if (def)
    rlx_buf_printf(out, "%s\n", text);
  else
    rlx_buf_printf(out, "@R.function\ndef %s(x: R.Tensor((\"n\",), \"float32\")):\n    return x\n",
                   name);
}

void rlx_repl_drop_draft(RlxRepl *repl) {
  free(repl->draft.name);
  free(repl->draft.base);
  free(repl->draft.text);
  repl->draft = (RlxReplDraft){0};
}

/// Has the user edit `text`; what is saved goes to `out`. False after a message.
static bool edit_file(const RlxBuf *text, RlxBuf *out) {
  const char *folder = getenv("TMPDIR");
  RlxBuf path = {0};
  RlxError err = {0};
  rlx_buf_printf(&path, "%s/rlx-XXXXXX.py", folder && *folder ? folder : "/tmp");
  const int fd = mkstemps(path.at, 3);
  if (fd < 0) {
    rlx_text_say(stdout, "error: no file could be made for the editor in %s: %s",
                 folder && *folder ? folder : "/tmp", strerror(errno));
    return rlx_buf_free(&path), false;
  }
  bool ok = write(fd, text->at, text->size) == (ssize_t)text->size;
  close(fd);
  if (!ok) rlx_text_say(stdout, "error: cannot write %s", path.at);
  ok = ok && run_editor(path.at);
  if (ok && !rlx_file_read(path.at, out, &err)) {
    rlx_text_say(stdout, "error: %s", err.text);
    ok = false;
  }
  unlink(path.at);
  rlx_buf_free(&path);
  return ok;
}

/// Whether there is nothing but blanks.
static bool is_blank(const RlxBuf *text) {
  const char *at = rlx_buf_text(text);
  return at[strspn(at, " \t\r\n")] == 0;
}

/// Whether an editor can be shown: a notebook has no terminal, and what is used where none is named needs one.
static bool has_place(const RlxRepl *repl) {
  const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");
  const bool is_named = (visual && *visual) || (editor && *editor);
  if (repl->on_value)
    printf("error: there is no terminal for an editor; a definition is changed in a cell\n");
  else if (!is_named && !isatty(STDIN_FILENO))
    printf("error: there is no terminal for vi; $EDITOR names another editor\n");
  return !repl->on_value && (is_named || isatty(STDIN_FILENO));
}

bool rlx_repl_edit_text(RlxRepl *repl, const char *name, RlxBuf *out) {
  const RlxReplDef *def = rlx_repl_find_def(repl, name, strlen(name));
  RlxBuf before = {0};
  if (!rlx_repl_may_act(repl, ":edit") || !has_place(repl)) return false;
  put_draft(repl, name, def, &before);
  const bool ok = edit_file(&before, out);
  const bool is_same = out->size == before.size && !memcmp(out->at, before.at, before.size);
  if (ok) rlx_repl_drop_draft(repl);
  if (ok && (is_same || is_blank(out))) {
    rlx_text_say(stdout, is_same ? "%s%s" : "nothing was left in the file; %s%s", name,
                 def ? " is as it was" : " is not defined");
    rlx_buf_clear(out);
  } else if (ok)
    repl->draft = (RlxReplDraft){rlx_mem_strdup(name), rlx_mem_strdup(def ? def->text : ""),
                                 rlx_mem_strdup(rlx_buf_text(out))};
  rlx_buf_free(&before);
  return ok;
}
