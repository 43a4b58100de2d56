// SPDX-License-Identifier: Apache-2.0
// saved_model.pb: imported, its variables found and its functions inlined. Its checkpoint is valid;
// fuzz_bundle damages checkpoints.
#include "converter/functions/inline_calls.h"
#include "converter/functions/variable_ops.h"
#include "converter/import/saved_model.h"
#include "converter/resources/resources.h"
#include "tests/converter/import/checkpoint/table_builder.h"
#include "tests/fuzz/import_check.h"

namespace {

using namespace linnet::converter;

absl::StatusOr<OwnedBytes> Checkpoint(const std::string& path) {
  static const BundleBuilder* const kBundle = [] {
    auto* builder = new BundleBuilder;
    for (const char* key : {"v", "w", "p"})
      builder->Put(key, builder->Entry<float>(linnet::tf::DT_FLOAT, {2, 2}, {1, 2, 3, 4}));
    return builder;
  }();
  static const std::string* const kIndex = new std::string(Table(kBundle->entries));
  const std::string& bytes = path.ends_with(".index") ? *kIndex : kBundle->data;
  return OwnedBytes{std::as_bytes(std::span(bytes)), nullptr};
}

void ReadVariables(ImportedModel* model) {
  const absl::StatusOr<Resources> resources = LoadResources(model);
  if (!resources.ok() || resources->variables == nullptr) return;
  for (const Node* node : model->graph->op_nodes())
    if (IsVariable(*node)) (void)resources->variables->Read(VariableName(*node)).ok();
}

void InlineAll(Graph* graph) {
  InlineOptions options;
  options.max_nodes = 20'000;
  int64_t room = kFuzzBytes;
  options.constant_room = &room;
  const absl::StatusOr<int> inlined = InlineCalls(graph, graph->op_nodes(), options);
  if (inlined.ok() && !VerifyGraph(*graph).ok()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const OwnedBytes file{std::as_bytes(std::span(data, size)), nullptr};
  absl::StatusOr<std::vector<RawMetaGraph>> graphs = ReadSavedModel(file);
  if (!graphs.ok()) return 0;
  absl::StatusOr<ImportedModel> model = ImportSavedModel(
      *std::move(graphs), Checkpoint, {.max_expanded_bytes = kFuzzBytes, .any_tags = true});
  CheckImported(model);
  if (!model.ok()) return 0;
  ReadVariables(&*model);
  InlineAll(model->graph.get());
  return 0;
}
