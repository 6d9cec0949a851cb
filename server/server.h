/// The language server: the face for other folders.
#ifndef RLX_SERVER_SERVER_H
#define RLX_SERVER_SERVER_H

/// Serves until the client says exit or is gone; the process's exit code (0 after shutdown, else
/// 1).
int rlx_server_run(int in, int out);

#endif
