// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/problems.h"
#include "converter/import/graph_constructor.h"
#include "schema/tensorflow/node_def.pb.h"
#include "schema/tensorflow/versions.pb.h"

// Checks of a GraphDef that need neither op definitions nor other nodes.
namespace linnet::converter {

// InvalidArgument with TensorFlow's texts, including the two blanks after full stops.
absl::Status CheckVersions(const tf::VersionDef& versions);

// The name, the op and the order of the inputs of one node.
void CheckNodeSyntax(const tf::NodeDef& def, const ConstructorOptions& options, Problems* problems);

}  // namespace linnet::converter
