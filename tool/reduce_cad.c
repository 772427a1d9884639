/* hooke reduce: a mesh of a CAD file by gmsh. */
#include "reduce.h"
#include "base/file.h"
#include "base/number.h"
#include "orbit.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads the output of gmsh to its end. why: receives the last line that reports an error,
 * without the part up to ": ". */
static void read_output(int from, char *why, size_t size) {
  FILE *in = fdopen(from, "r");
  char line[400];
  why[0] = 0;
  while (in && fgets(line, sizeof line, in)) {
    const char *error = strstr(line, "Error");
    if (error) snprintf(why, size, ": %.*s", (int)strcspn(error, "\n"), error);
  }
  if (in)
    fclose(in);
  else
    close(from);
}

/* Runs a program. If hooke is killed, the guardian process of the folder ends this program. Returns the exit status of
 * the program; 127: the program does not exist; -1: it was ended by a Unix signal. */
static int run(char *const argv[], hk_private_folder *folder, char *why, size_t size) {
  int way[2], status = 0;
  why[0] = 0;
  if (pipe(way) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    close(way[0]);
    if (dup2(way[1], STDOUT_FILENO) < 0 || dup2(way[1], STDERR_FILENO) < 0) _exit(126);
    execvp(argv[0], argv);
    _exit(127);
  }
  close(way[1]);
  if (child < 0) {
    close(way[0]);
    return -1;
  }
  hk_private_folder_entrust(folder, child);
  read_output(way[0], why, size); /* also ends if a Unix signal arrives */
  if (tool_stop_signal()) kill(child, SIGTERM);
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
    if (tool_stop_signal()) kill(child, SIGTERM);
  }
  hk_private_folder_entrust(folder, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

hk_status tool_reduce_cad(const char *path, double size, hk_private_folder *folder, char mesh[1024],
                          hk_error *err) {
  char number[40], why[400];
  FILE *in = hk_file_open(path);
  if (!in) return hk_fail(err, HK_EINPUT, "cannot read '%s': %s", path, hk_file_trouble(errno));
  fclose(in);
  hk_status status = hk_private_folder_make(folder, err);
  if (status) return status;
  snprintf(mesh, 1024, "%s/mesh.msh", folder->path);
  hk_number_exact(size, number);
  char *const argv[] = {"gmsh",  "-3",        "-order", "2",  "-clmax",     number, "-format",
                        "msh41", "-save_all", "-o",     mesh, (char *)path, NULL};
  int code = run(argv, folder, why, sizeof why);
  if (code == 0 && access(mesh, R_OK) == 0) return HK_OK;
  hk_private_folder_remove(folder);
  if (tool_stop_signal()) return hk_fail(err, HK_STOPPED, "stopped");
  if (code == 127)
    return hk_fail(err, HK_EINPUT,
                   "a CAD file needs gmsh, which is not installed (Debian: apt install gmsh); "
                   "without gmsh, give a .msh file from another program");
  return hk_fail(err, HK_EINPUT, "gmsh could not mesh '%s'%s", path, why);
}
