// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <initializer_list>
#include <string_view>

#include "converter/pass/pass.h"

// How passes over Linnet ops walk and change the graph, so that each of them is just its pattern.
namespace linnet::converter {

// Offers every op node to `rewrite`, producers first, and starts over until a walk changes nothing.
// `rewrite` returns whether it changed the graph; it may add nodes, and remove its own argument and
// anything upstream of it. Returns the number of changes.
absl::StatusOr<int> RewriteToFixPoint(Graph& graph,
                                      const std::function<absl::StatusOr<bool>(Node*)>& rewrite);

// Every use of output 0 of `root` reads `replacement` instead, then `root`, and whatever only fed
// it, goes away. The ops among them leave their sources to the replacement. The types must be
// equal.
void Replace(Graph& graph, Node* root, Output replacement);

// Adds `attrs` over `inputs` in place of `root`: AddOp + Replace. The new node takes root's name.
absl::StatusOr<Node*> ReplaceWithOp(Graph& graph, Node* root, const OpAttrs& attrs,
                                    std::initializer_list<Output> inputs);

// Absorbs `root` into its producer `into`, which nothing else reads and which was changed in place
// ("Conv2D + Add" became a Conv2D with bias): Replace, and `into` takes root's name, since that is
// how the model calls the value that it now computes.
void Absorb(Graph& graph, Node* root, Node* into);

// Data input `slot` of `node` reads `input` from now on. What only fed the old input goes away and
// leaves its sources to `node`.
void Rewire(Graph& graph, Node* node, int slot, Output input);

// Removes `node` and then its producers as far as nothing reads them. _Arg and _Retval stay. The
// ops among them leave their sources to `heir`, when given.
void RemoveUnused(Graph& graph, Node* node, Node* heir = nullptr);

// A new Const called after `like`.
Output AddConstantLike(Graph& graph, const Node& like, std::string_view suffix, Constant value);

}  // namespace linnet::converter
