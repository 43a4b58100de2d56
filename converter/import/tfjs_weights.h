// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "converter/graph/problems.h"
#include "converter/import/import.h"
#include "schema/tensorflow/tfjs_model.pb.h"

namespace linnet::converter {

// The weights of a tfjs model by name. String weights are raw bytes of dtype kInvalid.
using TfjsWeights = std::map<std::string, Constant, std::less<>>;

// Loads the shards of every group and cuts them, in the order of `paths`, into weights: a weight
// that lies in one shard is a view, others are copied. Quantised floats stay encoded, quantised
// integers are decoded. Errors go to `problems`.
TfjsWeights ReadTfjsWeights(const tf::TfjsModel& model, const FileLoader& load, Problems* problems);

// Undoes the conversion of element types that tfjs cannot store: int64 and small integers were
// written as int32, double and half as float. Returns `value` itself for any other `dtype`.
Constant RestoreDType(const Constant& value, DType dtype);

}  // namespace linnet::converter
