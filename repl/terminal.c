/// What the terminal says that it shows: kitty's graphics and sixels.
///
/// Always true: it is asked once, only while it takes what is typed and nothing was typed ahead; what it answers is no key.
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/text.h"
#include "repl/values.h"

/// A picture of one pixel, which is only asked for, and the terminal's attributes, which all of them tell: behind those no
/// other answer comes. Sources: kitty's graphics protocol, "Querying support"; DA1 of DEC's VT510 manual.
static const char question[] = "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c";
enum { WAIT_MS = 1000, ANSWER_MAX = 512 };

/// The terminal's attributes in what it answered, "\033[?62;4c"; NULL: they did not come yet.
static const char *attributes_in(const char *answer) {
  for (const char *p = answer; (p = strstr(p, "\033[?")); p++)
    if (p[3 + strspn(p + 3, "0123456789;")] == 'c') return p + 3;
  return NULL;
}

static bool read_byte(char *answer, size_t *size) {
  struct pollfd in = {STDIN_FILENO, POLLIN, 0};
  if (poll(&in, 1, WAIT_MS) <= 0) return false;
  const ssize_t n = read(STDIN_FILENO, answer + *size, 1);
  if (n <= 0) return false;
  *size += answer[*size] != '\0';
  answer[*size] = '\0';
  return true;
}

/// Whether one of the attributes is `wanted`.
static bool has_attribute(const char *p, int wanted) {
  while (*p != 'c') {
    if (strtol(p, NULL, 10) == wanted) return true;
    p += strspn(p, "0123456789");
    p += *p == ';';
  }
  return false;
}

/// False: it was not asked.
static bool ask(RlxPictureForm *out) {
  struct termios before, raw;
  int ahead = 0;
  char answer[ANSWER_MAX + 1] = "";
  size_t size = 0;
  if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0) return false;
  raw = before;
  raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) return false;
  const bool is_free = ioctl(STDIN_FILENO, FIONREAD, &ahead) == 0 && !ahead;
  const char *attributes = NULL;
  if (is_free && write(STDOUT_FILENO, question, sizeof question - 1) == sizeof question - 1)
    while (!attributes && size < ANSWER_MAX && read_byte(answer, &size))
      attributes = attributes_in(answer);
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
  static const char wipe[] = "\r\033[K"; // some show a question that they do not know
  if (is_free && write(STDOUT_FILENO, wipe, sizeof wipe - 1) < 0) return false;
  *out = strstr(answer, "\033_Gi=31;OK")              ? RLX_PICTURE_KITTY
         : attributes && has_attribute(attributes, 4) ? RLX_PICTURE_SIXEL
                                                      : RLX_PICTURE_SHADES;
  return is_free;
}

int rlx_repl_pixel_width(void) {
  struct winsize size;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_xpixel : 0;
}

RlxPictureForm rlx_repl_terminal_form(RlxRepl *repl) {
  if (!repl->is_asked) {
    RlxPictureForm form;
    fflush(stdout);
    if (!ask(&form)) return RLX_PICTURE_SHADES;
    repl->is_asked = true;
    repl->shows = (int)form;
  }
  return (RlxPictureForm)repl->shows;
}
