// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "converter/graph/problems.h"
#include "converter/import/import.h"
#include "schema/tensorflow/tfjs_model.pb.h"

namespace linnet::converter {

// One weight of a tfjs model. Strings come as their raw bytes with dtype kInvalid.
struct TfjsWeight {
  Constant value;
  std::string dtype;  // as the manifest says
};
using TfjsWeights = std::map<std::string, TfjsWeight, std::less<>>;

// Loads the shards of every group, concatenates them in the order of `paths` (a weight that lies in
// one shard is a view, one that straddles is copied) and cuts them into weights. Quantised floats
// stay encoded; quantised integers are decoded. What is wrong goes to `problems`.
TfjsWeights ReadTfjsWeights(const tf::TfjsModel& model, const WeightsLoader& load,
                            Problems* problems);

// `value` with the elements that the model had before tfjs stored it: int64 (and small integers)
// were written as int32, double and half as float. Itself when `dtype` is none of these.
Constant RestoreDType(const Constant& value, DType dtype);

}  // namespace linnet::converter
