// SPDX-License-Identifier: Apache-2.0
#include "platform/file_bytes.h"

#include "platform/regular_file.h"

namespace linnet {

Status FileBytes::Map(const char* path) { return Map(RegularFile(path)); }
Status FileBytes::Map(const RegularFile& file) { return {StatusCode::kIo, file.refusal()}; }
Status FileBytes::Read(const char* path, const HostAllocator&) { return Map(path); }
void FileBytes::Close() {}
void FileBytes::DropPages(const std::byte*, int64_t, int64_t) {}

}  // namespace linnet
