#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Java API compiles against Android's own classes of API level 21 and nothing else, the sample app against those and the API; and what is
younger does not compile.

    platform_classes_test.py JAVAC JARS CLASSES_JAR     JARS: the folder of toolchains/android_jars.sh

android-all.jar has Android's java.util, java.io, java.nio and so on, but not java.lang, which a JVM brings. That one is Java 7's, as it is on
Android 5.0, from the JDK's own record of older versions.
"""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
JAVA_7 = "7"
YOUNG = {  # what is younger than level 21, and the level that has it
    "List.of, level 30": "class Young { Object make(Object a) { return java.util.List.of(a); } }",
    "java.time, level 26": "class Young { Object now() { return java.time.Instant.now(); } }",
    "String.join, level 26": 'class Young { String join() { return String.join(",", "a", "b"); } }',
}


def extract_java_lang(javac, folder):
    """Unpacks Java 7's java.lang; the first folder in each name of the record has a letter or digit per version that has the class."""
    record = pathlib.Path(javac).resolve().parent.parent / "lib/ct.sym"
    with zipfile.ZipFile(record) as archive:
        for name in archive.namelist():
            versions, _, path = name.partition("/java.base/")
            if JAVA_7 in versions and path.startswith("java/lang/") and path.endswith(".sig"):
                target = (folder / path).with_suffix(".class")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
    if not (folder / "java/lang/AutoCloseable.class").exists():
        print(f"SKIPPED: {record} does not know Java 7 (JDK 17 does)")
        sys.exit()


def main(javac, jars, classes):
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        extract_java_lang(javac, work / "lang")
        bootclasspath = f"{work / 'lang'}:{jars / 'android-all.jar'}"

        def compile_(*arguments):
            command = [javac, "-nowarn", "-d", work / "out", *arguments]
            return subprocess.run([str(word) for word in command], capture_output=True, text=True)

        android = ("-source", "8", "-target", "8", "-bootclasspath", bootclasspath)
        api = sorted((ROOT / "platform/android/java/linnet/android").glob("*.java"))
        sample = sorted((ROOT / "platform/android/sample/src/main/java/linnet/sample").glob("*.java"))
        # Java 8's lambdas and closing of resources, which Android's tools translate, need Java 8's java.lang to compile.
        compiled = {"the API": compile_(*android, *api),
                    "the sample app": compile_("--release", "8", "-cp", f"{jars / 'android-all.jar'}:{classes}", *sample)}
        wrong = [f"{what} does not compile:\n{done.stderr}" for what, done in compiled.items() if done.returncode]
        for what, code in YOUNG.items():
            (work / "Young.java").write_text(code)
            done = compile_(*android, work / "Young.java")
            if not done.returncode or not ("cannot find symbol" in done.stderr or "does not exist" in done.stderr):
                wrong.append(f"{what}, has to be what is missing, but javac says:\n{done.stderr}")
    print("\n".join(wrong) or f"the API's {len(api)} files and the sample's {len(sample)} compile, {len(YOUNG)} younger things do not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])))
