// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "converter/passes/pass.h"
#include "converter/place/place_graph.h"
#include "converter/report/report.h"

namespace linnet::converter {

// What happens to f32 weights in the plan.
enum class WeightEncoding {
  kKeep,  // as the model stores them
  kF32,   // decoded
  kF16,   // plain ones rounded to binary16 where that is possible without overflow
};

// One conversion, as `linnet convert` is told. Tensor names may be signature keys, "node" or
// "node:slot".
struct ConvertOptions {
  std::string model;
  std::string output;                // empty: no file is written
  std::vector<Feed> inputs;          // empty: the signature's, else the placeholders
  std::vector<std::string> outputs;  // empty: the signature's, else the nodes nobody consumes
  std::vector<std::string> tags;     // of a SavedModel's graph; empty: serve
  // A program of the plan for each; empty: serving_default, else the first one.
  std::vector<std::string> signatures;
  std::map<std::string, int64_t, std::less<>> most;  // see PassContext
  Algebra algebra = Algebra::kTf;
  WeightEncoding weights = WeightEncoding::kKeep;
  PlaceRequest place;
  // Writes the graph as text after each run of the pass of this name ("all": of any) into dump_dir.
  std::string dump_after, dump_dir;
  // Told what begins, for people who wait. May be null.
  std::function<void(std::string_view stage)> progress;
};

// Runs the whole conversion: import, passes, placement, schedule and memory plan, file. `report` is
// filled as far as the conversion got, so it is worth writing also on failure. The plan is written
// to a temporary file and renamed: on failure nothing carries its name. The status lists every
// problem that was found, one per line (ProblemsOf has them apart). Unavailable: a file could not
// be written; NotFound, InvalidArgument, Unimplemented: the model or the names asked for; Internal:
// a bug of ours.
absl::Status Convert(const ConvertOptions& options, ConversionReport* report);

}  // namespace linnet::converter
