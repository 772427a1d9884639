/* Layout of the constants of compliant laws. */
#ifndef HK_LAW_LAW_H
#define HK_LAW_LAW_H
#include <hooke/element.h>

/* k[0 .. 7] belong to the normal force, k[HK_LAW_FRICTION ..] to friction and the contact
 * ellipse. */
enum { HK_LAW_FRICTION = 8 };
#endif
