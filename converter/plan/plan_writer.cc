// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/plan_writer.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "converter/import/mapped_file.h"
#include "fmt/format.h"
#include "platform/file_writer.h"
#include "runtime/core/dcheck.h"
#include "runtime/core/encoding.h"
#include "runtime/core/region.h"
#include "runtime/plan/file_header.h"
#include "runtime/verify/verify_plan.h"

namespace linnet::converter {
namespace {

constexpr int64_t kPageAlignment = int64_t{16} * 1024;  // Android's large pages
constexpr int64_t kLargeWeights = int64_t{64} * 1024;

// The file of a plan: what is behind its header is hashed.
class HashedFile {
 public:
  HashedFile(const std::string& path, const FileHeader& header)
      : file_(path), header_(header), hash_(XXH3_createState()) {
    file_.Write(&header_, sizeof(header_));
    if (hash_ != nullptr) XXH3_128bits_reset(hash_.get());
  }
  void Write(const void* data, size_t bytes) {
    file_.Write(data, bytes);
    if (hash_ != nullptr) XXH3_128bits_update(hash_.get(), data, bytes);
    at_ += static_cast<int64_t>(bytes);
  }
  void PadTo(int64_t offset) {
    static constexpr char kZeros[256] = {};
    while (at_ < offset)
      Write(kZeros, static_cast<size_t>(std::min<int64_t>(sizeof(kZeros), offset - at_)));
  }
  // Writes the header again, with the hash: all bytes are then in part().
  absl::Status Complete() {
    if (hash_ == nullptr) return absl::UnavailableError("out of memory");
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(hash_.get()));
    std::memcpy(header_.hash, canonical.digest, sizeof(header_.hash));
    file_.Rewrite(&header_, sizeof(header_));
    return file_.Flush() ? absl::OkStatus() : absl::UnavailableError(file_.problem());
  }
  const std::string& part() const { return file_.temporary(); }
  absl::Status TakeName() {
    return file_.Commit() ? absl::OkStatus() : absl::UnavailableError(file_.problem());
  }

 private:
  struct FreeState {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };

  FileWriter file_;
  FileHeader header_;
  std::unique_ptr<XXH3_state_t, FreeState> hash_;
  int64_t at_ = sizeof(FileHeader);
};

void WriteWeight(const WeightLayout::Weight& weight, HashedFile* file) {
  if (!IsPanels(weight.encoding))
    return file->Write(weight.value->bytes.data(), weight.value->bytes.size());
  const std::vector<std::byte> panels = BytesInPanels(*weight.value);
  file->Write(panels.data(), panels.size());
}

// A field that reading or packing left out would vanish where a plan is read, changed and packed.
[[maybe_unused]] bool SurvivesReading(const flatbuffers::DetachedBuffer& structure) {
  const std::span<const uint8_t> bytes(structure.data(), structure.size());
  const flatbuffers::DetachedBuffer again = PackStructure(UnpackStructure(bytes));
  return std::ranges::equal(bytes, std::span<const uint8_t>(again.data(), again.size()));
}

// A plan that the runtime refuses to open is useless, and a bug of the converter.
absl::Status CheckAsRuntime(const std::string& path) {
  const absl::StatusOr<OwnedBytes> file = MapFile(path);
  if (!file.ok()) return file.status();
  Region region;
  VerifiedPlan plan;
  Diagnostic diagnostic;
  const Status status = VerifyPlan(file->bytes, region, &plan, &diagnostic);
  if (status.ok()) return absl::OkStatus();
  if (status.code() == StatusCode::kNoMemory)
    return absl::UnavailableError(diagnostic.TextOr(status.what()));
  return absl::InternalError(
      fmt::format("the plan does not open, which is a bug of the converter, please report it: {}",
                  diagnostic.TextOr(status.what())));
}

}  // namespace

BuiltPlan BuildPlan(std::span<const Program> programs, WeightOrder order) {
  BuiltPlan plan{LayOutWeights(programs, order), {}};
  plan.structure = BuildStructure(programs, plan.weights);
  LINNET_DCHECK(SurvivesReading(PackStructure(plan.structure)));
  return plan;
}

absl::StatusOr<int64_t> WritePlan(const BuiltPlan& plan, const std::string& path,
                                  WrittenCheck check) {
  const WeightLayout& layout = plan.weights;
  const flatbuffers::DetachedBuffer structure = PackStructure(plan.structure);
  LINNET_DCHECK(check == WrittenCheck::kNone || SurvivesReading(structure));

  const FileHeader header =
      LayOutFile(static_cast<int64_t>(structure.size()), layout.bytes,
                 layout.bytes > kLargeWeights ? kPageAlignment : kWeightAlignment);
  HashedFile file(path, header);
  file.Write(structure.data(), structure.size());
  for (const WeightLayout::Weight& weight : layout.weights) {
    file.PadTo(static_cast<int64_t>(header.weights_offset) + weight.offset);
    WriteWeight(weight, &file);
  }
  file.PadTo(static_cast<int64_t>(header.file_bytes));
  if (absl::Status status = file.Complete(); !status.ok()) return status;
  if (check == WrittenCheck::kAsRuntime)
    if (absl::Status status = CheckAsRuntime(file.part()); !status.ok()) return status;
  if (absl::Status status = file.TakeName(); !status.ok()) return status;
  return static_cast<int64_t>(header.file_bytes);
}

}  // namespace linnet::converter
