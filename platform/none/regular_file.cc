// SPDX-License-Identifier: Apache-2.0
#include "platform/regular_file.h"

namespace linnet {
namespace {

constexpr const char* kNoFiles = "there are no files here: give the plan's bytes instead";

}  // namespace

RegularFile::RegularFile(const char*) : refusal_(kNoFiles) {}
RegularFile::RegularFile(int, int64_t, int64_t) : owned_(false), refusal_(kNoFiles) {}
RegularFile::~RegularFile() = default;
bool RegularFile::ReadTo(std::byte*) const { return false; }

}  // namespace linnet
