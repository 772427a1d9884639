/* See peers.h. */
#include "peers.h"
#include <stddef.h>
#include <string.h>

static const struct {
  const char *words, *command;
} PEERS[] = {
    {" simulate simulation sim solve start exec execute go integrate dynamics transient play ",
     "run MODEL"},
    {" info validate lint verify inspect describe parse load channels list-channels dof ",
     "check MODEL"},
    {" eigen eigenvalues eigenmodes modal normal-modes linearize linearise linear stability abcd ",
     "modes MODEL"},
    {" campbell root-locus rootlocus ", "locus MODEL --over PATH=VALUES"},
    {" bode frequency frequency-response transfer harmonic tf ",
     "frf MODEL --from INPUT --to CHANNEL"},
    {" equilibrium statics preload trim settle ", "static MODEL"},
    {" orbit limit-cycle floquet steady steady-state ", "periodic MODEL --period TIME"},
    {" sweep batch scan parametric ", "run MODEL --over PATH=VALUES"},
    {" doe montecarlo monte-carlo campaign design ", "study STUDY"},
    {" optimise optimization optimisation minimize minimise ", "optimize STUDY"},
    {" sobol morris sensitivities ", "sensitivity STUDY"},
    {" identify identification calibrate curve-fit ", "fit MODEL"},
    {" convert csv write save dump ", "export RESULTS --csv FILE"},
    {" graph chart figure draw ", "plot RESULTS --channels CHANNEL"},
    {" fft psd orders order waterfall spectrogram ", "spectrum RESULTS --channels CHANNEL"},
    {" post postprocess post-process animate animation browse open html results ",
     "report RESULTS"},
    {" gui show display visualize visualise 3d scene render ", "view MODEL"},
    {" live monitor follow interactive ", "watch MODEL"},
    {" evaluate eval metrics kpi ", "measure RESULTS"},
    {" list elements joints types-list library ", "types"},
    {" upgrade update rename modernize ", "migrate MODEL"},
    {" fmi cosim co-simulation export-fmu ", "fmu MODEL"},
    {" test selftest conformance ", "conform TYPE"},
    {" complete completions autocomplete ", "completion SHELL"},
    {" man doc docs manual usage ", "help COMMAND"},
};

const char *tool_peer_command(const char *word) {
  size_t n = strlen(word);
  if (n == 0 || strchr(word, ' ')) return NULL;
  for (size_t i = 0; i < sizeof PEERS / sizeof *PEERS; i++)
    for (const char *at = PEERS[i].words; (at = strstr(at, word)); at++)
      if (at[-1] == ' ' && at[n] == ' ') return PEERS[i].command;
  return NULL;
}
