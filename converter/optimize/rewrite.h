// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "converter/pass/pass.h"

// How passes over Linnet ops walk and change the graph, so that a pass consists of its pattern
// only.
namespace linnet::converter {

// Offers every op node to `rewrite`, producers first, and starts over until a walk changes nothing.
// `rewrite` returns whether it changed the graph; it may add nodes, and remove its own argument and
// anything upstream of it. Returns the number of changes.
absl::StatusOr<int> RewriteToFixPoint(Graph& graph,
                                      const std::function<absl::StatusOr<bool>(Node*)>& rewrite);

// Every use of output 0 of `root` reads `replacement` instead. `root`, and whatever only fed it, is
// removed; the ops among them leave their sources to the replacement. The types must be equal.
void Replace(Graph& graph, Node* root, Output replacement);

// Adds `attrs` over `inputs` in place of `root`, whose name the new node takes, and calls Replace.
// Returns true, as a rewrite does, or the error of Graph::AddOp.
absl::StatusOr<bool> ReplaceWithOp(Graph& graph, Node* root, const OpAttrs& attrs,
                                   std::initializer_list<Output> inputs);

// Removes `root`, whose value its producer `into` now computes: `into` was changed in place
// ("Conv2D + Add" became a Conv2D with bias), and nothing else reads it. It takes root's name,
// because that is what the model calls the value.
void Absorb(Graph& graph, Node* root, Node* into);

// Data input `slot` of `node` reads `input` from now on. Whatever only fed the old input is removed
// and leaves its sources to `node`.
void Rewire(Graph& graph, Node* node, int slot, Output input);

// Removes the nodes with these ids, one after the other, each followed by its producers, as far as
// nothing reads them. _Arg and _Retval stay, ids without a node are skipped. The removed ops leave
// their sources to `heir`, when given.
void RemoveUnused(Graph& graph, const std::vector<int>& ids, Node* heir = nullptr);

// A new Const, named after `like` with "/suffix", that has its sources.
Output AddConstantLike(Graph& graph, const Node& like, std::string_view suffix, Constant value);

// The constant `value` as an input [C], C being the channels of x; all `fallback` when `value` is
// empty. Nothing when it is not per channel, or there are too many channels, or their number
// varies.
std::optional<Output> ChannelInput(Graph& graph, const Node& like, std::string_view suffix,
                                   Output value, double fallback, Output x);

// A new op, named after `like` with "/suffix", that stands for it (graph/placement_wish.h).
absl::StatusOr<Output> AddOpLike(Graph& graph, const Node& like, std::string_view suffix,
                                 OpAttrs attrs, const std::vector<Output>& inputs);

// Makes _Retval `result` return a copy of what it reads.
absl::Status CopyResult(Graph& graph, Node* result);

}  // namespace linnet::converter
