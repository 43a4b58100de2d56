// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace linnet::cli {

// From now on a failing `operator new` ends the program at once: it removes the files that are half
// written, says "linnet: out of memory" and exits with kFailed. Libraries beneath us (protobuf,
// FlatBuffers, libstdc++'s memory resources) follow wild pointers when std::bad_alloc unwinds them.
void EndWhenOutOfMemory();

}  // namespace linnet::cli
