// SPDX-License-Identifier: Apache-2.0
// A .linnet file from a stranger: opening, preparing and running it must end in an error or a result.
#include <cstdint>
#include <cstring>

#include "linnet/linnet.h"

namespace {

// A small plan may honestly describe large tensors and long loops over them; those only cost time.
constexpr int64_t kMaxArena = int64_t{16} << 20;
constexpr int64_t kMaxWork = int64_t{1} << 26;

bool IsCheap(const linnet_session* session) {
  int64_t work = 0;
  for (int32_t i = 0; i < linnet_num_steps(session); ++i) {
    linnet_step_info step;
    if (!linnet_get_step_info(session, i, &step)) return false;
    if (step.macs < 0 || step.macs > kMaxWork || step.bytes > kMaxWork) return false;
    work += step.macs + step.bytes;
    if (work > kMaxWork) return false;
  }
  return true;
}

void RunOn(linnet_plan* plan, linnet_backend backend) {
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.backend = backend;
  linnet_session* session = nullptr;
  linnet_error error;
  if (linnet_session_create(plan, &options, &session, &error) != LINNET_OK) return;
  if (IsCheap(session)) {
    for (int32_t i = 0; i < linnet_num_inputs(session); ++i)
      std::memset(linnet_input_data(session, i), 0x3f,
                  static_cast<size_t>(linnet_input_info(session, i)->bytes));
    linnet_run(session);
  }
  linnet_session_destroy(session);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  linnet_plan* plan = nullptr;
  linnet_error error;
  if (linnet_plan_open_memory(data, size, nullptr, &plan, &error) != LINNET_OK) return 0;
  linnet_plan_stats stats{};
  stats.struct_size = sizeof(stats);
  linnet_plan_get_stats(plan, &stats);
  if (stats.arena_bytes <= kMaxArena) {
    RunOn(plan, LINNET_BACKEND_PORTABLE);
    RunOn(plan, LINNET_BACKEND_CPU);
  }
  linnet_plan_close(plan);
  return 0;
}
