// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/graph/graph.h"
#include "schema/tensorflow/graph.pb.h"

namespace linnet::converter {

// The graph as TensorFlow writes it: nodes by id without Source and Sink; data inputs by slot ("a"
// for slot 0, "a:1"; "" where the edge is missing) and then control inputs sorted by name, each
// once; the assigned device, else the requested one; functions; versions, of which min_consumer is
// at least 12 where there are functions. Linnet ops keep their name and lose their attributes.
tf::GraphDef ToGraphDef(const Graph& graph);
tf::NodeDef ToNodeDef(const Node& node);
// A constant as TensorProto with tensor_content; encoded ones are decoded.
tf::TensorProto ToTensorProto(const Constant& value);

}  // namespace linnet::converter
