#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Java of README.md and of platform/android/README.md compiles and runs as it stands there.

    readme_java_test.py JAVAC JAVA CLASSES_JAR LIBRARY_FOLDER
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = ("README.md", "platform/android/README.md")
# A page's blocks follow each other in one method; what they use without having made it is an argument or the session before.
PROGRAM = """
import java.io.File;
import java.nio.ByteBuffer;
import linnet.android.*;

class Page%d {
  static void blocks(File file, float[] pixels, float[] scores) {
%s
  }
%s
  public static void main(String[] arguments) {
    blocks(new File(arguments[0]), new float[40 * 40 * 24], new float[20 * 20 * 40]);
    try (Plan plan = Plan.open(arguments[0]); Session session = new Session(plan)) {
      rest(session);
    }
  }
}
"""


def program(number, page):
    """The page's blocks: those that open a session for themselves, and those that go on with one."""
    blocks = re.findall(r"^```java\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    whole = "".join(block for block in blocks if "Plan.open" in block)
    rest = "".join(block for block in blocks if "Plan.open" not in block)
    if not whole:
        sys.exit(f"{page} has no Java that opens a plan")
    return PROGRAM % (number, whole, "  static void rest(Session session) {\n" + rest + "  }\n")


def main(javac, java, classes, library):
    plan = ROOT / "tests/golden/plans/large.linnet"
    for number, page in enumerate(PAGES):
        with tempfile.TemporaryDirectory() as scratch:
            source = pathlib.Path(scratch, f"Page{number}.java")
            source.write_text(program(number, page))
            for command in ([javac, "--release", "8", "-Xlint:-options", "-cp", classes, "-d", scratch, source],
                            [java, "-Xcheck:jni", f"-Djava.library.path={library}", "-cp", f"{classes}:{scratch}", f"Page{number}", plan]):
                done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
                if done.returncode or done.stdout:
                    sys.exit(f"{page}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}\n{source.read_text()}")
        print(f"{page}: its Java compiles and runs")


if __name__ == "__main__":
    main(*sys.argv[1:])
