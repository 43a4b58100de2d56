/* SPDX-License-Identifier: Apache-2.0
 *
 * The C API, where pkg-config or the compiler's own folders have it.
 */
#include <linnet/linnet.h>
