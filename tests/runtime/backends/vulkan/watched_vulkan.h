// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/backends/vulkan/loader.h"

namespace linnet::vulkan {

inline constexpr int64_t kWatchedAtom = 128;

// What a driver reports, where that differs from the machine's own.
struct Profile {
  // The host cannot access the device's memory, as on graphics cards: type 0 is the device's, type
  // 1 the host's.
  bool discrete = false;
  // What the host writes is seen only after a flush, and what the device writes only after an
  // invalidation, each of whole atoms of kWatchedAtom bytes.
  bool non_coherent = false;
  bool no_timestamps = false;
  uint32_t most_groups = 0;  // of a dispatch in one dimension; 0: as many as the machine's
  uint32_t api_version = 0;  // of the device; 0: the machine's
  bool no_device = false;
  bool least = false;             // no limit is above what Vulkan 1.1 promises
  uint32_t window_alignment = 0;  // windows start at its multiples; 0: as on the machine
  bool no_halves = false;         // without shaderFloat16, although the extension is there
  uint32_t vendor_id = 0;         // of a graphics card; 0: the machine's device
};

// The machine's Vulkan, with all calls counted. There is one for the whole process; it is used by
// one thread.
class WatchedVulkan {
 public:
  // Null on a machine without a Vulkan library.
  static PFN_vkGetInstanceProcAddr Get();
  // Starts anew, as if nothing had been created yet.
  static void Reset(const Profile& profile = {});

  // Lets call number `call`, of those that return a VkResult, do nothing but return `result`.
  static void FailAt(int64_t call, VkResult result);
  // Lets all calls of one function ("vkWaitForFences") do so.
  static void FailAlways(const char* name, VkResult result);
  // Leaves out barrier number `barrier` of those that are recorded between two dispatches of a
  // segment.
  static void DropBarrier(int64_t barrier);
  static int64_t barriers();            // that are recorded there, the one that is left out too
  static int64_t pipelines();           // that were asked for
  static int64_t pipelines_of_parts();  // of these, which vkCmdDispatchBase may run
  // Compiles other words in place of a shader's; both must stay valid.
  static void ReplaceShader(std::span<const uint32_t> words, std::span<const uint32_t> by);
  // The first type of the machine's memory that both sides access without flushes; 0, which is the
  // only one of software drivers, until a device was asked for its types.
  static uint32_t host_memory_type();
  // Bits of enum Feature that the last device was created with.
  static uint32_t enabled_features();
  static const char* failed();  // the first function that failed in this way; "" when none did
  static int64_t calls_after_failure();

  static int64_t calls();  // that return a VkResult
  static int64_t calls_of(const char* name);
  static int64_t waited_ns();   // in vkWaitForFences
  static int64_t live();        // objects and memories that were created and not destroyed
  static int64_t live_bytes();  // of these memories
  // "", or the first thing that was done wrong, such as flushing half an atom.
  static const char* misuse();
};

}  // namespace linnet::vulkan
