// SPDX-License-Identifier: Apache-2.0
#include "platform/removed_at_signal.h"

#include <signal.h>
#include <unistd.h>

#include <initializer_list>

namespace linnet {
namespace {

std::atomic<const char*> g_files[8];
static_assert(std::atomic<const char*>::is_always_lock_free);  // a signal handler reads them

// Calls only what POSIX allows in a handler. SA_RESETHAND has restored the default action, and the
// raised signal is delivered when the handler returns: it then ends the program as usual.
void EndBySignal(int signal) {
  RemovedAtSignal::RemoveAll();
  raise(signal);
}

void HandleSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = EndBySignal;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

RemovedAtSignal::RemovedAtSignal(const char* path) {
  for (auto& file : g_files) {
    const char* free = nullptr;
    if (!file.compare_exchange_strong(free, path)) continue;
    slot_ = &file;
    break;
  }
  HandleSignals();
}

void RemovedAtSignal::RemoveAll() {
  for (const auto& file : g_files)
    if (const char* path = file.load(); path != nullptr) unlink(path);
}

RemovedAtSignal::~RemovedAtSignal() {
  if (slot_ != nullptr) slot_->store(nullptr);
}

}  // namespace linnet
