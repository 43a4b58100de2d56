// SPDX-License-Identifier: Apache-2.0
// Search, zoom, and ways from rows of tables and problems to boxes of the drawings. The page shows everything without it.
(() => {
  "use strict";
  // Where a notebook runs it, no script is the current one: the page is then the last that has not been seen yet.
  const page = document.currentScript?.closest(".linnet") ?? [...document.querySelectorAll(".linnet:not(.live)")].at(-1);
  if (!page || page.classList.contains("live")) return;
  page.classList.add("live");
  const drawings = [...page.querySelectorAll("figure.drawing")];
  const boxes = [...page.querySelectorAll("svg.graph g")];
  const rows = [...page.querySelectorAll("tr[data-box]")];

  // --- Zoom. What is in the middle of the frame stays there.
  for (const figure of drawings) {
    const svg = figure.querySelector("svg"), frame = figure.querySelector(".box");
    const { width, height } = svg.viewBox.baseVal;
    let scale = 1;
    const zoom = (wanted) => {
      const next = Math.min(4, Math.max(0.05, wanted)), ratio = next / scale;
      const x = frame.scrollLeft + frame.clientWidth / 2, y = frame.scrollTop + frame.clientHeight / 2;
      scale = next;
      svg.setAttribute("width", width * scale);
      svg.setAttribute("height", height * scale);
      frame.scrollTo(x * ratio - frame.clientWidth / 2, y * ratio - frame.clientHeight / 2);
    };
    const whole = () => Math.min(frame.clientWidth / width, window.innerHeight * 0.8 / height, 1);
    const steps = { in: () => scale * 1.25, out: () => scale / 1.25, whole, full: () => 1 };
    for (const button of figure.querySelectorAll("[data-zoom]"))
      button.addEventListener("click", () => zoom(steps[button.dataset.zoom]()));
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? steps.in() : steps.out());
    }, { passive: false });
  }

  // --- Ways to a box: of the drawing with that number, the box with that number.
  const boxOf = (element) =>
    drawings[Number(element.dataset.drawing ?? 0)]?.querySelector(`g[data-box="${element.dataset.box}"]`);
  const show = (...elements) => {
    page.querySelectorAll(".here").forEach((element) => element.classList.remove("here"));
    for (const element of elements) {
      element?.classList.add("here");
      element?.scrollIntoView({ block: "center", inline: "center" });
    }
  };
  for (const row of rows) row.addEventListener("click", () => show(row, boxOf(row)));
  for (const button of page.querySelectorAll(".path button")) button.addEventListener("click", () => show(boxOf(button)));
  drawings.forEach((figure, drawing) => {
    for (const box of figure.querySelectorAll("g[data-box]"))
      box.addEventListener("click", () => show(box, page.querySelector(
        `tr[data-box="${box.dataset.box}"][data-drawing="${drawing}"]`)));
  });

  // --- Search: boxes and rows that have all of the words.
  const field = page.querySelector(".search input"), found = page.querySelector(".search output");
  if (!field) return;
  const texts = new Map([...boxes, ...rows].map((element) => [element, element.textContent.toLowerCase()]));
  let hits = [], at = -1;
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (element) => words.every((word) => texts.get(element).includes(word));
    page.classList.toggle("searching", words.length > 0);
    for (const box of boxes) box.classList.toggle("hit", has(box));
    for (const row of rows) row.hidden = !has(row);
    hits = words.length ? boxes.filter(has) : [];
    at = -1;
    found.textContent = words.length ? `${hits.length} of ${boxes.length}` : "";
  };
  const next = (step) => {
    if (!hits.length) return;
    at = (at + step + hits.length) % hits.length;
    show(hits[at]);
    found.textContent = `${at + 1} of ${hits.length}`;
  };
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") next(event.shiftKey ? -1 : 1);
  });
  for (const button of page.querySelectorAll("[data-hit]"))
    button.addEventListener("click", () => next(Number(button.dataset.hit)));
})();
