#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the XCFramework consists of: names and texts that xcframework.py writes and xcframework_check.py wants to find.

    xcframework_parts.py     prints what has to be compiled, one line each: slice, architecture, clang's target, xcrun's name of the SDK
"""
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "CLinnet"
FRAMEWORK = f"{NAME}.framework"
BUNDLE_PREFIX = "linnet"
PRIVACY = "PrivacyInfo.xcprivacy"
PRIVACY_FILE = ROOT / "platform/apple/Linnet" / PRIVACY
HEADERS = sorted(path.name for path in (ROOT / "runtime/include/linnet").iterdir() if path.suffix in (".h", ".hpp"))
MODULE_HEADERS = [name for name in HEADERS if name.endswith(".h")]
FORMAT_VERSION = "1.0"


@dataclasses.dataclass(frozen=True)
class Slice:
    identifier: str
    platform: str        # as Info.plist's SupportedPlatform
    variant: str         # "" for devices
    minimum: str         # oldest version of the system: the first with Swift's async functions in it
    architectures: tuple
    sdk: str             # xcrun's name
    bundle_platform: str  # CFBundleSupportedPlatforms

    @property
    def macho_platform(self):
        """As macho.Object.platform."""
        return "-".join(filter(None, (self.platform, self.variant)))

    @property
    def resources(self):
        """The folder of Info.plist and the privacy manifest. On macOS frameworks have versions."""
        return "Versions/A/Resources" if self.platform == "macos" else ""

    @property
    def content(self):
        return "Versions/A" if self.platform == "macos" else ""

    def target(self, architecture):
        return "-".join(filter(None, (architecture, "apple", f"{self.platform}{self.minimum}", self.variant)))


SLICES = (
    Slice("ios-arm64", "ios", "", "15.0", ("arm64",), "iphoneos", "iPhoneOS"),
    Slice("ios-arm64_x86_64-simulator", "ios", "simulator", "15.0", ("arm64", "x86_64"), "iphonesimulator", "iPhoneSimulator"),
    Slice("macos-arm64_x86_64", "macos", "", "12.0", ("arm64", "x86_64"), "macosx", "MacOSX"),
)


def version():
    """That of linnet.h."""
    header = (ROOT / "runtime/include/linnet/linnet.h").read_text()
    return ".".join(re.findall(r"^#define LINNET_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header, re.MULTILINE))


def header(text):
    """A public header as it is in a framework, where the framework's name stands for the folder `linnet`."""
    return re.sub(r'^#include "linnet/(.*)"$', rf"#include <{NAME}/\1>", text, flags=re.MULTILINE)


def module_map():
    """The C API for Swift and Objective-C. C++ includes the other headers by name."""
    lines = "".join(f'  header "{name}"\n' for name in MODULE_HEADERS)
    return f'framework module {NAME} {{\n{lines}  link "c++"\n  export *\n}}\n'


def framework_info(part):
    """Info.plist of a slice's framework."""
    least = {"macos": "LSMinimumSystemVersion"}.get(part.platform, "MinimumOSVersion")
    return {"CFBundleDevelopmentRegion": "en", "CFBundleExecutable": NAME, "CFBundleIdentifier": f"{BUNDLE_PREFIX}.{NAME}",
            "CFBundleInfoDictionaryVersion": "6.0", "CFBundleName": NAME, "CFBundlePackageType": "FMWK",
            "CFBundleShortVersionString": version(), "CFBundleVersion": version(),
            "CFBundleSupportedPlatforms": [part.bundle_platform], least: part.minimum}


def library_entry(part):
    """Of a slice, in the XCFramework's Info.plist."""
    entry = {"BinaryPath": "/".join(filter(None, (FRAMEWORK, part.content, NAME))), "LibraryIdentifier": part.identifier,
             "LibraryPath": FRAMEWORK, "SupportedArchitectures": list(part.architectures), "SupportedPlatform": part.platform}
    if part.variant:
        entry["SupportedPlatformVariant"] = part.variant
    return entry


def info():
    """The XCFramework's Info.plist."""
    return {"AvailableLibraries": [library_entry(part) for part in SLICES], "CFBundlePackageType": "XFWK",
            "XCFrameworkFormatVersion": FORMAT_VERSION}


if __name__ == "__main__":
    for each in SLICES:
        for its in each.architectures:
            print(each.identifier, its, each.target(its), each.sdk)
