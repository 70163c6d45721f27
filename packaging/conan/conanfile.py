"""The recipe of Conan 2: conan create packaging/conan"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class Conv2d(ConanFile):
    name = "conv2d"
    description = "2-D convolution and its gradients, with SIMD kernels"
    license = "MIT"
    topics = ("convolution", "gradients", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def _sources(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._sources(), "cpp", "include", "conv2d", "version.hpp"))
        self.version = ".".join(re.findall(r"^#define CONV2D_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "cpp/*", "LICENSE", "THIRD_PARTY_NOTICES.txt", "CHANGELOG.md"):
            copy(self, pattern, self._sources(), self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        # Its headers are compiled into the library; callers do not need them.
        self.requires("xsimd/[>=13 <15]", visible=False)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        # The folder of its headers. The targets of CMakeDeps have no folder that a build could link to.
        toolchain.cache_variables["CONV2D_DEPS_DIR"] = self.dependencies["xsimd"].package_folder
        toolchain.cache_variables["CMAKE_DISABLE_FIND_PACKAGE_xsimd"] = True
        toolchain.cache_variables["CONV2D_BUILD_TESTS"] = False
        toolchain.cache_variables["CONV2D_BUILD_BENCH"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        for name in ("LICENSE", "THIRD_PARTY_NOTICES.txt"):
            copy(self, name, self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        # CMakeDeps writes these files for the callers.
        for folder in (("lib", "cmake"), ("lib", "pkgconfig"), ("share",)):
            rmdir(self, os.path.join(self.package_folder, *folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "conv2d")
        core = self.cpp_info.components["conv2d"]
        core.set_property("cmake_target_name", "conv2d::conv2d")
        core.set_property("pkg_config_name", "conv2d")
        core.libs = ["conv2d"]
        if self.settings.os in ("Linux", "FreeBSD"):
            core.system_libs = ["pthread", "m"]
        check = self.cpp_info.components["check"]
        check.set_property("cmake_target_name", "conv2d::check")
        check.libs = ["conv2d_check"]
        check.requires = ["conv2d"]
        c = self.cpp_info.components["c"]
        c.set_property("cmake_target_name", "conv2d::c")
        c.set_property("pkg_config_name", "conv2d-c")
        c.libs = ["conv2d_c"]
