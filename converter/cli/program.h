// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace linnet::cli {

// The program `linnet`: returns its exit code. It takes over the process: where memory cannot be
// had, it ends it, and memory comes from malloc as suits the converter.
int RunProgram(int argc, char** argv);

}  // namespace linnet::cli
