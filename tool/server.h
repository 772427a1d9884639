/* Server of one page and its events on the loopback address, for a command that does other work at the same time.
 *
 * No call waits for a client: sockets are non-blocking, and every client has a time limit for its request and another
 * time limit for reading the answer. The address contains a random token; a client that has sent this token is known.
 * If all slots are taken, the oldest unknown client is disconnected, so that idle connections cannot lock out others.
 * Requests for another host name are refused, so that no foreign page can read the data. Events: server-sent events
 * [WHATWG HTML, 9.2]. A client receives the next event when it has read the previous one, so that at most one event is
 * waiting for it. */
#ifndef TOOL_SERVER_H
#define TOOL_SERVER_H
#include <hooke/base.h>

enum {
  TOOL_MOST_CLIENTS = 32,
  TOOL_REQUEST_BYTES = 4096,
  TOOL_REQUEST_SECONDS = 5, /* time limit for the whole request */
  TOOL_READ_SECONDS = 20,   /* time limit without a byte read */
  TOOL_TOKEN = 32
};

typedef struct tool_client {
  int fd; /* -1: a free slot */
  char request[TOOL_REQUEST_BYTES];
  size_t n_request;
  bool known;                  /* has sent the token of the address */
  bool events;                 /* wants events */
  bool last;                   /* the client is disconnected when it has read the waiting data */
  int64_t sent;                /* used by the caller: number of events already sent */
  double since;                /* time of connection or of the last read [s] */
  char head[512];              /* waits first, */
  const char *body;            /* then this */
  char *owned;                 /* memory of the body; NULL: not owned */
  size_t n_head, n_body, done; /* number of bytes; done: of header and body */
} tool_client;

typedef struct tool_server {
  bool open;
  int listener;
  unsigned port;
  char token[TOOL_TOKEN + 1];
  /* one-time substitute of the token, because other users can see the command line of a browser */
  char ticket[TOOL_TOKEN + 1];
  const char *page;
  size_t page_length;
  /* number of requests for the page since the caller last set it to zero: the browser will
   * request events */
  bool asked;
  tool_client client[TOOL_MOST_CLIENTS];
} tool_server;

/* Opens the server; the page must live as long as the server. */
hk_status tool_server_open(tool_server *s, const char *page, size_t length, hk_error *err);
void tool_server_close(tool_server *s); /* a server that was never opened is all zero */
/* Accepts, reads and answers; returns after any activity, after this number of milliseconds, or when a Unix signal
 * arrives. */
void tool_server_serve(tool_server *s, int milliseconds);
/* Returns true if the client expects an event and has read all previous data. */
bool tool_server_wants(const tool_client *c);
/* Sends an event and frees its memory.  last: the client is disconnected when it has read it. */
void tool_server_send(tool_client *c, char *event, size_t length, bool last);
/* Returns true if no known client is connected. */
bool tool_server_idle(const tool_server *s);
/* Time of a monotonic clock. */
double tool_seconds(void);
#endif
