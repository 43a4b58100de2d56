// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

class LegalizeContext;

// What a hash table holds: its keys, which rise strictly, and a value for each. Numbers are
// constants of the graph; of strings, which no plan has, the conversion keeps the list.
struct LookupTable {
  Output keys;  // i32 or i64
  std::vector<std::string> string_keys;
  Output values;  // [keys, ...]
  std::vector<std::string> string_values;
  int64_t size = 0;
};

// The tables of a model, each evaluated when a lookup asks for it first.
class LookupTables {
 public:
  // The one whose handle is input `i`. Errors are the node's.
  absl::StatusOr<const LookupTable*> Find(LegalizeContext& context, int i);

 private:
  std::map<std::string, LookupTable> tables_;
};

}  // namespace linnet::converter
