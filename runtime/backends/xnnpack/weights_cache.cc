// SPDX-License-Identifier: Apache-2.0
#ifdef LINNET_XNNPACK_2024
#include "runtime/backends/xnnpack/weights_cache.h"

#include <cstring>

#include "runtime/core/hash.h"

namespace linnet::xnnpack {
namespace {

constexpr size_t kNotFound = SIZE_MAX;

thread_local WeightsCache::Entry* current_entry = nullptr;
thread_local Region* current_scratch = nullptr;

}  // namespace

WeightsCache::WeightsCache(Region* region) : region_(region) {
  provider_ = {.context = this,
               .look_up = LookUp,
               .reserve_space = ReserveSpace,
               .look_up_or_insert = LookUpOrInsert,
               .is_finalized = IsFinalized,
               .offset_to_addr = OffsetToAddress,
               .delete_cache = Delete};
}

WeightsCache::Entry* WeightsCache::NewEntry() { return region_->New<Entry>(); }

Status WeightsCache::Finalize() {
  finalized_ = true;
  return {};
}

size_t WeightsCache::LookUp(void* context, const xnn_weights_cache_look_up_key* key) {
  const Entry* entry = current_entry;
  if (entry == nullptr || entry->data == nullptr) return kNotFound;
  // After Finalize the plain weights may be freed, so packing again is impossible: use the entry
  // even with another seed.
  const bool is_finalized = static_cast<WeightsCache*>(context)->finalized_;
  if (entry->seed != key->seed && !is_finalized) return kNotFound;
  return reinterpret_cast<size_t>(entry);
}

void* WeightsCache::ReserveSpace(void* context, size_t bytes) {
  auto* cache = static_cast<WeightsCache*>(context);
  cache->times_packed_.fetch_add(1, std::memory_order_relaxed);
  Region* region = cache->finalized_ ? current_scratch : cache->region_;
  return region == nullptr ? nullptr : region->Allocate(static_cast<int64_t>(bytes));
}

size_t WeightsCache::LookUpOrInsert(void* context, const xnn_weights_cache_look_up_key* key,
                                    void* data, size_t bytes) {
  auto* cache = static_cast<WeightsCache*>(context);
  Entry* entry = current_entry;
  if (entry == nullptr) return kNotFound;
  if (entry->data == nullptr && !cache->finalized_) {
    cache->Insert(entry, key->seed, data, bytes);
  } else if (data != nullptr && data != entry->data) {
    // Packed again needlessly: the entry, which other sessions may be reading, has the same
    // weights.
    (cache->finalized_ ? current_scratch : cache->region_)->Free(data);
  }
  return entry->data == nullptr ? kNotFound : reinterpret_cast<size_t>(entry);
}

void WeightsCache::Insert(Entry* entry, uint32_t seed, void* data, size_t bytes) {
  entry->bytes = bytes;
  entry->seed = seed;
  entry->hash = HashBytes({static_cast<const std::byte*>(data), bytes});
  for (const Entry* other = entries_; other != nullptr; other = other->next) {
    if (other->bytes != bytes || other->seed != seed || other->hash != entry->hash ||
        std::memcmp(other->data, data, bytes) != 0)
      continue;
    region_->Free(data);
    shared_bytes_ += static_cast<int64_t>(bytes);
    entry->data = other->data;
    return;
  }
  entry->data = data;
  entry->next = entries_;
  entries_ = entry;
}

bool WeightsCache::IsFinalized(void* context) {
  return static_cast<WeightsCache*>(context)->finalized_;
}

void* WeightsCache::OffsetToAddress(void*, size_t offset) {
  return const_cast<void*>(reinterpret_cast<const Entry*>(offset)->data);
}

// Never called: XNNPACK deletes only caches that it made.
xnn_status WeightsCache::Delete(void*) { return xnn_status_success; }

ScopedWeights::ScopedWeights(WeightsCache::Entry* entry, Region* scratch) {
  current_entry = entry;
  current_scratch = scratch;
}

ScopedWeights::~ScopedWeights() {
  current_entry = nullptr;
  current_scratch = nullptr;
}

}  // namespace linnet::xnnpack
#endif  // LINNET_XNNPACK_2024
