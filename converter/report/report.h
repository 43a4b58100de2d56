// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "converter/graph/problems.h"
#include "runtime/core/shape.h"

namespace linnet::converter {

// What a conversion tells about itself: filled by Convert, written as text, JSON or HTML.
// README.md in this folder lists the JSON keys.
struct ConversionReport {
  struct PassRun {
    std::string name;
    int64_t rewrites = 0;
    double ms = 0.0;
  };
  struct Port {
    std::string name, source;
    TensorType type;
  };
  struct Step {
    std::string op, source, backend;
    std::string reason;  // why not on the faster backend; empty when it is
    int64_t macs = 0;
    int64_t bytes = 0;  // inputs and outputs
  };
  // Where one value lies in the arena and when: for the picture of memory over time.
  struct Placement {
    std::string name;
    int64_t offset = 0, bytes = 0;
    int first_step = 0, last_step = 0;
  };
  struct Memory {
    int64_t arena_bytes = 0, lower_bound = 0, naive = 0, imported_bound = 0;
    std::vector<Placement> placements;
  };
  struct Weights {
    int64_t count = 0, bytes = 0;                // in the plan
    std::map<std::string, int64_t> by_encoding;  // "plain", "float16", ... -> bytes
  };

  std::string model, format, plan;
  bool succeeded = false;
  std::vector<Problem> problems;
  std::vector<std::string> notes;
  std::vector<Port> inputs, outputs;
  std::vector<PassRun> passes;
  std::map<std::string, int64_t> ops_before, ops_after;  // op -> how many
  std::vector<Step> steps;
  Memory memory;
  Weights weights;
  int64_t plan_bytes = 0;
  double total_ms = 0.0;
  int64_t peak_rss_bytes = 0;
};

}  // namespace linnet::converter
