// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef LINNET_XNNPACK_2024
#include <xnnpack.h>

#include <atomic>

#include "runtime/core/region.h"
#include "runtime/session/backend.h"

namespace linnet::xnnpack {

// Packed weights in the region of a plan's prepared weights, shared by all sessions: what XNNPACK's
// xnn_weights_cache_provider is for. XNNPACK's own cache grows one mapped buffer; ours keeps each
// operator's weights where they were packed, in a block that the caller may have given.
//
// XNNPACK looks weights up by the address of their plain form. That says nothing here: plain forms
// may be gone by then, or be decoded one after the other into the same scratch memory. So whoever
// creates an operator names the step's entry instead, in a ScopedWeights.
//
// Pack fills entries, one thread at a time. After Finalize entries only are read, by any thread.
class WeightsCache final : public PackedWeights {
 public:
  // Packed weights of one step, in the region.
  struct Entry {
    const void* data = nullptr;  // null until packed
    size_t bytes = 0;
    uint32_t seed = 0;  // XNNPACK's summary of how they are packed
    uint64_t hash = 0;
    Entry* next = nullptr;
  };

  explicit WeightsCache(Region* region);

  // nullptr when the region is full.
  Entry* NewEntry();
  xnn_weights_cache_t provider() { return &provider_; }
  // Bytes of packed weights that were found to be there already, for another step.
  int64_t shared_bytes() const { return shared_bytes_; }
  // How often XNNPACK packed weights, for tests.
  int64_t times_packed() const { return times_packed_; }

  Status Finalize() override;
  void Destroy() override {}  // all is in the region

 private:
  static size_t LookUp(void* context, const xnn_weights_cache_look_up_key* key);
  static void* ReserveSpace(void* context, size_t bytes);
  static size_t LookUpOrInsert(void* context, const xnn_weights_cache_look_up_key* key, void* data,
                               size_t bytes);
  static bool IsFinalized(void* context);
  static void* OffsetToAddress(void* context, size_t offset);
  static xnn_status Delete(void* context);

  // Shares the data of another entry that is the same byte for byte, or keeps `data`.
  void Insert(Entry* entry, uint32_t seed, void* data, size_t bytes);

  xnn_weights_cache_provider provider_;
  Region* region_;
  Entry* entries_ = nullptr;  // those with data, newest first
  int64_t shared_bytes_ = 0;
  std::atomic<int64_t> times_packed_ = 0;
  bool finalized_ = false;
};

// Says, for its lifetime and this thread, which entry the operator that XNNPACK creates is about,
// and where weights go that XNNPACK insists on packing again.
class ScopedWeights {
 public:
  ScopedWeights(WeightsCache::Entry* entry, Region* scratch);
  ~ScopedWeights();
  ScopedWeights(const ScopedWeights&) = delete;
  ScopedWeights& operator=(const ScopedWeights&) = delete;
};

}  // namespace linnet::xnnpack
#endif  // LINNET_XNNPACK_2024
