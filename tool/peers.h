/* Names that other programs use for commands of hooke. */
#ifndef TOOL_PEERS_H
#define TOOL_PEERS_H

/* Returns the command line for a command name of another program, such as "run MODEL"; NULL: the name is unknown. */
const char *tool_peer_command(const char *word);
#endif
