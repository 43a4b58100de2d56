// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "converter/pass/pass.h"
#include "gtest/gtest.h"

// Tests of passes are written as graphs in text form: text in, text out. Each helper also checks
// that the verifier accepts the result, that a second run of the pass changes nothing, and (for
// Linnet ops) that both graphs compute the same from random inputs.
namespace linnet::converter {

// The parsed graph; a test failure and an empty graph if it does not parse.
std::unique_ptr<Graph> Parse(std::string_view text);

// The graph as text that does not depend on names, ids, or the order of independent nodes: nodes
// appear in the order in which a depth-first walk from the outputs meets them and are called n0,
// n1, ... Unreachable nodes are left out.
std::string Canonical(Graph& graph);

// The outputs for random inputs, computed by the portable kernels; args of f32 are drawn from [-4,
// 4).
std::vector<Constant> Evaluate(const Graph& graph);

struct Expectation {
  PassContext context;
  // Largest difference of results, relative to the largest value; 0: bits must be equal.
  double tolerance = 2e-6;
};

// `pass` turns `before` into `after`.
void ExpectRewritten(PassFunction pass, std::string_view before, std::string_view after,
                     const Expectation& expectation = {});
// `pass` reports 0 rewrites and leaves the graph alone.
void ExpectUnchanged(PassFunction pass, std::string_view text, const PassContext& context = {});
// What `pass` says against the graph; empty if it has no objection.
std::string ErrorOf(PassFunction pass, std::string_view text);

inline PassContext Strict() {
  PassContext context;
  context.algebra = Algebra::kStrict;
  return context;
}

}  // namespace linnet::converter
