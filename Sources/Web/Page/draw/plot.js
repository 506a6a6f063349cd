// A history of one or several values over the last seconds.

import { Drawing } from "./canvas.js";
import { fixed } from "../numbers.js";

const LEFT = 56, BOTTOM = 20, TOP = 8, RIGHT = 8;

/** Steps of 1, 2 or 5 that give about `count` lines. */
export function niceStep(span, count) {
  const raw = span / count, power = 10 ** Math.floor(Math.log10(raw)), share = raw / power;
  return (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power;
}

/** A plot of the last `seconds`. `colours` names one colour of the theme for each value. */
export class Plot {
  #points = [];

  constructor(label, colours, { seconds = 30, ratio = 2.6, least = 0.5, isFromZero = false } = {}) {
    this.drawing = new Drawing(label, "drawing", ratio);
    this.element = this.drawing.element;
    Object.assign(this, { colours, seconds, least, isFromZero });
  }

  /** Adds values at a time in seconds; a time that runs backwards begins the plot again. */
  add(time, values) {
    const last = this.#points.at(-1);
    if (last && time < last.time) this.#points = [];
    this.#points.push({ time, values });
    const begin = time - this.seconds;
    let stale = 0;
    while (this.#points[stale].time < begin) stale += 1;
    if (stale > 60 || this.#points.length > 4000) this.#points.splice(0, Math.max(stale, this.#points.length - 4000));
  }

  clear() { this.#points = []; }

  draw() {
    this.drawing.draw((context, width, height, ink) => {
      const end = this.#points.at(-1)?.time ?? 0, [low, high] = this.#range(end - this.seconds);
      const x = (time) => LEFT + ((time - end + this.seconds) / this.seconds) * (width - LEFT - RIGHT);
      const y = (value) => TOP + ((high - value) / (high - low)) * (height - TOP - BOTTOM);
      this.#grid(context, width, height, ink, low, high, y);
      this.colours.forEach((colour, index) => this.#curve(context, index, ink[colour], x, y));
    });
  }

  #range(begin) {
    let low = Infinity, high = -Infinity;
    for (const { time, values } of this.#points) {
      if (time < begin) continue;
      for (const value of values) {
        if (!Number.isFinite(value)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
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
      context.strokeStyle = Math.abs(value) < step / 2 ? ink.edge : ink.rule;
      context.beginPath();
      context.moveTo(LEFT, y(value));
      context.lineTo(width - RIGHT, y(value));
      context.stroke();
      context.fillStyle = ink.faint;
      context.fillText(fixed(value, decimals), LEFT - 8, y(value));
    }
    context.textAlign = "left";
    context.fillText(`${this.seconds} s ago`, LEFT, height - 8);
    context.textAlign = "right";
    context.fillText("now", width - RIGHT, height - 8);
  }

  #curve(context, index, colour, x, y) {
    context.strokeStyle = colour;
    context.lineWidth = 1.8;
    context.beginPath();
    let isDown = false;
    for (const { time, values } of this.#points) {
      const value = values[index];
      if (!Number.isFinite(value) || x(time) < LEFT) { isDown = false; continue; }
      if (isDown) context.lineTo(x(time), y(value));
      else context.moveTo(x(time), y(value));
      isDown = true;
    }
    context.stroke();
  }
}
