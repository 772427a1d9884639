/* Server of one page and its events, on the loopback address, for a command that has other things to do.
 *
 * No call waits for a client: sockets are non-blocking, and every client has a time within which it must ask, and one
 * within which it must read on.  The address holds a random word; a client that has asked with this word is known.
 * If all places are taken, the oldest unknown client gives way, so that idle connections lock nobody out.
 * Requests for another host's name are refused: no page from elsewhere can read along.
 * Events: server-sent events [WHATWG HTML, 9.2].  A client gets the next event when it has read the one before, so
 * that what waits for it is one event at most. */
#ifndef TOOL_SERVER_H
#define TOOL_SERVER_H
#include <hooke/base.h>

enum {
  TOOL_MOST_CLIENTS = 32,
  TOOL_REQUEST_BYTES = 4096,
  TOOL_REQUEST_SECONDS = 5, /* for the whole request */
  TOOL_READ_SECONDS = 20,   /* without a byte read */
  TOOL_TOKEN = 32
};

typedef struct tool_client {
  int fd; /* -1: a free place */
  char request[TOOL_REQUEST_BYTES];
  size_t n_request;
  bool known;                  /* asked with the word of the address */
  bool events;                 /* wants events */
  bool last;                   /* is dropped when it has read what waits */
  int64_t sent;                /* for the caller: how far the events have come */
  double since;                /* when it came, or last read something [s] */
  char head[512];              /* waits first, */
  const char *body;            /* then this */
  char *owned;                 /* memory of the body; NULL: not ours */
  size_t n_head, n_body, done; /* bytes; done: of both */
} tool_client;

typedef struct tool_server {
  bool open;
  int listener;
  unsigned port;
  char token[TOOL_TOKEN + 1];
  char ticket[TOOL_TOKEN + 1]; /* stands for the token once: other users see the command line of a browser */
  const char *page;
  size_t page_length;
  bool asked; /* for the page, since the caller cleared it: the browser will ask for events */
  tool_client client[TOOL_MOST_CLIENTS];
} tool_server;

/* The page must live as long as the server. */
hk_status tool_server_open(tool_server *s, const char *page, size_t length, hk_error *err);
void tool_server_close(tool_server *s); /* one that was never opened is all zero */
/* Takes, reads and answers what is there; returns when something was, or after so many milliseconds, or at a
 * signal. */
void tool_server_serve(tool_server *s, int milliseconds);
/* Whether the client wants an event and has read all before. */
bool tool_server_wants(const tool_client *c);
/* Hands an event over; its memory is freed.  last: the client is dropped when it has read it. */
void tool_server_send(tool_client *c, char *event, size_t length, bool last);
/* No known client is there. */
bool tool_server_idle(const tool_server *s);
/* Of a clock that only goes forward. */
double tool_seconds(void);
#endif
