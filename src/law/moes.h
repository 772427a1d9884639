/* Central film thickness of a line contact in the similarity numbers of Moes [Moes1992]: see moes.c. */
#ifndef HK_LAW_MOES_H
#define HK_LAW_MOES_H

/* ln H(ln M, ln L) and its slopes. */
typedef struct hk_moes {
  double lnH, by_M, by_L;
} hk_moes;
hk_moes hk_moes_film(double lnM, double lnL);
#endif
