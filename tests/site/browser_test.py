#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens every page of a site in Chromium without a window, from its files and without a network, as wide as a phone and as a desk:
nothing is wider than the window, no script fails, nothing is fetched from elsewhere, the search finds, light and dark differ.

    browser_test.py CHROMIUM SITE     CHROMIUM: its path, or what CMake found instead
"""
import json
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from chromium import problems_in

WIDTHS = (360, 900, 1400)
# Runs in a page beside the site: shows each page in a frame and looks at it.
SCRIPT = """
const problems = [];
const wait = (frame) => new Promise((resolve) => (frame.onload = resolve));
const frame = document.createElement("iframe");
document.body.append(frame);
frame.style.cssText = "border: 0; height: 900px";
async function open(url) {
  const loaded = wait(frame);
  frame.src = url;
  await loaded;
  return frame.contentWindow;
}
function look(page, url, width) {
  const { document: text } = page;
  if (text.documentElement.scrollWidth > width) problems.push(`${url}: ${text.documentElement.scrollWidth} pixels wide, in a window of ${width}`);
  for (const part of text.querySelectorAll("main *"))
    if (!part.closest(".code, .table") && part.getBoundingClientRect().right > width + 1) {
      problems.push(`${url}: <${part.localName}> '${part.textContent.slice(0, 40)}' leaves a window of ${width}`);
      break;
    }
  if (text.querySelector(".search").hidden) problems.push(`${url}: its script has failed`);
  for (const { name } of page.performance.getEntriesByType("resource")) if (!name.startsWith("file:")) problems.push(`${url}: fetches ${name}`);
}
(async () => {
  for (const width of WIDTHS) {
    frame.style.width = `${width}px`;
    for (const url of PAGES) look(await open(url), url, width);
  }
  const page = await open("index.html");
  const input = page.document.querySelector(".search input");
  input.value = "session run";
  input.dispatchEvent(new page.Event("input"));
  const found = [...page.document.querySelectorAll(".search li a")].map((link) => link.getAttribute("href"));
  if (!found.includes("reference/c.html#linnet_session_run")) problems.push(`the search for 'session run' finds ${found}`);
  const back = () => page.getComputedStyle(page.document.body).backgroundColor;
  const before = back();
  page.document.querySelector(".theme").click();
  if (back() === before) problems.push(`light and dark are both ${before}`);
  const copies = page.document.querySelectorAll(".copy").length;
  if (page.navigator.clipboard && !copies) problems.push("no block of code can be copied");
})().catch((error) => problems.push(String(error))).then(() => (document.title = JSON.stringify(problems)));
"""


def main(chromium, site):
    if not pathlib.Path(chromium).is_file():
        print("there is no chromium (Debian: chromium), so nothing is tested in it")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch, "site")
        shutil.copytree(site, copy)
        pages = sorted(path.relative_to(copy).as_posix() for path in copy.rglob("*.html"))
        script = f"const PAGES = {json.dumps(pages)};\nconst WIDTHS = {json.dumps(WIDTHS)};\n{SCRIPT}"
        (copy / "all_pages.html").write_text(f"<!DOCTYPE html><meta charset=utf-8><title>begun</title><body><script>{script}</script>")
        problems = problems_in(chromium, copy / "all_pages.html", f"{scratch}/profile", "--allow-file-access-from-files",
                               "--window-size=1600,1000", "--virtual-time-budget=600000", seconds=200)
    print("\n".join(problems) or f"{len(pages)} pages at {len(WIDTHS)} widths")
    return 1 if problems or len(pages) < 50 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
