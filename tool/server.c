/* Server of one page and its events: see server.h. */
#define _GNU_SOURCE
#include "server.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

double tool_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void drop(tool_client *c) {
  if (c->fd >= 0) close(c->fd);
  free(c->owned);
  *c = (tool_client){.fd = -1};
}

/* ---- data waiting for a client ---- */

static size_t waiting(const tool_client *c) { return c->n_head + c->n_body - c->done; }

/* Writes as much as the socket accepts now. */
static void push(tool_client *c) {
  while (waiting(c) > 0) {
    bool head = c->done < c->n_head;
    const char *at = head ? c->head + c->done : c->body + (c->done - c->n_head);
    size_t n = head ? c->n_head - c->done : c->n_body - (c->done - c->n_head);
    ssize_t k = send(c->fd, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (k <= 0) {
      drop(c);
      return;
    }
    c->done += (size_t)k;
    c->since = tool_seconds();
  }
  if (c->last) {
    drop(c);
    return;
  }
  free(c->owned);
  c->owned = NULL;
  c->body = NULL;
  c->n_head = c->n_body = c->done = 0;
}

/* Sends an answer; more: further header lines. */
static void answer(tool_client *c, const char *status, const char *more, const char *type,
                   const char *body, size_t n) {
  int k = snprintf(
      c->head, sizeof c->head,
      "HTTP/1.1 %s\r\n%sContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: "
      "close\r\n\r\n",
      status, more, type, n);
  c->n_head = (size_t)k;
  c->body = body;
  c->n_body = n;
  c->last = true;
  push(c);
}

static void begin_events(tool_client *c) {
  c->n_head =
      (size_t)snprintf(c->head, sizeof c->head,
                       "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: "
                       "no-store\r\nConnection: close\r\n\r\n");
  c->events = true;
  push(c);
}

bool tool_server_wants(const tool_client *c) {
  return c->fd >= 0 && c->events && !c->last && waiting(c) == 0;
}

void tool_server_send(tool_client *c, char *event, size_t length, bool last) {
  c->body = c->owned = event;
  c->n_body = length;
  c->last = last;
  c->since = tool_seconds();
  push(c);
}

/* ---- requests ---- */

/* Returns true if the host name in the request is this host. */
static bool own_host(const tool_server *s, const char *request) {
  char wanted[2][80];
  const char *host = strcasestr(request, "\r\nHost:");
  if (!host) return false;
  host += 7;
  while (*host == ' ') host++;
  size_t n = strcspn(host, "\r\n");
  snprintf(wanted[0], sizeof wanted[0], "127.0.0.1:%u", s->port);
  snprintf(wanted[1], sizeof wanted[1], "localhost:%u", s->port);
  for (int i = 0; i < 2; i++)
    if (strlen(wanted[i]) == n && strncasecmp(host, wanted[i], n) == 0) return true;
  return false;
}

static bool asks_for(const tool_client *c, const char *word, const char *what) {
  char line[80];
  int n = snprintf(line, sizeof line, "GET /%s/%s HTTP/1.", word, what);
  return word[0] && strncmp(c->request, line, (size_t)n) == 0;
}

static void take_request(tool_server *s, tool_client *c) {
  bool own = own_host(s, c->request);
  c->since = tool_seconds();
  if (own && asks_for(c, s->token, "")) {
    c->known = s->asked = true;
    answer(c, "200 OK", "", "text/html; charset=utf-8", s->page, s->page_length);
  } else if (own && asks_for(c, s->token, "events")) {
    c->known = true;
    begin_events(c);
  } else if (own && asks_for(c, s->ticket, "")) {
    char location[80];
    snprintf(location, sizeof location, "Location: /%s/\r\n", s->token);
    s->ticket[0] = '\0';
    answer(c, "303 See Other", location, "text/plain", "", 0);
  } else {
    answer(c, "404 Not Found", "", "text/plain", "no such page\n", 13);
  }
}

static void read_request(tool_server *s, tool_client *c) {
  char more[TOOL_REQUEST_BYTES];
  bool asked = c->last || c->events; /* no further request is expected; reading detects that the
                                      * client has closed the connection */
  char *at = asked ? more : c->request + c->n_request;
  size_t room = asked ? sizeof more : TOOL_REQUEST_BYTES - 1 - c->n_request;
  ssize_t k = recv(c->fd, at, room, MSG_DONTWAIT);
  if (k < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
  if (k <= 0) {
    drop(c);
    return;
  }
  if (asked) return;
  c->n_request += (size_t)k;
  c->request[c->n_request] = 0;
  if (memmem(c->request, c->n_request, "\r\n\r\n", 4))
    take_request(s, c);
  else if (c->n_request == TOOL_REQUEST_BYTES - 1)
    drop(c);
}

/* Finds a free slot; otherwise the slot of the unknown client that has been connected for longest;
 * NULL: all clients are known. */
static tool_client *find_place(tool_server *s) {
  tool_client *oldest = NULL;
  for (int i = 0; i < TOOL_MOST_CLIENTS; i++) {
    tool_client *c = &s->client[i];
    if (c->fd < 0) return c;
    if (!c->known && (!oldest || c->since < oldest->since)) oldest = c;
  }
  if (oldest) drop(oldest);
  return oldest;
}

static void take_clients(tool_server *s) {
  for (int i = 0; i < TOOL_MOST_CLIENTS; i++) { /* a few at a time */
    int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    tool_client *c = find_place(s);
    if (!c) {
      close(fd);
      continue;
    }
    c->fd = fd;
    c->since = tool_seconds();
    read_request(s, c); /* the request of a browser has usually arrived already */
  }
}

static void drop_late(tool_server *s) {
  double now = tool_seconds();
  for (int i = 0; i < TOOL_MOST_CLIENTS; i++) {
    tool_client *c = &s->client[i];
    if (c->fd < 0) continue;
    bool asks = !c->events && !c->last;
    if ((asks && now - c->since > TOOL_REQUEST_SECONDS) ||
        (waiting(c) > 0 && now - c->since > TOOL_READ_SECONDS))
      drop(c);
  }
}

/* ---- the server ---- */

static bool draw_word(char word[TOOL_TOKEN + 1]) {
  unsigned char secret[TOOL_TOKEN / 2];
  if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret) return false;
  for (int i = 0; i < TOOL_TOKEN / 2; i++) snprintf(word + 2 * i, 3, "%02x", secret[i]);
  return true;
}

hk_status tool_server_open(tool_server *s, const char *page, size_t length, hk_error *err) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof at;
  s->listener = -1;
  s->open = true;
  s->page = page;
  s->page_length = length;
  for (int i = 0; i < TOOL_MOST_CLIENTS; i++) s->client[i] = (tool_client){.fd = -1};
  if (!draw_word(s->token) || !draw_word(s->ticket))
    return hk_fail(err, HK_EFAIL, "cannot obtain random numbers: %s", strerror(errno));
  s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&at, sizeof at) ||
      listen(s->listener, TOOL_MOST_CLIENTS) ||
      getsockname(s->listener, (struct sockaddr *)&at, &size))
    return hk_fail(err, HK_EIO, "cannot listen on the loopback address: %s", strerror(errno));
  s->port = ntohs(at.sin_port);
  return HK_OK;
}

void tool_server_close(tool_server *s) {
  if (!s->open) return;
  if (s->listener >= 0) close(s->listener);
  s->listener = -1;
  for (int i = 0; i < TOOL_MOST_CLIENTS; i++) drop(&s->client[i]);
}

bool tool_server_idle(const tool_server *s) {
  for (int i = 0; i < TOOL_MOST_CLIENTS; i++)
    if (s->client[i].fd >= 0 && s->client[i].known) return false;
  return true;
}

void tool_server_serve(tool_server *s, int milliseconds) {
  struct pollfd fds[TOOL_MOST_CLIENTS + 1] = {{.fd = s->listener, .events = POLLIN}};
  for (int i = 0; i < TOOL_MOST_CLIENTS; i++) {
    const tool_client *c = &s->client[i];
    fds[i + 1] =
        (struct pollfd){.fd = c->fd, .events = (short)(waiting(c) > 0 ? POLLIN | POLLOUT : POLLIN)};
  }
  if (poll(fds, TOOL_MOST_CLIENTS + 1, milliseconds) > 0) {
    for (int i = 0; i < TOOL_MOST_CLIENTS; i++) {
      tool_client *c = &s->client[i];
      if (c->fd >= 0 && fds[i + 1].revents & POLLOUT) push(c);
      if (c->fd >= 0 && fds[i + 1].revents & ~POLLOUT) read_request(s, c);
    }
    if (fds[0].revents) take_clients(s);
  }
  drop_late(s);
}
