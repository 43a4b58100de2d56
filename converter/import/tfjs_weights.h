// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/constant.h"
#include "converter/import/mapped_file.h"

namespace linnet::converter {

struct TfjsQuantization {
  std::string dtype;  // "uint8", "uint16", "float16": how the bytes are stored
  double scale = 1.0, min = 0.0;
};

// One weight of the manifest.
struct TfjsWeight {
  std::string name;
  std::string dtype;  // what the graph sees: "float32", "int32", "bool", "string", "complex64"
  Shape shape;        // checked
  std::optional<TfjsQuantization> quantization;
};

// The shards of one manifest group as one run of bytes, read front to back.
class ShardReader {
 public:
  void Add(MappedFile shard);

  // The next `bytes`: a view when they lie in one shard, else a copy. OutOfRange when fewer are left.
  absl::StatusOr<MappedFile> Take(int64_t bytes);

 private:
  std::vector<MappedFile> shards_;
  size_t shard_ = 0;
  size_t offset_ = 0;  // in the current shard
};

// Takes the weight's bytes from `reader`. Float weights keep their storage as the constant's encoding. String and
// complex weights are skipped over and give a constant without dtype.
absl::StatusOr<Constant> ReadWeight(const TfjsWeight& weight, ShardReader* reader);

}  // namespace linnet::converter
