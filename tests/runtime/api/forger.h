// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "linnet/linnet.h"
#include "runtime/plan/file_header.h"
#include "schema/plan_generated.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {

// A plan whose tables can be changed in place.
class Forger {
 public:
  explicit Forger(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {
    FileHeader header;
    std::memcpy(&header, bytes_.data(), sizeof(header));
    program_ = schema::GetPlan(bytes_.data() + header.structure_offset)->programs()->Get(0);
  }
  const schema::Step& step(uint32_t region, uint32_t index) const {
    return *program_->regions()->Get(region)->steps()->Get(index);
  }
  const schema::Region& region(uint32_t index) const { return *program_->regions()->Get(index); }
  const schema::Program& program() const { return *program_; }

  // The elements of a list.
  static void Set(const flatbuffers::Vector<int32_t>* list, uint32_t index, int32_t value) {
    reinterpret_cast<int32_t*>(const_cast<uint8_t*>(list->Data()))[index] = value;
  }
  static void SetSize(const flatbuffers::Vector<int32_t>* list, uint32_t size) {
    std::memcpy(const_cast<uint8_t*>(list->Data()) - sizeof(size), &size, sizeof(size));
  }
  // A field that is present in the plan.
  template <typename T, typename Table>
  static void SetField(const Table& of, flatbuffers::voffset_t field, T value) {
    const auto& table = reinterpret_cast<const flatbuffers::Table&>(of);
    uint8_t* const address = const_cast<uint8_t*>(table.GetAddressOf(field));
    ASSERT_NE(address, nullptr);
    std::memcpy(address, &value, sizeof(value));
  }
  static void SetControl(const schema::Step& step, uint8_t control) {
    SetField(step, schema::Step::VT_CONTROL, control);
  }

  // The error message of opening the plan; "" when it opens.
  std::string Open(linnet_status* status = nullptr) const {
    const PlacedBytes placed(bytes_);
    linnet_plan* plan = nullptr;
    linnet_error error{};
    const linnet_status opened =
        linnet_plan_open_memory(placed.data(), placed.size(), nullptr, &plan, &error);
    linnet_plan_close(plan);
    if (status != nullptr) *status = opened;
    return opened == LINNET_OK ? "" : error.text;
  }

 private:
  std::vector<std::byte> bytes_;
  const schema::Program* program_;
};

#define EXPECT_REFUSED(forger, reason) \
  EXPECT_NE((forger).Open().find(reason), std::string::npos) << (forger).Open()

}  // namespace linnet
