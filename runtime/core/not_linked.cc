// SPDX-License-Identifier: Apache-2.0
// Not in linked_parts.cc, whose place a program's own file takes.
#include "runtime/core/linked_parts.h"

namespace linnet {

Status NotLinked(const char* missing, Diagnostic* diagnostic) {
  if (diagnostic != nullptr)
    diagnostic->Format("this program has no %s: it was linked for %s", missing,
                       kLinkedFor[0] == '\0' ? "other plans" : kLinkedFor);
  return {StatusCode::kUnsupported, "this program was linked without a part that the plan needs"};
}

}  // namespace linnet
