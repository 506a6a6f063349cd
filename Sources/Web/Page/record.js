// Record and download: what was seen as CSV, and the picture as PNG.

import { h, say } from "./dom.js";
import { font } from "./draw/canvas.js";
import { listeners } from "./live.js";

const SECONDS = 300, MOST = 200000;

/** Hands a file to the person at the browser. */
export function download(name, content, type) {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const stamp = () => new Date().toISOString().slice(0, 19).replaceAll(":", "-");
const cell = (value) => (value === null || value === undefined ? "" : Array.isArray(value) ? value.join(" ")
  : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll("\"", "\"\"")}"` : String(value));

/** Objects as a table: the keys that hold one value each, and the marks. */
export function table(rows) {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) =>
    rows.every((row) => typeof row[key] !== "object" || row[key] === null || key === "flags"));
  return [keys.join(","), ...rows.map((row) => keys.map((key) => cell(row[key])).join(","))].join("\n") + "\n";
}

/** What is shown as a picture: the title, the figure, the values, and every drawing. */
function picture(root) {
  const style = getComputedStyle(document.documentElement), ink = (name) => style.getPropertyValue(`--${name}`).trim();
  const drawings = [...root.querySelectorAll("canvas")].filter((one) => one.clientWidth > 0);
  const words = [...root.querySelectorAll(".figure, .label, dl.rows dt")].filter((one) => one.offsetParent).map((one) =>
    (one.tagName === "DT" ? `${one.textContent}: ${one.nextElementSibling.textContent.trim()}` : one.textContent.trim())).filter(Boolean);
  const width = 1200, heights = drawings.map((one) => (Math.min(width - 80, one.clientWidth * 2) * one.clientHeight) / one.clientWidth);
  const sheet = h("canvas", { width, height: 120 + 34 * words.length + heights.reduce((sum, one) => sum + one + 24, 0) });
  const context = sheet.getContext("2d");
  context.fillStyle = ink("panel");
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.fillStyle = ink("ink");
  context.font = font(36, 700);
  context.fillText(document.title, 40, 60);
  context.font = font(22);
  let y = 96;
  for (const text of [new Date().toLocaleString(), ...words]) { context.fillText(text, 40, y); y += 34; }
  drawings.forEach((one, index) => {
    const wide = (heights[index] * one.clientWidth) / one.clientHeight;
    context.drawImage(one, (width - wide) / 2, y, wide, heights[index]);
    y += heights[index] + 24;
  });
  return new Promise((done) => sheet.toBlob(done, "image/png"));
}

/** Buttons that record an event's objects and download them. `marked(text)` is told of marks. Returns the element and what ends it. */
export function recorder(root, live, event, marked = () => {}) {
  let rows = [], isRecording = false, mark = "";
  const state = h("span", { class: "hint" }), name = h("input", { type: "text", "aria-label": "Name of a mark", placeholder: "Mark", size: 10 });
  const record = h("button", { "aria-pressed": "false", onclick: () => turn(!isRecording) }, "Record");
  const turn = (on, words = "") => {
    isRecording = on;
    listeners[on ? "add" : "delete"](element);
    if (isRecording) rows = [];
    else save();
    record.setAttribute("aria-pressed", String(isRecording));
    say(record, isRecording ? "Stop and download" : "Record");
    say(state, words);
  };
  const save = () => download(`${event}-${stamp()}.csv`, table(rows), "text/csv");
  const element = h("div", { class: "panel recorder" }, h("div", { class: "buttons" }, record,
    h("button", { onclick: save }, "Download CSV"),
    h("button", { onclick: async () => download(`${event}-${stamp()}.png`, await picture(root), "image/png") }, "Picture"),
    h("form", { class: "buttons", onsubmit: (submitted) => {
      submitted.preventDefault();
      mark = name.value.trim() || "mark";
      marked(mark);
      name.value = "";
      name.blur();
    } }, name, h("button", {}, "Set mark")), state));
  const end = live.on(event, (reading) => {
    rows.push({ ...reading, mark });
    mark = "";
    if (!isRecording && rows[0].time_s < reading.time_s - SECONDS - 10) rows = rows.filter((row) => row.time_s >= reading.time_s - SECONDS);
    if (isRecording && rows.length >= MOST) turn(false, `Stopped and downloaded: the page records ${MOST} rows at most.`);
    if (rows.length > MOST) rows.shift();
    if (isRecording) say(state, `${Math.round(reading.time_s - rows[0].time_s)} s recorded`);
  });
  return { element, end: () => { listeners.delete(element); end(); } };
}
