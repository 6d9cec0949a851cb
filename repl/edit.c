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

bool rlx_repl_edit_text(RlxRepl *repl, const char *name, RlxBuf *out) {
  const RlxReplDef *def = rlx_repl_find_def(repl, name, strlen(name));
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
  RlxBuf before = {0};
  if (def)
    rlx_buf_printf(&before, "%s\n", def->text);
  else
    rlx_buf_printf(
        &before, "@R.function\ndef %s(x: R.Tensor((\"n\",), \"float32\")):\n    return x\n", name);
  bool ok = write(fd, before.at, before.size) == (ssize_t)before.size;
  close(fd);
  if (!ok) rlx_text_say(stdout, "error: cannot write %s", path.at);
  ok = ok && run_editor(path.at);
  if (ok && !rlx_file_read(path.at, out, &err)) {
    rlx_text_say(stdout, "error: %s", err.text);
    ok = false;
  }
  unlink(path.at);
  if (ok && out->size == before.size && !memcmp(out->at, before.at, out->size)) {
    printf("%s is as it was\n", name);
    rlx_buf_clear(out);
  }
  rlx_buf_free(&before);
  rlx_buf_free(&path);
  return ok;
}
