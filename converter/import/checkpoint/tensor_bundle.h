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
#include "converter/import/mapped_file.h"
#include "schema/tensorflow/tensor_bundle.pb.h"

namespace linnet::converter {

// Gives the bytes of `<prefix>.data-<shard>-of-<shards>`.
using ShardLoader = std::function<absl::StatusOr<OwnedBytes>(int shard, int shards)>;

// Part of a tensor: first element and number of elements per dimension; empty: all of it.
struct TensorSlice {
  std::vector<int64_t> start, length;  // length -1: everything from start on
};

// A checkpoint of TensorFlow (version 2: an index and data files). Data files are mapped when a
// tensor in them is asked for first; values are views into them unless they are put together from
// several slices. Errors name the tensor. All bounds are checked before anything is allocated.
class TensorBundle {
 public:
  // InvalidArgument, Unimplemented (big-endian, a newer version).
  static absl::StatusOr<std::unique_ptr<TensorBundle>> Open(std::span<const std::byte> index,
                                                            ShardLoader load);

  bool Contains(std::string_view key) const { return entries_.contains(key); }
  std::vector<std::string> keys() const;  // of tensors; slices left out
  // NotFound; InvalidArgument for sizes; DataLoss for a wrong checksum; Unimplemented for element
  // types that Linnet lacks.
  absl::StatusOr<Constant> Read(const std::string& key, const TensorSlice& slice = {}) const;
  // A string scalar.
  absl::StatusOr<std::string> ReadString(const std::string& key) const;

 private:
  absl::StatusOr<tf::BundleEntryProto> Entry(const std::string& key) const;
  // The entry's bytes, checksum not looked at.
  absl::StatusOr<OwnedBytes> Stored(const std::string& key,
                                    const tf::BundleEntryProto& entry) const;
  absl::StatusOr<Constant> ReadWhole(const std::string& key,
                                     const tf::BundleEntryProto& entry) const;
  absl::StatusOr<Constant> Assemble(const std::string& key, const tf::BundleEntryProto& entry,
                                    const TensorSlice& wanted) const;

  std::map<std::string, std::string, std::less<>> entries_;
  int num_shards_ = 0;
  ShardLoader load_;
  mutable std::map<int, OwnedBytes> shards_;
};

// The key of a slice's own entry: TensorFlow's EncodeTensorNameSlice.
std::string SliceKey(std::string_view name, const TensorSlice& slice);

}  // namespace linnet::converter
