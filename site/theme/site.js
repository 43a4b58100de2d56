// SPDX-License-Identifier: Apache-2.0
// Search, the choice of light or dark, buttons that copy code. Pages are complete without this script.
"use strict";

const root = document.currentScript.dataset.root;
const box = document.querySelector(".search");
const [input, list] = [box.querySelector("input"), box.querySelector("ol")];

// How well a row fits: every word must occur; lower is better.
function rank(row, words) {
  const text = row[0].toLowerCase();
  let sum = text.length / 100;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return Infinity;
    sum += at === 0 ? 0 : /[a-z0-9]/.test(text[at - 1]) ? 2 : 1;
  }
  return sum;
}

function find() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length
    ? SEARCH.map((row) => [rank(row, words), row]).filter(([cost]) => cost < Infinity).sort((a, b) => a[0] - b[0]).slice(0, 12)
    : [];
  list.replaceChildren(
    ...found.map(([, [text, where, url]]) => {
      const item = document.createElement("li");
      const link = item.appendChild(document.createElement("a"));
      link.href = root + url;
      link.textContent = text;
      link.appendChild(document.createElement("small")).textContent = where;
      return item;
    }),
  );
  if (words.length && !found.length) {
    const none = list.appendChild(document.createElement("li"));
    none.className = "none";
    none.textContent = "Nothing has all of these words in its title or name.";
  }
  list.hidden = !words.length;
  choose(0);
}

let chosen = 0;
function choose(index) {
  const items = list.querySelectorAll("li:not(.none)");
  chosen = Math.max(0, Math.min(index, items.length - 1));
  items.forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
  items[chosen]?.scrollIntoView({ block: "nearest" });
}

box.hidden = false;
input.addEventListener("input", find);
input.addEventListener("focus", find);
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Enter") list.querySelectorAll("a")[chosen]?.click();
  else if (event.key === "Escape") input.blur();
  else return;
  event.preventDefault();
});
box.addEventListener("focusout", (event) => {
  if (!box.contains(event.relatedTarget)) list.hidden = true;
});
list.addEventListener("mousedown", (event) => event.preventDefault());
list.addEventListener("click", (event) => {
  if (event.target.closest("a")) list.hidden = true;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  input.focus();
});

const button = document.querySelector(".theme");
button.hidden = false;
button.addEventListener("click", () => {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  const theme = dark ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // A browser that keeps nothing: the choice holds for this page.
  }
});

for (const code of document.querySelectorAll("main .code:not(.source)")) {
  if (!navigator.clipboard) break;
  const holder = document.createElement("div");
  holder.className = "box";
  code.replaceWith(holder);
  const copy = document.createElement("button");
  copy.className = "copy";
  copy.type = "button";
  copy.textContent = "Copy";
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  });
  holder.append(code, copy);
}

document.querySelector('nav [aria-current="page"]')?.scrollIntoView({ block: "center" });
document.querySelector("nav.pages").addEventListener("click", (event) => {
  if (event.target.closest("a")) document.getElementById("menu").checked = false;
});

// Marks in the list at the side which section is being read.
const entries = new Map([...document.querySelectorAll("aside a")].map((link) => [link.hash.slice(1), link]));
const shown = [...entries.keys()].map((id) => document.getElementById(decodeURIComponent(id))).filter(Boolean);
function mark() {
  const passed = shown.filter((heading) => heading.getBoundingClientRect().top < 120);
  const here = (passed.at(-1) ?? shown[0])?.id;
  for (const [id, link] of entries) link.classList.toggle("here", decodeURIComponent(id) === here);
  const aside = document.querySelector("aside");
  const place = document.querySelector("aside .here")?.offsetTop ?? 0;
  if (place < aside.scrollTop + 40 || place > aside.scrollTop + aside.clientHeight - 80) aside.scrollTop = place - aside.clientHeight / 2;
}
if (entries.size) {
  addEventListener("scroll", mark, { passive: true });
  mark();
}
