// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/backends/vulkan/command_buffers.h"
#include "runtime/backends/vulkan/hazards.h"
#include "runtime/backends/vulkan/memory.h"
#include "runtime/backends/vulkan/pipelines.h"
#include "runtime/core/region.h"

namespace linnet::vulkan {

// The buffers that the dispatches of a segment access, as in Access::buffer.
enum SegmentBuffer : int {
  kArenaBuffer,    // tensors
  kWeightsBuffer,  // constants
  kHostBuffer,     // SessionMemory::host(): inputs and outputs that the host has there
  kSlotsBuffer,    // the segment's own copies of other inputs and outputs
  kStatusBuffer,   // StatusWords
  kNumSegmentBuffers,
};

// A dispatch as it is recorded.
struct Work {
  Work* next = nullptr;
  int part = 0;         // dispatches of equal number follow each other and are timed together
  int step = -1;        // of the segment; -1: it copies an input or output
  int buffer = 0;       // the command buffer in which it is recorded
  int64_t slow_ns = 0;  // as SlowNs
  int pipeline = 0;
  int num_bindings = 0;
  Access bindings[kMaxOperands];  // the window of each binding
  uint32_t groups[2] = {1, 1};
  uint32_t first_row = 0;  // of the workgroups in the second dimension
  uint32_t push_bytes = 0;
  const std::byte* push = nullptr;
  VkDescriptorSet set = VK_NULL_HANDLE;
};

// Dispatches in the order in which they run.
struct WorkList {
  Work* first = nullptr;
  Work* last = nullptr;
  uint32_t count = 0;
  uint32_t bindings = 0;
  void Append(Work* work);
};

// The workgroups of so many threads, in two dimensions, of which the first is at most `most` and
// the second can be divided into about `pieces` equal pieces. Their product is at least what is
// needed, by less than groups[0]. REQUIRES: threads in [1, 2^31], most > 0, pieces > 0
void FoldGroups(int64_t threads, uint32_t most, int64_t pieces, uint32_t* groups);

// Command buffers that are recorded once and run many times. A new one begins where the work in
// the one before would take longer than the device's Pace allows.
class Commands {
 public:
  explicit Commands(Device& device) : device_(device), command_buffers_(device) {}

  // Allocates all that Record and Run need, what is the host's in `region`; sets the works'
  // descriptor sets and command buffers.
  Status Create(const WorkList& works, const Pipelines& pipelines, Region& region);
  // Points the works' descriptor sets to their windows and records them, with the barriers that
  // they need. With `queries`: writes num_parts + 1 timestamps, before the first part and after
  // each. Not while the device runs these commands.
  Status Record(const WorkList& works, const Pipelines& pipelines,
                const VkBuffer (&buffers)[kNumSegmentBuffers], VkQueryPool queries, int num_parts);
  // Submits what was recorded and waits. kDeviceLost.
  Status Run(int64_t timeout_ns) { return command_buffers_.Run(timeout_ns); }
  // May be called more than once.
  void Destroy();

  int num_barriers() const { return num_barriers_; }  // as last recorded, between dispatches
  int num_buffers() const { return num_buffers_; }

 private:
  VkCommandBuffer buffer() const { return buffers_[recording_]; }
  Status Begin(int buffer);
  Status End();
  void AssignBuffers(const WorkList& works);
  void WriteDescriptors(const Work& work, const VkBuffer (&buffers)[kNumSegmentBuffers]);
  void Barrier(VkPipelineStageFlags to, VkAccessFlags accesses);
  Status AllocateSets(const WorkList& works, const Pipelines& pipelines);

  Device& device_;
  CommandBuffers command_buffers_;
  VkCommandBuffer* buffers_ = nullptr;
  int num_buffers_ = 0;
  int recording_ = 0;  // the buffer that is being recorded
  VkDescriptorPool sets_ = VK_NULL_HANDLE;
  int num_barriers_ = 0;
};

}  // namespace linnet::vulkan
