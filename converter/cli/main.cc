// SPDX-License-Identifier: Apache-2.0
// linnet: converts TensorFlow graphs to plans, and shows what is in either.
#include "converter/cli/program.h"

int main(int argc, char** argv) { return linnet::cli::RunProgram(argc, argv); }
