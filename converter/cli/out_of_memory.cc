// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/out_of_memory.h"

#include <unistd.h>

#include <new>
#include <string_view>

#include "converter/cli/commands.h"
#include "platform/removed_at_signal.h"

namespace linnet::cli {
namespace {

// Nothing here may ask for memory.
[[noreturn]] void End() {
  RemovedAtSignal::RemoveAll();
  constexpr std::string_view kText = "linnet: out of memory\n";
  if (write(STDERR_FILENO, kText.data(), kText.size()) < 0) _exit(kFailed);
  _exit(kFailed);
}

}  // namespace

void EndWhenOutOfMemory() { std::set_new_handler(End); }

}  // namespace linnet::cli
