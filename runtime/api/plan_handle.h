// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "linnet/linnet.h"
#include "platform/file_bytes.h"
#include "runtime/api/block.h"
#include "runtime/core/format.h"
#include "runtime/session/prepared_weights.h"
#include "runtime/threads/mutex.h"
#include "runtime/verify/verify_plan.h"

// The structs behind the opaque handles of linnet.h.

namespace linnet::api {
struct GpuTrust;
}

struct linnet_plan {
  linnet_plan(const linnet::HostAllocator& memory, const linnet::api::BlockLayout& layout)
      : allocator(memory),
        in_block(layout.rest != nullptr),
        region(layout.rest, layout.rest_bytes, memory) {}

  const linnet::HostAllocator allocator;  // also for everything made from the plan
  const bool in_block;                    // of the caller, as this struct itself
  linnet::FileBytes file;                 // what is mapped
  linnet::PlanFile bytes;
  linnet::Region region;  // the file where it is copied, structure, tables, decoded attributes
  linnet::VerifiedPlan verified;
  int num_host_programs = 0;
  // By signature: inputs, then outputs; in the region.
  std::span<linnet_tensor_info>* ports = nullptr;
  linnet::Mutex mutex;                       // guards shared_weights
  linnet_weights* shared_weights = nullptr;  // list; made on demand, freed with their last session
  linnet::Mutex trusting;                    // guards what `trust` points to
  linnet::api::GpuTrust* trust = nullptr;    // by signature; null without programs for a GPU

  // Signatures are numbered like their programs for the host, which come first in the plan.
  int num_signatures() const { return num_host_programs; }
  // The signature with this key (null: the first), or -1 when there is none.
  int FindSignature(const char* key) const;
  // The signature's program of a variant, or -1 when there is none.
  int FindVariant(int signature, linnet::Variant variant) const;
};

namespace linnet::api {

// A sentence that says why the GPU does not run a plan, copied; at first there is none.
class WhyNotGpu {
 public:
  void Set(const char* text) { FormatText(text_, sizeof(text_), "%s", text); }
  // Null when there is none.
  const char* text() const { return text_[0] == '\0' ? nullptr : text_; }

 private:
  char text_[Diagnostic::kCapacity] = "";
};

struct ProgramChoice;

}  // namespace linnet::api

struct linnet_weights {
  linnet_weights(linnet_plan* of, const linnet::api::BlockLayout& layout)
      : plan(of),
        in_block(layout.rest != nullptr),
        region(layout.rest, layout.rest_bytes, of->allocator),
        prepared(&region) {}

  linnet_plan* const plan;
  int signature = 0;
  int program = 0;                              // of the plan
  linnet_backend backend = LINNET_BACKEND_CPU;  // what runs: CPU, PORTABLE or VULKAN
  linnet::api::WhyNotGpu why_not_gpu;
  uint64_t kernels = 0;  // what HashOfKernels says of the options that they were prepared with
  const bool in_block;
  int users = 0;                   // number of sessions, if it is one of the plan's shared_weights
  linnet_weights* next = nullptr;  // in the plan's shared_weights
  linnet::Region region;
  linnet::PreparedWeights prepared;
};

namespace linnet::api {

// Prepares weights in options.block or in memory of their own; see linnet_weights_prepare.
Status PrepareWeights(linnet_plan* plan, const linnet_session_options& options,
                      const ProgramChoice& choice, linnet_weights** weights,
                      Diagnostic* diagnostic);
void DestroyWeights(linnet_weights* weights);

// The plan's shared weights for this choice. The first call packs them.
Status AcquireSharedWeights(linnet_plan* plan, const linnet_session_options& options,
                            const ProgramChoice& choice, linnet_weights** weights,
                            Diagnostic* diagnostic);
void ReleaseSharedWeights(linnet_weights* weights);

// Limits a region that is not in a caller's block to options.max_bytes.
void LimitRegion(const linnet_session_options& options, Region* region);
// When a call ran out of memory and options.max_bytes may be the reason, says so in the diagnostic.
void ExplainLimit(const linnet_session_options& options, const Status& status,
                  Diagnostic* diagnostic);

}  // namespace linnet::api
