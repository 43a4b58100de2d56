// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/import/import.h"
#include "converter/import/mapped_file.h"
#include "schema/tensorflow/graph.pb.h"

namespace linnet::converter {

// A tfjs graph model taken apart: what TensorFlow calls the graph, and the values of its Const
// nodes, which tfjs keeps in shards beside it.
struct TfjsModel {
  tf::GraphDef topology;  // Const nodes carry empty tensors
  std::map<std::string, Constant, std::less<>>
      weights;                            // by node name; <function>/<node> in functions
  std::vector<SignatureInfo> signatures;  // none or one, key "serving_default"
};

// Gives the bytes of a shard by its name in the manifest.
using ShardLoader = std::function<absl::StatusOr<MappedFile>(const std::string& name)>;

// Parses model.json. f32 weights stored as float16, uint8 or uint16 stay encoded; i32 ones are
// decoded. A weight that lies in one shard is a view of it. InvalidArgument lists every weight that
// is wrong.
absl::StatusOr<TfjsModel> ParseTfjs(std::string_view json, const ShardLoader& load_shard);

// Is this JSON text a tfjs model, as far as its first bytes tell?
bool LooksLikeJson(std::string_view text);

}  // namespace linnet::converter
