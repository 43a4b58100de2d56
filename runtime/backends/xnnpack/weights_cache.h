// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef LINNET_XNNPACK_2024
#include <xnnpack.h>

#include <atomic>

#include "runtime/core/region.h"
#include "runtime/session/backend.h"

namespace linnet::xnnpack {

// Implements XNNPACK's xnn_weights_cache_provider: packed weights in the region of a plan's
// prepared weights, shared by all sessions. XNNPACK's own cache grows one mapped buffer; ours
// leaves each operator's weights where they were packed, possibly in a block that the caller gave.
//
// XNNPACK looks up weights by the address of their plain form. That does not work here, because
// plain forms may be freed by then, or be decoded one after the other into the same memory. So code
// that creates an operator sets the step's entry with a ScopedWeights instead.
//
// Pack fills entries, in one thread at a time. After Finalize any thread may read them.
class WeightsCache final : public PackedWeights {
 public:
  // Packed weights of one step, in the region.
  struct Entry {
    const void* data = nullptr;  // null until packed
    size_t bytes = 0;
    uint32_t seed = 0;  // from XNNPACK: identifies how they are packed
    uint64_t hash = 0;
    Entry* next = nullptr;
  };

  explicit WeightsCache(Region* region);

  // nullptr when the region is full.
  Entry* NewEntry();
  xnn_weights_cache_t provider() { return &provider_; }
  // Bytes of packed weights that were not stored because another step has equal ones.
  int64_t shared_bytes() const { return shared_bytes_; }
  // How often XNNPACK packed weights, for tests.
  int times_packed() const { return times_packed_; }

  Status Finalize() override;
  void Destroy() override {}  // everything is in the region

 private:
  static size_t LookUp(void* context, const xnn_weights_cache_look_up_key* key);
  static void* ReserveSpace(void* context, size_t bytes);
  static size_t LookUpOrInsert(void* context, const xnn_weights_cache_look_up_key* key, void* data,
                               size_t bytes);
  static bool IsFinalized(void* context);
  static void* OffsetToAddress(void* context, size_t offset);
  static xnn_status Delete(void* context);

  // Uses the data of another entry that is equal byte for byte and frees `data`, or keeps `data`.
  void Insert(Entry* entry, uint32_t seed, void* data, size_t bytes);

  xnn_weights_cache_provider provider_;
  Region* region_;
  Entry* entries_ = nullptr;  // those with data, newest first
  int64_t shared_bytes_ = 0;
  std::atomic<int> times_packed_ = 0;
  bool finalized_ = false;
};

// Sets, for its lifetime and this thread, the entry of the operator that XNNPACK creates, and the
// memory for weights that XNNPACK packs again although they are in the cache.
class ScopedWeights {
 public:
  ScopedWeights(WeightsCache::Entry* entry, Region* scratch);
  ~ScopedWeights();
  ScopedWeights(const ScopedWeights&) = delete;
  ScopedWeights& operator=(const ScopedWeights&) = delete;
};

}  // namespace linnet::xnnpack
#endif  // LINNET_XNNPACK_2024
