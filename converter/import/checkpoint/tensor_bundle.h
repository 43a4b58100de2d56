// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/constant.h"
#include "converter/import/checkpoint/sorted_table.h"
#include "converter/import/mapped_file.h"
#include "schema/tensorflow/tensor_bundle.pb.h"

namespace linnet::converter {

// Gives the bytes of `<prefix>.data-<shard>-of-<shards>`.
using ShardLoader = std::function<absl::StatusOr<OwnedBytes>(int shard, int shards)>;

// Part of a tensor: first element and number of elements per dimension. Empty: the whole tensor.
struct TensorSlice {
  std::vector<int64_t> start, length;  // length -1: all elements from start on
};

// A checkpoint of TensorFlow (version 2: an index and data files). A data file is loaded when the
// first tensor of it is read. Values are views of the files, except for those that are assembled
// from several slices. Errors name the tensor. All bounds are checked before memory is allocated.
class TensorBundle {
 public:
  // InvalidArgument; Unimplemented (big-endian or a newer version).
  static absl::StatusOr<std::unique_ptr<TensorBundle>> Open(std::span<const std::byte> index,
                                                            ShardLoader load);

  bool Contains(std::string_view key) const { return entries_.contains(key); }
  std::vector<std::string> keys() const;  // of tensors, without those of their slices
  // NotFound; InvalidArgument for wrong sizes; DataLoss for a wrong checksum; Unimplemented for
  // element types that Linnet lacks.
  absl::StatusOr<Constant> Read(const std::string& key, const TensorSlice& slice = {}) const;
  // A string scalar.
  absl::StatusOr<std::string> ReadString(const std::string& key) const;

 private:
  absl::StatusOr<tf::BundleEntryProto> Entry(const std::string& key) const;
  // The bytes of an entry. Its checksum is not verified.
  absl::StatusOr<OwnedBytes> Stored(const std::string& key,
                                    const tf::BundleEntryProto& entry) const;
  absl::StatusOr<Constant> ReadWhole(const std::string& key,
                                     const tf::BundleEntryProto& entry) const;
  // The slice `wanted` of a tensor of `shape`, put together from the stored slices.
  absl::StatusOr<Constant> Assemble(const std::string& key, const tf::BundleEntryProto& entry,
                                    const Shape& shape, const TensorSlice& wanted) const;

  SortedTable entries_;
  int num_shards_ = 0;
  ShardLoader load_;
  mutable std::map<int, OwnedBytes> shards_;
};

// The key of the entry of one slice: TensorFlow's EncodeTensorNameSlice.
std::string SliceKey(std::string_view name, const TensorSlice& slice);

}  // namespace linnet::converter
