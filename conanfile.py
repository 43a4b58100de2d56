# SPDX-License-Identifier: Apache-2.0
"""Linnet's runtime as a package of Conan 2, on libraries of the system: `conan create .` (toolchains/packages.md)."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.system.package_manager import Apt


class Linnet(ConanFile):
    name = "linnet"
    license = "Apache-2.0"
    description = "Runs plans converted from TensorFlow graphs, in one static block of memory"
    topics = ("tensorflow", "inference", "embedded")
    settings = "os", "compiler", "build_type", "arch"
    package_type = "library"
    options = {"shared": [True, False], "fPIC": [True, False], "xnnpack": ["system", "off"], "vulkan": ["on", "off"]}
    default_options = {"shared": False, "fPIC": True, "xnnpack": "system", "vulkan": "on"}
    implements = ["auto_shared_fpic"]
    exports_sources = ("CMakeLists.txt", "LICENSE", "schema/*", "runtime/*", "platform/*", "toolchains/cmake/*", "toolchains/*.py")
    test_package_folder = "tests/install/conan"

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "runtime/include/linnet/linnet.h"))
        self.version = ".".join(re.findall(r"^#define LINNET_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header, re.MULTILINE))

    def system_requirements(self):
        packages = ["libflatbuffers-dev", "flatbuffers-compiler"]
        if self.options.xnnpack == "system":
            packages += ["libxnnpack-dev", "libpthreadpool-dev", "libcpuinfo-dev"]
        if self.options.vulkan == "on":
            packages += ["libvulkan-dev"]
        Apt(self).install(packages, check=True)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.cache_variables["LINNET_BUILD_CONVERTER"] = False
        toolchain.cache_variables["LINNET_BUILD_TESTS"] = False
        toolchain.cache_variables["LINNET_XNNPACK"] = str(self.options.xnnpack)
        toolchain.cache_variables["LINNET_VULKAN"] = str(self.options.vulkan)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # Programs find the package by the files that it installs itself: they name the libraries of the system too.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "Linnet")]
        self.cpp_info.set_property("pkg_config_name", "linnet")
        self.cpp_info.libs = ["linnet"]
        if not self.options.shared:
            if self.options.xnnpack == "system":
                self.cpp_info.system_libs += ["XNNPACK", "pthreadpool", "cpuinfo"]
            self.cpp_info.system_libs += ["dl", "pthread", "stdc++", "m"]
