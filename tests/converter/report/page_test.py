#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens report pages in Chromium without a window, from their files: the search marks boxes and rows, rows and problems lead to boxes,
zooming keeps the middle, nothing is fetched from elsewhere. One page is of a plan, one of a conversion that fails.

    page_test.py CHROMIUM LINNET PLAN.linnet     CHROMIUM: its path, or what CMake found instead
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from chromium import problems_in

FAILING = """
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 4 } dim { size: 4 } } } } }
node { name: "double" op: "AddV2" input: "x" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "parts" op: "Svd" input: "double" attr { key: "T" value { type: DT_FLOAT } } }
"""
BOTH = """
  const page = document.querySelector(".linnet"), field = page.querySelector(".search input");
  const find = (text) => { field.value = text; field.dispatchEvent(new Event("input")); };
  const want = (what, got, wanted) => { if (got !== wanted) problems.push(`${what}: ${got}, want ${wanted}`); };
  const boxes = page.querySelectorAll("svg.graph g"), rows = [...page.querySelectorAll("tr[data-box]")];
  const here = () => page.querySelector("g.here");
  if (!page.classList.contains("live")) problems.push("the script has failed");
  for (const { name } of performance.getEntriesByType("resource")) if (!name.startsWith("file:")) problems.push(`fetches ${name}`);
  if (document.documentElement.scrollWidth > innerWidth) problems.push(`${document.documentElement.scrollWidth} pixels wide`);
  const svg = page.querySelector("svg.graph"), frame = svg.closest(".box"), before = svg.getBoundingClientRect().width;
  page.querySelector('[data-zoom="in"]').click();
  want("zoom", Math.round(svg.getBoundingClientRect().width), Math.round(before * 1.25));
  page.querySelector('[data-zoom="whole"]').click();
  if (svg.getBoundingClientRect().width > frame.clientWidth + 1) problems.push("the whole drawing does not fit");
  page.querySelector('[data-zoom="full"]').click();
  want("no zoom", Math.round(svg.getBoundingClientRect().width), Math.round(before));
"""
OF_PLAN = BOTH + """
  find("conv2d");
  const hits = [...boxes].filter((box) => box.classList.contains("hit"));
  if (!hits.length || hits.length === boxes.length) problems.push(`the search finds ${hits.length} of ${boxes.length}`);
  want("rows", rows.filter((row) => !row.hidden).length, hits.length);
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  want("the first hit", here(), hits[0]);
  find("");
  want("all rows again", rows.filter((row) => row.hidden).length, 0);
  rows.at(-1).click();
  want("the box of a row", here()?.dataset.box, rows.at(-1).dataset.box);
  const box = [...boxes].find((one) => one.dataset.box === rows[0].dataset.box);
  box.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  want("the row of a box", rows[0].classList.contains("here"), true);
"""
OF_FAILURE = BOTH + """
  want("what is wrong", page.querySelectorAll("g.wrong").length, 1);
  const path = [...page.querySelectorAll(".path button")];
  want("the way to it", path.map((part) => part.textContent).join(), "_Arg _arg_x_0_0,Binary double,Svd parts");
  path.at(-1).click();
  want("the end of the way", here(), page.querySelector("g.wrong"));
"""


def open_page(chromium, folder, page, script):
    """What the script finds wrong with the page."""
    text = (folder / page).read_text()
    script = f'const problems = [];\ntry {{ {script} }} catch (error) {{ problems.push(String(error)); }}\ndocument.title = JSON.stringify(problems);'
    (folder / f"tested_{page}").write_text(text.replace("</body>", f"<script>{script}</script></body>"))
    return problems_in(chromium, folder / f"tested_{page}", folder / "profile", "--window-size=1200,900", seconds=60)


def main(chromium, linnet, plan):
    if not pathlib.Path(chromium).is_file():
        print("there is no chromium (Debian: chromium), so nothing is tested in it")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        subprocess.run([linnet, "inspect", plan, "--format", "html", "-o", folder / "plan.html"], check=True)
        (folder / "model.pbtxt").write_text(FAILING)
        failed = subprocess.run([linnet, "convert", folder / "model.pbtxt", "-o", folder / "x.linnet", "--report", folder / "failure.html"],
                                capture_output=True, text=True)
        problems = [] if failed.returncode else ["the model converts"]
        for page, script in (("plan.html", OF_PLAN), ("failure.html", OF_FAILURE)):
            problems += [f"{page}: {problem}" for problem in open_page(chromium, folder, page, script)]
    print("\n".join(problems) or "two pages")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
