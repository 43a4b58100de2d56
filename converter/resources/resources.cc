// SPDX-License-Identifier: Apache-2.0
#include "converter/resources/resources.h"

#include <algorithm>

#include "converter/import/checkpoint/tensor_bundle.h"
#include "converter/resources/restored_variables.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::shared_ptr<const Tables> LoadTables(ImportedModel* model) {
  const Loading& loading = model->loading;
  std::shared_ptr<const Tables> tables = Tables::Of(*model->graph, loading, &model->notes);
  const auto unread = std::ranges::count_if(loading.assets, [&](const auto& asset) {
    return tables == nullptr || !tables->Reads(asset.first);
  });
  if (unread > 0)
    model->notes.push_back(
        fmt::format("{} asset files are not read: nothing that a plan does needs them", unread));
  return tables;
}

// Null for a model without a checkpoint.
absl::StatusOr<std::shared_ptr<const Variables>> LoadVariables(ImportedModel* model) {
  const Loading& loading = model->loading;
  if (loading.checkpoint.empty()) return nullptr;
  const absl::StatusOr<OwnedBytes> index =
      loading.files(fmt::format("{}.index", loading.checkpoint));
  if (absl::IsNotFound(index.status())) return nullptr;
  if (!index.ok()) return index.status();
  const auto load = [files = loading.files, prefix = loading.checkpoint](int shard, int shards) {
    return files(fmt::format("{}.data-{:05}-of-{:05}", prefix, shard, shards));
  };
  absl::StatusOr<std::unique_ptr<TensorBundle>> bundle = TensorBundle::Open(index->bytes, load);
  if (!bundle.ok())
    return absl::Status(
        bundle.status().code(),
        fmt::format("{}.index: {}", loading.checkpoint, std::string(bundle.status().message())));
  return RestoredVariables(*model->graph, loading.restore_op, *std::move(bundle), &model->notes);
}

}  // namespace

absl::StatusOr<Resources> LoadResources(ImportedModel* model) {
  std::shared_ptr<const Tables> tables = LoadTables(model);
  absl::StatusOr<std::shared_ptr<const Variables>> variables = LoadVariables(model);
  if (!variables.ok()) return variables.status();
  return Resources{*std::move(variables), std::move(tables)};
}

}  // namespace linnet::converter
