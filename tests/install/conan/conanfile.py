# SPDX-License-Identifier: Apache-2.0
"""Builds the example project against the package that `conan create .` has made, and runs its programs."""
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class LinnetTest(ConanFile):
    settings = "os", "compiler", "build_type", "arch"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        # In the repository's folder for builds, so that nothing is written beside this file.
        cmake_layout(self, build_folder=os.path.join("..", "..", "..", "build", "conan_test"))

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.generate()

    @property
    def _tests(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder=os.path.join(self._tests, "examples", "project"))
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        plan = os.path.join(self._tests, "golden", "plans", "small.linnet")
        for program in ("run_plan_c99", "run_plan_cpp17", "run_plan_cpp20"):
            self.run(f"{os.path.join(self.cpp.build.bindir, program)} {plan}", env="conanrun")
