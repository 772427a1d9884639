/* Words of other programs for what hooke does. */
#ifndef TOOL_PEERS_H
#define TOOL_PEERS_H

/* The command that does what the word means elsewhere, as one would type it, such as "run MODEL"; NULL: not known. */
const char *tool_peer_command(const char *word);
#endif
