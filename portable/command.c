/* The command of the wheel: libhooke beside it contains the rest, so that both need the space once. */
int hk_command_main(int argc, char **argv);

int main(int argc, char **argv) { return hk_command_main(argc, argv); }
