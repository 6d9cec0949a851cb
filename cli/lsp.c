/// `rlx lsp`: the language server on standard input and output, or on a loopback port for
/// debugging.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "server/server.h"

/// Waits for one client on 127.0.0.1:port; its socket, or -1 with a message.
static int accept_one(int64_t port) {
  int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int client = -1;
  if (listener >= 0) setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (listener >= 0 && !bind(listener, (struct sockaddr *)&address, sizeof address) &&
      !listen(listener, 1)) {
    rlx_text_say(stderr, "rlx lsp: waiting for a client on 127.0.0.1:%d", (int)port);
    client = accept(listener, NULL, NULL);
  }
  if (client < 0) rlx_text_say(stderr, "rlx lsp: port %d: %s", (int)port, strerror(errno));
  if (listener >= 0) close(listener);
  return client;
}

int rlx_cmd_lsp(int argc, char **argv) {
  bool use_stdio = false;
  int64_t port = 0, client_process = 0;
  static const char *const levels[] = {"off", "error", "warning", "info", "debug", NULL};
  const char *log = NULL;
  int level = 3, client_level = 0;
  const RlxOption options[] = {
      rlx_option_flag("stdio", &use_stdio, "serve standard input and output (the default)"),
      rlx_option_int("tcp", &port, "PORT", 1, 65535,
                     "wait for one client on this port of 127.0.0.1, for debugging"),
      rlx_option_text("log", &log, "FILE",
                      "append to a log: what fails, and at level debug each message and its time"),
      rlx_option_choice("log-level", &level, "LEVEL", levels,
                        "what stands in the log; info unless told"),
      rlx_option_choice("client-log", &client_level, "LEVEL", levels,
                        "what the editor's log gets (window/logMessage); off unless told"),
      rlx_option_int("clientProcessId", &client_process, "N", 0, 0,
                     "accepted and ignored: clients append it"),
  };
  RlxUsage usage = {
      .command = "lsp",
      .arguments = "",
      .about = "The language server (LSP 3.17). Editors start it; docs/editors.md says how.",
      .options = options,
      .options_count = sizeof options / sizeof *options};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (rlx_options_parse(&usage, argc, argv, &args, &code)) {
    if (args.count) {
      code = rlx_usage_error(&usage, "takes no arguments");
    } else {
      int fd = port ? accept_one(port) : -1;
      if (port && fd < 0)
        code = RLX_EXIT_USAGE;
      else
        code = rlx_server_run(&(RlxServerOptions){.in = port ? fd : STDIN_FILENO,
                                                  .out = port ? fd : STDOUT_FILENO,
                                                  .log = log,
                                                  .level = level,
                                                  .client_level = client_level});
      if (fd >= 0) close(fd);
    }
  }
  rlx_args_free(&args);
  return code;
}
