# SPDX-License-Identifier: Apache-2.0
"""What the AAR and its POM consist of: names and texts that aar.py writes and aar_check.py wants to find."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUP = "linnet"
ARTIFACT = "linnet-android"
PACKAGE = "linnet.android"
LIBRARY = "liblinnet.so"
MODULE = "prefab/modules/linnet"
MIN_SDK = 21
ABIS = ("arm64-v8a", "armeabi-v7a", "x86", "x86_64")
HEADERS = sorted(path.name for path in (ROOT / "runtime/include/linnet").iterdir() if path.suffix in (".h", ".hpp"))


def version():
    """That of linnet.h."""
    header = (ROOT / "runtime/include/linnet/linnet.h").read_text()
    return ".".join(re.findall(r"^#define LINNET_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header, re.MULTILINE))


def manifest():
    return f"""<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="{PACKAGE}">
    <uses-sdk android:minSdkVersion="{MIN_SDK}" />
</manifest>
"""


def prefab():
    """Of the package: for apps with C or C++ of their own (prefab's schema 2)."""
    return {"schema_version": 2, "name": "linnet", "version": version(), "dependencies": []}


def module():
    return {"export_libraries": [], "library_name": LIBRARY.removesuffix(".so")}


def abi(name, ndk):
    """Nothing of a C++ library is in the interface, so any will do in the app."""
    return {"abi": name, "api": MIN_SDK, "ndk": ndk, "stl": "none", "static": False}


def metadata():
    """Read by the Gradle plugin."""
    return f"aarFormatVersion=1.0\naarMetadataVersion=1.0\nminCompileSdk={MIN_SDK}\n"


def pom():
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{GROUP}</groupId>
  <artifactId>{ARTIFACT}</artifactId>
  <version>{version()}</version>
  <packaging>aar</packaging>
  <name>Linnet</name>
  <description>Runs TensorFlow models that linnet converted to plans</description>
  <licenses>
    <license>
      <name>Apache-2.0</name>
    </license>
  </licenses>
</project>
"""
