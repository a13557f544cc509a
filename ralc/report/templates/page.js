"use strict";
// Tables are sorted by a click on a heading and searched by the box above; cards of examples are filtered and searched.
// Without scripts everything is there, in its first order.

const number = (text) => {
  const found = text.replace(/\u2212/g, "-").replace(/,(?=\d{3})/g, "").match(/^-?\d+(\.\d+)?/);
  return found ? Number(found[0]) : null;
};

const compare = (a, b) => {
  const [x, y] = [number(a), number(b)];
  if (x !== null && y !== null) return x - y;
  if (x === null && y === null) return a.localeCompare(b);
  return x === null ? 1 : -1;
};

function box(label, parent) {
  const input = document.createElement("input");
  Object.assign(input, { type: "search", placeholder: label, ariaLabel: label });
  const count = document.createElement("small");
  count.setAttribute("role", "status");
  const bar = document.createElement("div");
  bar.className = "tools";
  bar.append(input, count);
  parent.before(bar);
  return { input, count, bar };
}

function soften(rows, headings) {
  // A name that stands in the row above, too, is drawn softly.
  let above = [];
  for (const row of rows) {
    const names = [...row.cells].slice(0, headings).map((cell) => cell.textContent);
    let same = true;
    [...row.cells].slice(0, headings).forEach((cell, place) => {
      same = same && names[place] === above[place];
      cell.classList.toggle("again", same);
    });
    above = names;
  }
}

function label(element) {
  // Each number names its column, for who sees no heading.
  const heads = [...element.querySelectorAll("thead th.col_heading")].filter((th) => th.textContent.trim());
  const first = (th) => Number(/col(\d+)/.exec(th.className)[1]);
  for (const row of element.tBodies[0].rows) {
    [...row.querySelectorAll("td")].forEach((cell, place) => {
      const over = heads.filter((th) => first(th) <= place && place < first(th) + th.colSpan);
      cell.dataset.label = [...new Set(over.map((th) => th.textContent.trim()))].join(", ");
    });
  }
  element.classList.add("carded");
}

function table(element) {
  const body = element.tBodies[0];
  const rows = [...body.rows];
  label(element);
  if (rows.length < 2) return;
  const headings = rows[0].querySelectorAll("th").length;
  const shown = () => [...body.rows].filter((row) => !row.hidden);
  const { input, count } = box("Search rows", element.closest(".scroll") ?? element);
  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    count.textContent = input.value ? `${shown().length} of ${rows.length} rows` : `${rows.length} rows`;
    soften(shown(), headings);
  };
  input.addEventListener("input", search);
  const levels = [...element.querySelectorAll("thead th.col_heading")].map((th) => Number(/level(\d+)/.exec(th.className)[1]));
  const lowest = Math.max(...levels, 0);
  const sortable = [
    ...[...element.querySelectorAll(`thead th.col_heading.level${lowest}`)].map((th) => [th, headings + Number(/col(\d+)/.exec(th.className)[1])]),
    ...[...element.querySelectorAll("thead th.index_name")].filter((th) => /level\d/.test(th.className) && th.textContent.trim() && th.closest("tr") === element.tHead.rows[element.tHead.rows.length - 1]).map((th) => [th, Number(/level(\d+)/.exec(th.className)[1])]),
  ];
  for (const [heading, place] of sortable) {
    heading.tabIndex = 0;
    heading.classList.add("sortable");
    heading.title = "Sort by this column";
    const sort = () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      for (const [other] of sortable) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const text = (row) => row.cells[place].textContent.trim();
      const ordered = [...rows].sort((a, b) => (down ? -1 : 1) * compare(text(a), text(b)));
      body.append(...ordered);
      soften(shown(), headings);
    };
    heading.addEventListener("click", sort);
    heading.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); }
    });
  }
  search();
}

function cards(list) {
  const { input, count, bar } = box("Search answers", list[0]);
  const selects = ["dataset", "model", "grade"].map((name) => {
    const values = [...new Set(list.map((card) => card.dataset[name]))];
    const select = document.createElement("select");
    select.ariaLabel = `Filter by ${name}`;
    select.append(new Option(`every ${name}`, ""), ...values.map((value) => new Option(value, value)));
    bar.insertBefore(select, count);
    return [name, select];
  });
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const card of list) {
      const wanted = selects.every(([name, select]) => !select.value || card.dataset[name] === select.value);
      card.hidden = !wanted || !words.every((word) => card.textContent.toLowerCase().includes(word));
    }
    count.textContent = `${list.filter((card) => !card.hidden).length} of ${list.length} answers`;
  };
  for (const [, select] of selects) select.addEventListener("input", filter);
  input.addEventListener("input", filter);
  filter();
}

function keep(element) {
  // The names that tell the rows apart stay beside the numbers: the last ones, on at most half of the window.
  if (matchMedia("(max-width: 40rem)").matches) return;
  const rows = [...element.tBodies[0].rows];
  const names = [...rows[0].querySelectorAll("th")];
  const room = element.closest(".scroll").clientWidth / 2;
  const kept = [];
  let width = 0;
  for (const place of [...names.keys()].reverse()) {
    const varies = new Set(rows.map((row) => row.cells[place].textContent)).size > 1;
    if (!varies || width + names[place].offsetWidth > room) continue;
    width += names[place].offsetWidth;
    kept.unshift(place);
  }
  for (const row of element.rows) {
    let left = 0;
    [...row.cells].slice(0, names.length).forEach((cell, place) => {
      const stays = kept.includes(place);
      Object.assign(cell.style, stays ? { position: "sticky", left: `${left}px`, zIndex: 1 } : { position: "static" });
      if (stays) left += names[place].offsetWidth;
    });
  }
}

function wide(element) {
  // What is wider than the window says so, and is reached by the keyboard.
  if (element.scrollWidth <= element.clientWidth) return;
  Object.assign(element, { tabIndex: 0, role: "region", ariaLabel: "Wider than the window: scrolls sideways" });
  const hint = document.createElement("small");
  hint.className = "hint";
  hint.textContent = "Scrolls sideways →";
  element.before(hint);
}

// Inside another page, as in Snakemake's report, nothing lies beside this one.
if (location.protocol === "data:") document.querySelectorAll(".links").forEach((links) => links.remove());
document.querySelectorAll("table.sorted").forEach(table);
document.querySelectorAll(".scroll table.sorted").forEach(keep);
document.querySelectorAll(".scroll").forEach(wide);
const examples = [...document.querySelectorAll("article.example")];
if (examples.length) cards(examples);
