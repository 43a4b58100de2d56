#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An app whose code ProGuard shrinks and renames by the AAR's rules still runs a plan, and without each of the rules it does not.

    proguard_test.py JAVA JARS CLASSES_JAR APP_JAR LIBRARY_FOLDER     JARS: the folder of toolchains/android_jars.sh; APP_JAR: RunModel's
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
APP = "linnet.android.tests.RunModel"
PROGUARD = ("proguard-base", "proguard-core", "log4j-api", "log4j-core", "gson", "json", "kotlinx-metadata-jvm", "kotlin-stdlib", "annotations")


def zeros(path, shape):
    """A .npy file of floats, as Npy.java reads it."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    padding = -(len(header) + 11) % 64
    count = 1
    for dim in shape:
        count *= dim
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + padding + 1) + header + b" " * padding + b"\n" + bytes(4 * count))


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def shrink_and_run(rules, work, java, jars, classes, app, library):
    """Returns the app's finished process, or ProGuard's when that fails."""
    shrunk = work / "shrunk.jar"
    shrunk.unlink(missing_ok=True)
    (work / "app.pro").write_text(f"""
-injars {app}
-injars {classes}
-outjars {shrunk}
-libraryjars {pathlib.Path(java).resolve().parent.parent}/jmods/java.base.jmod(!**.jar;!module-info.class)
-dontnote
-keep class {APP} {{ public static void main(java.lang.String[]); }}
# As in the rules that every Android app has.
-keepclassmembers enum * {{ public static **[] values(); public static ** valueOf(java.lang.String); }}
{rules}
""")
    classpath = ":".join(str(jars / f"{name}.jar") for name in PROGUARD)
    done = run(java, "-cp", classpath, "proguard.ProGuard", f"@{work / 'app.pro'}")
    if done.returncode:
        return done
    return run(java, "-Xcheck:jni", f"-Djava.library.path={library}", "-cp", shrunk, APP, ROOT / "tests/golden/plans/large.linnet",
               "--output-dir", work / "out", "--backend", "cpu", "--threads", "1", "--input", f"in0={work / 'in0.npy'}")


def main(java, jars, classes, app, library):
    rules = (ROOT / "platform/android/proguard.txt").read_text()
    keeps = re.findall(r"^-keep .*$", rules, re.MULTILINE)
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        zeros(work / "in0.npy", (1, 40, 40, 24))
        arguments = work, java, pathlib.Path(jars), classes, app, library
        done = shrink_and_run(rules, *arguments)
        if done.returncode or not (work / "out/out0.npy").exists():
            wrong.append(f"with the rules:\n{done.stdout}{done.stderr}")
        for keep in keeps:
            done = shrink_and_run(rules.replace(keep, ""), *arguments)
            if not done.returncode or not re.search(r"NoSuchMethodError|NoClassDefFoundError|NoSuchFieldError|ClassNotFound", done.stderr):
                wrong.append(f"without '{keep}', a class or member has to be missing:\n{done.stdout}{done.stderr}")
    print("\n".join(wrong) or f"runs with the rules, and without any of the {len(keeps)} it does not")
    return 1 if wrong or len(keeps) < 3 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
