/* SPDX-License-Identifier: Apache-2.0 */
/* What the example at the head of linnet.h takes as given. */
#include <linnet/linnet.h>
#include <stdlib.h>
#include <string.h>

static void die(const char* text) { exit(text[0]); }
static void use(const void* output) { (void)output; }

void Given(const void* picture) {
#include LINNET_BLOCK
}
