// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "converter/convert_options.h"

namespace CLI {
class App;
}

namespace linnet::cli {

// The options of `linnet convert`, and arguments that have to be parsed before they become options.
struct ConvertArguments {
  converter::ConvertOptions options;
  std::vector<std::string> inputs, sets, most, place_nodes, reports;
  bool explain_placement = false;
};

// Declares the flags of `linnet convert`, whose values go to `arguments`. This is the only list of
// them: the keywords of Python's linnet.convert are made of it. MODEL is a positional, the plan is
// -o; all others have long names.
void AddConvertFlags(CLI::App* command, ConvertArguments* arguments);

// Adds to `options`, which begin as arguments.options, what has to be parsed. Returns what is wrong
// with the arguments, or "".
std::string FillOptions(const ConvertArguments& arguments, converter::ConvertOptions* options);

}  // namespace linnet::cli
