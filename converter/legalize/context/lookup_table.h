// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

class LegalizeContext;

// The content of a hash table: its keys, strictly increasing, and a value for each. Numbers are
// constants of the graph; strings, which a plan cannot have, are kept here.
struct LookupTable {
  Output keys;  // i32 or i64
  std::vector<std::string> string_keys;
  Output values;  // [keys, ...]
  std::vector<std::string> string_values;
  int64_t size = 0;
};

// The tables of a model, each evaluated at the first lookup.
class LookupTables {
 public:
  // The table whose handle is input `i`. Errors are about the node at hand.
  absl::StatusOr<const LookupTable*> Find(LegalizeContext& context, int i);

 private:
  std::map<std::string, LookupTable> tables_;
};

}  // namespace linnet::converter
