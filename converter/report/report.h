// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "converter/graph/problems.h"
#include "converter/place/explain.h"
#include "runtime/core/shape.h"

namespace linnet::converter {

// A graph as boxes and arrows, whatever it came from.
struct Drawing {
  struct Box {
    std::string label;
    std::string title;  // shown on demand; may have several lines
    // "input", "output", "mac" (convolutions and matrix products), "move", "none", "other", or
    // "wrong" where there is a problem
    std::string kind;
    std::string name = {};  // of the node, in the drawing of a graph
  };
  std::vector<Box> boxes;
  std::vector<std::pair<int, int>> arrows;  // from, to
};

// What is known of a conversion, or of a plan's first signature: written as text, JSON, HTML or
// dot. README.md in this folder lists the JSON keys.
struct ConversionReport {
  struct Timing {
    std::string name;
    double ms = 0.0;
  };
  struct PassRun {
    std::string name;
    int64_t rewrites = 0;
    double ms = 0.0;
  };
  struct Port {
    std::string name, source;
    TensorType type;                // the largest
    std::vector<int64_t> smallest;  // extents, where some vary from run to run; else empty
    int producer = kNothing;        // as in Step::reads; for outputs only
  };
  struct Step {
    std::string op, source, attributes;
    std::string device;  // key: "cpu"
    // "xnnpack" or "portable"; "none" where its output is its input's memory; "control" where it
    // runs other steps; "copy" between devices; on a device other than the CPU the device's key.
    std::string backend;
    std::string reason;      // why not on the faster backend; empty when it is
    TensorType output;       // the first one
    std::vector<int> reads;  // step that makes an input, or -1 - k for input k of the program
    int64_t macs = 0;
    int64_t bytes = 0;          // inputs and outputs, weights apart
    int64_t weight_bytes = 0;   // as elements of their type, not as encoded
    int64_t scratch_bytes = 0;  // of its device's memory, which it may use while it runs
    int region = 0;             // 0 = the program; those of one region stand together
    int strips = -1;            // index into `strips`, where it runs together with others
  };
  // Steps [first, first + count) that run together, `rows` rows of the last one's output at a time.
  struct Strips {
    int first = 0, count = 0;
    int64_t rows = 0;
    int64_t bytes = 0;  // of the arena, for the rows between them
  };
  // Steps that a structured step runs.
  struct Region {
    int step = 0;      // that runs it
    std::string role;  // "condition", "body", "then", "else"
  };
  // One buffer in the host's arena and when it is needed: for the picture of memory over time.
  struct Placement {
    std::string name;  // of the steps' sources (or inputs) that write it
    int64_t offset = 0, bytes = 0;
    // -1 before the run, number of the program's steps after it; what a region uses counts for the
    // program's step around it.
    int first_step = 0, last_step = 0;
  };
  // Memory of another device than the CPU.
  struct DeviceMemory {
    std::string device;
    std::string layout;  // of its tensors, as NameOf in runtime/core/layout.h has it
    int64_t bytes = 0, lower_bound = 0, naive = 0;
  };
  struct Memory {
    int64_t arena_bytes = 0, lower_bound = 0, naive = 0, imported_bound = 0;
    std::vector<Placement> placements;
    std::vector<DeviceMemory> devices;
  };
  struct Weights {
    int64_t count = 0, bytes = 0;                // in the plan
    std::map<std::string, int64_t> by_encoding;  // "plain", "float16", ... -> bytes
  };
  // Which devices run the steps. Times are estimates of the cost model.
  struct Devices {
    std::vector<DeviceShare> shares;
    int64_t segments = 0;  // runs of steps on one device
    int64_t copies = 0, copy_bytes = 0;
    double estimated_us = 0.0;  // of a run, copies included
    std::string explanation;    // text for people: where each step runs, and why
  };
  static constexpr int kNothing = INT32_MIN;  // a weight

  // Those of region 0.
  int num_program_steps() const {
    return static_cast<int>(std::ranges::count(steps, 0, &Step::region));
  }

  std::string model, format, plan;
  std::string signature;  // key of the one converted
  std::string variant;    // of the program that is described: "host"
  bool succeeded = false;
  std::vector<Problem> problems;
  Drawing failed_graph;  // as it was when a pass found the problems; else empty
  std::vector<std::string> notes;
  std::vector<Port> inputs, outputs;
  std::vector<Timing> stages;
  std::vector<PassRun> passes;
  std::map<std::string, int64_t> ops_before, ops_after;  // op -> how many
  std::vector<Step> steps;                               // of the program, then of regions
  std::vector<Region> regions;                           // regions[i] is region i + 1
  std::vector<Strips> strips;
  Memory memory;
  // The signature's other programs. They have ports, steps, regions and memory only.
  std::vector<ConversionReport> variants;
  Weights weights;
  Devices placement;  // empty for a plan, which does not tell
  int64_t plan_bytes = 0;
  double total_ms = 0.0;
  int64_t peak_rss_bytes = 0;
};

}  // namespace linnet::converter
