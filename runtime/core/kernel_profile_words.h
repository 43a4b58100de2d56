// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a kernel profile is written with (runtime/tools/README.md has the format), for those who
// write it and those who read it.
namespace linnet {

// The first lines, in this order, are a word and a text each: the version of the format, then what
// it was measured with. A profile is of use only where all texts are the same.
inline constexpr const char* kKernelProfileHead[] = {"linnet kernel profile ", "cpu ",
                                                     "instructions ", "kernels ", "threads "};
inline constexpr char kKernelProfileVersion[] = "1";

// The last line, with the number of steps before it.
inline constexpr char kKernelProfileEnd[] = "end ";
// Lines that begin so say nothing to programs.
inline constexpr char kKernelProfileComment = '#';
// Between the fields of a step.
inline constexpr char kKernelProfileTab = '\t';

}  // namespace linnet
