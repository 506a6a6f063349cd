// Curves of the last five minutes: pause, zoom, a cursor with the values under it, and marks.

import { Drawing, path } from "./canvas.js";
import { h, say } from "../dom.js";
import { fixed } from "../numbers.js";

const GAP = 2; // seconds without a point, at least, that are a gap
const KEPT = 300, MOST = 12000, DASHES = [[], [9, 4], [3, 3]], SPANS = [10, 30, 60, 300];

/** Steps of 1, 2 or 5 that give about `count` lines. */
export function niceStep(span, count) {
  const raw = span / count, power = 10 ** Math.floor(Math.log10(raw)), share = raw / power;
  return (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power;
}

const told = (seconds) => (seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`);

/** Curves with names. `curves` are `{name, colour}`, colours of the theme. */
export class History {
  #points = [];
  #marks = [];
  #step = 0; // seconds between the last two points
  #end = 0;
  #isPaused = false;
  #cursor = null;

  constructor(label, curves, { seconds = 30, ratio = 2.4, least = 0.5, isFromZero = false, unit = "", decimals = 2 } = {}) {
    Object.assign(this, { curves, seconds, least, isFromZero, unit, decimals, shown: new Set(curves.map((one) => one.name)) });
    this.drawing = new Drawing(label, "drawing plot", ratio);
    this.drawing.element.tabIndex = 0;
    this.readout = h("p", { class: "readout" }, " ");
    this.spans = h("select", { "aria-label": "Time shown", onchange: () => { this.seconds = Number(this.spans.value); } },
      ...SPANS.map((span) => h("option", { value: span, selected: span === seconds }, told(span))));
    this.pauser = h("button", { "aria-pressed": "false", onclick: () => this.pause() }, "Pause");
    const choices = curves.length < 2 ? [] : curves.map((one) => h("label", { class: "check" },
      h("input", { type: "checkbox", checked: true, onchange: (event) => {
        if (event.target.checked) this.shown.add(one.name); else this.shown.delete(one.name);
      } }), one.name));
    this.element = h("div", { class: "history" }, this.drawing.element, this.readout,
      h("div", { class: "buttons" }, this.pauser, this.spans, ...choices));
    this.#listen();
  }

  pause() {
    this.#isPaused = !this.#isPaused;
    this.pauser.setAttribute("aria-pressed", String(this.#isPaused));
    say(this.pauser, this.#isPaused ? "Resume" : "Pause");
  }

  /** Shows more or less time. */
  zoom(step) {
    const place = SPANS.findIndex((span) => span >= this.seconds);
    this.seconds = SPANS[Math.max(0, Math.min(SPANS.length - 1, place + step))];
    this.spans.value = String(this.seconds);
  }

  /** Adds values at a time in seconds; a time that runs backwards begins anew. Over a gap there is no line. */
  add(time, values) {
    const last = this.#points.at(-1), step = last ? time - last.time : 0;
    if (step < 0) this.clear();
    if (step > Math.max(GAP, 5 * this.#step)) this.#points.push({ time: last.time, values: values.map(() => null) });
    else this.#step = Math.max(0, step);
    this.#points.push({ time, values });
    if (!this.#isPaused) this.#end = time;
    const stale = this.#points.findIndex((point) => point.time >= time - KEPT);
    if (stale > 200 || this.#points.length > MOST) this.#points.splice(0, Math.max(stale, this.#points.length - MOST));
  }

  /** A mark at the present. */
  mark(text) {
    const time = this.#points.at(-1)?.time;
    if (time !== undefined) this.#marks.push({ time, text });
  }

  clear() { [this.#points, this.#marks] = [[], []]; }

  #listen() {
    const canvas = this.drawing.element;
    const aim = (event) => { this.#cursor = (event.offsetX - this.left) / (canvas.clientWidth - this.left - this.right); };
    canvas.addEventListener("pointermove", aim);
    canvas.addEventListener("pointerdown", aim);
    canvas.addEventListener("pointerleave", () => { this.#cursor = null; });
    canvas.addEventListener("blur", () => { this.#cursor = null; });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      this.zoom(Math.sign(event.deltaY || event.deltaX));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -0.01, ArrowRight: 0.01 }[event.key], zoom = { "+": -1, "-": 1 }[event.key];
      if (step) this.#cursor = Math.max(0, Math.min(1, (this.#cursor ?? 1) + step));
      if (zoom) this.zoom(zoom);
      if (step || zoom) event.preventDefault();
    });
  }

  draw() {
    this.drawing.draw((context, width, height, ink) => {
      const size = this.drawing.letters, begin = this.#end - this.seconds;
      Object.assign(this, { left: size * 4.3, right: this.curves.length > 1 ? size * 2.2 : 8, bottom: size * 1.7, top: 8 });
      const visible = this.#points.filter((point) => point.time >= begin && point.time <= this.#end);
      const [low, high] = this.#range(visible);
      const x = (time) => this.left + ((time - begin) / this.seconds) * (width - this.left - this.right);
      const y = (value) => this.top + ((high - value) / (high - low)) * (height - this.top - this.bottom);
      this.#grid(context, width, height, ink, low, high, y);
      this.curves.forEach((curve, index) => {
        if (this.shown.has(curve.name)) this.#curve(context, visible, index, ink[curve.colour], x, y);
      });
      this.#labels(context, visible, ink, width, y);
      this.#drawMarks(context, ink, begin, x, height);
      this.#readCursor(context, visible, ink, begin, x, height);
    });
  }

  #range(points) {
    let low = Infinity, high = -Infinity;
    for (const { values } of points) {
      values.forEach((value, index) => {
        if (!Number.isFinite(value) || !this.shown.has(this.curves[index].name)) return;
        low = Math.min(low, value);
        high = Math.max(high, value);
      });
    }
    if (!(low <= high)) [low, high] = [0, 0];
    if (this.isFromZero) low = Math.min(0, low);
    const lack = Math.max(0, this.least - (high - low)) / 2, rim = (high - low) * 0.08;
    return [low - (this.isFromZero ? 0 : lack + rim), high + (this.isFromZero ? 2 * lack : lack) + rim];
  }

  #grid(context, width, height, ink, low, high, y) {
    const step = niceStep(high - low, 4), decimals = Math.max(0, -Math.floor(Math.log10(step)));
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
      const line = Math.abs(value) < step / 2 ? ink.edge : ink.rule;
      path(context, [[this.left, y(value)], [width - this.right, y(value)]], { line });
      context.fillStyle = ink.soft;
      context.fillText(fixed(value, decimals), this.left - 8, y(value));
    }
    context.textAlign = "left";
    context.fillStyle = ink.soft;
    context.fillText(`${told(this.seconds)} ago`, this.left, height - this.drawing.letters * 0.7);
    context.textAlign = "right";
    context.fillText(this.#isPaused ? "paused" : "now", width - this.right, height - this.drawing.letters * 0.7);
  }

  #curve(context, points, index, colour, x, y) {
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.setLineDash(DASHES[index % DASHES.length]);
    context.beginPath();
    // Of many points in one column of pixels the lowest and highest are enough.
    let isDown = false, column = null, low = 0, high = 0;
    const flush = () => { if (column !== null && low !== high) { context.lineTo(column, low); context.lineTo(column, high); } };
    for (const { time, values } of points) {
      const value = values[index];
      if (!Number.isFinite(value)) { flush(); isDown = false; column = null; continue; }
      const [px, py] = [Math.round(x(time) * 2) / 2, y(value)];
      if (px === column) { low = Math.min(low, py); high = Math.max(high, py); continue; }
      flush();
      if (isDown) context.lineTo(px, py); else context.moveTo(px, py);
      [isDown, column, low, high] = [true, px, py, py];
    }
    flush();
    context.stroke();
    context.setLineDash([]);
    context.lineWidth = 1;
  }

  /** The names at the curves' ends, kept apart. */
  #labels(context, points, ink, width, y) {
    if (this.curves.length < 2) return;
    const last = points.at(-1)?.values ?? [], size = this.drawing.letters;
    const ends = this.curves.map((curve, index) => ({ ...curve, at: y(last[index]) }))
      .filter((one) => Number.isFinite(one.at) && this.shown.has(one.name)).sort((a, b) => a.at - b.at);
    ends.forEach((one, index) => { if (index) one.at = Math.max(one.at, ends[index - 1].at + size); });
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const one of ends) {
      context.fillStyle = ink[one.colour];
      context.fillText(one.name, width - this.right + 6, one.at);
    }
  }

  #drawMarks(context, ink, begin, x, height) {
    context.textAlign = "left";
    for (const { time, text } of this.#marks) {
      if (time < begin || time > this.#end) continue;
      context.setLineDash([2, 4]);
      path(context, [[x(time), this.top], [x(time), height - this.bottom]], { line: ink.orange, width: 1.5 });
      context.setLineDash([]);
      context.fillStyle = ink.orange;
      context.fillText(text, x(time) + 4, this.top + this.drawing.letters * 0.6);
    }
  }

  /** The values under the cursor, or at the end. */
  #readCursor(context, points, ink, begin, x, height) {
    const share = this.#cursor === null ? null : Math.max(0, Math.min(1, this.#cursor));
    const time = share === null ? null : begin + share * this.seconds;
    const point = time === null ? points.at(-1)
      : points.reduce((best, one) => (!best || Math.abs(one.time - time) < Math.abs(best.time - time) ? one : best), null);
    if (!point) return say(this.readout, " ");
    if (time !== null) path(context, [[x(point.time), this.top], [x(point.time), height - this.bottom]], { line: ink.ink });
    const values = this.curves.map((curve, index) =>
      (this.curves.length > 1 ? `${curve.name} ` : "") + fixed(point.values[index], this.decimals, this.decimals + 5));
    say(this.readout, `${values.join("   ")} ${this.unit}   ${time === null ? "now" : `${fixed(this.#end - point.time, 1)} s before`}`);
  }
}
