// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/structure/plan_mutator.h"

#include <iterator>
#include <optional>
#include <string>

#include "linnet/linnet.h"
#include "runtime/plan/file_header.h"
#include "tests/fuzz/structure/follow_types.h"
#include "tests/fuzz/structure/mutations.h"

namespace linnet::fuzz {
namespace {

constexpr int kTrials = 8;
constexpr size_t kMaxStepsInAll = 48;

// All mutations rely on this.
bool IsWhole(const PlanFile& file) {
  if (file.plan.programs.empty()) return false;
  size_t steps = 0;
  for (const auto& program : file.plan.programs) {
    if (program->signature == nullptr || program->regions.empty() || program->spaces.empty())
      return false;
    for (const auto& region : program->regions) steps += region->steps.size();
  }
  return steps <= kMaxStepsInAll;
}

bool Opens(const std::vector<uint8_t>& file) {
  linnet_plan* plan = nullptr;
  if (linnet_plan_open_memory(file.data(), file.size(), nullptr, &plan, nullptr) != LINNET_OK)
    return false;
  linnet_plan_close(plan);
  return true;
}

void MutateOnce(PlanFile& file, Random& random) {
  PlanEditor editor(file, *random.Pick(file.plan.programs), random);
  const size_t kind = random.Below(12);
  const std::span<const Mutation> mutations = kind < 5    ? StepMutations()
                                              : kind < 8  ? TensorMutations()
                                              : kind < 10 ? ControlMutations()
                                                          : StripsMutations();
  random.Pick(mutations)(editor);
}

// Another program with the same states and weights: of a second signature, or of the same one for
// another device, which stands behind the hosts'.
void CopyProgram(PlanFile& file, Random& random) {
  auto& programs = file.plan.programs;
  if (programs.size() > 2) return;
  auto copy = std::make_unique<schema::ProgramT>(*random.Pick(programs));
  if (random.OneIn(2)) {
    copy->variant = random.OneIn(8) ? "later" : kVulkanVariant;
    programs.push_back(std::move(copy));
    return;
  }
  copy->variant = kHostVariant;
  copy->signature->key = "key" + std::to_string(random.Below(100));
  programs.insert(programs.begin(), std::move(copy));
}

void ChangeVariant(PlanFile& file, Random& random) {
  static const std::string kNames[] = {kHostVariant, kVulkanVariant, "", "later"};
  random.Pick(file.plan.programs)->variant = kNames[random.Below(std::size(kNames))];
}

// Tries `change` until the file opens; sometimes a file that does not open is returned.
template <typename Change>
std::vector<uint8_t> Try(const PlanFile& before, size_t max_size, Random& random, Change change) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < kTrials; ++i) {
    PlanFile file = before;
    change(file);
    if (!random.OneIn(16)) FollowTypes(file, random);
    DropUnused(file);
    if (!IsWhole(file)) continue;
    std::vector<uint8_t> written = WritePlanFile(file);
    if (written.size() > max_size) continue;
    bytes = std::move(written);
    if (random.OneIn(12) || Opens(bytes)) break;
  }
  return bytes;
}

}  // namespace

std::vector<uint8_t> MutatePlan(std::span<const uint8_t> file, size_t max_size, uint64_t seed) {
  Random random(seed);
  const std::optional<PlanFile> before = ReadPlanFile(file);
  if (!before || !IsWhole(*before)) return {};
  return Try(*before, max_size, random, [&](PlanFile& changed) {
    if (random.OneIn(64)) CopyProgram(changed, random);
    if (random.OneIn(256)) ChangeVariant(changed, random);
    for (size_t count = 1 + random.Below(4); count > 0; --count) MutateOnce(changed, random);
  });
}

std::vector<uint8_t> CrossPlans(std::span<const uint8_t> file, std::span<const uint8_t> other,
                                size_t max_size, uint64_t seed) {
  Random random(seed);
  const std::optional<PlanFile> before = ReadPlanFile(file), grafted = ReadPlanFile(other);
  if (!before || !IsWhole(*before) || !grafted || !IsWhole(*grafted)) return {};
  return Try(*before, max_size, random, [&](PlanFile& changed) {
    PlanEditor editor(changed, *changed.plan.programs[0], random);
    Graft(*grafted, editor);
    if (random.OneIn(2)) MutateOnce(changed, random);
  });
}

}  // namespace linnet::fuzz
