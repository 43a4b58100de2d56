// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/backends/vulkan/device.h"

namespace linnet {

// Stands between the library and WatchedVulkan: sees what drivers are given, and lets the last step
// of a segment compute something else. For one thread and one session at a time.
class VulkanSpy {
 public:
  // Null on a machine without a Vulkan library.
  static PFN_vkGetInstanceProcAddr Get();
  // Forgets what was seen and what was planted.
  static void Reset();

  // Bytes of the initial data of each vkCreatePipelineCache.
  static const std::vector<size_t>& cache_bytes();
  // Of vkCreateComputePipelines: calls without a cache, and with one.
  static int without_cache();
  static int with_cache();

  // Makes each segment that is recorded from now on keep the value of its last output, as the
  // device has it (Layout::kRows4), and returns what it was after the last submission.
  static void KeepOutput();
  static std::vector<uint32_t> Output();
  // Writes over one word of it, after the step and before it is fetched: in odd submissions `odd`,
  // in others `even`. REQUIRES: a session with these dispatches was recorded since KeepOutput.
  static void Plant(size_t word, uint32_t odd, uint32_t even);
};

// The GPU of the library that is built with this file: the backend of a device that tests open, and
// that must outlive the sessions; null: there is none.
void UseDevice(vulkan::Device* device);

}  // namespace linnet
