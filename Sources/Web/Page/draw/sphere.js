// The sweep as a cloud of points that the mouse turns: raw, corrected, and the directions still missing.

import { Drawing, font } from "./canvas.js";
import { minus, turned, view } from "./space.js";

/** A turnable sphere. Set `raw` (µT), `correction` {hard_iron_uT, soft_iron}, `field` (µT), `met`, `missing`, `now` (directions). */
export class Sphere {
  #pitch = -0.45;
  #yaw = 0.6;

  constructor(label, { shows = "corrected" } = {}) {
    this.drawing = new Drawing(label, "drawing square turnable", 1);
    this.element = this.drawing.element;
    this.element.tabIndex = 0;
    Object.assign(this, { shows, raw: [], correction: null, field: null, met: [], missing: [], now: null });
    this.#listen();
  }

  #listen() {
    let grip = null;
    this.element.addEventListener("pointerdown", (event) => {
      grip = [event.clientX, event.clientY];
      this.element.setPointerCapture(event.pointerId);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (!grip) return;
      this.#turn((event.clientX - grip[0]) * 0.01, (event.clientY - grip[1]) * 0.01);
      grip = [event.clientX, event.clientY];
    });
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, () => (grip = null));
    this.element.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] }[event.key];
      if (!step) return;
      event.preventDefault();
      this.#turn(...step);
    });
  }

  #turn(yaw, pitch) {
    this.#yaw += yaw;
    this.#pitch = Math.max(-1.57, Math.min(1.57, this.#pitch + pitch));
  }

  #corrected(point) {
    if (!this.correction) return point;
    return turned(this.correction.soft_iron, minus(point, this.correction.hard_iron_uT));
  }

  draw() {
    this.drawing.draw((context, width, height, ink) => {
      const isRaw = this.shows === "raw", points = isRaw ? this.raw : this.raw.map((point) => this.#corrected(point));
      const reach = this.#reach(points), turn = view(this.#pitch, this.#yaw), half = Math.min(width, height) / 2;
      // Device z stands up on the page.
      const place = ([x, y, z], scale) => {
        const [px, py, pz] = turned(turn, [x * scale, z * scale, -y * scale]);
        return [width / 2 + px * half * 0.86, height / 2 - py * half * 0.86, pz];
      };
      this.#frame(context, ink, width, height, half, isRaw ? null : (this.field ?? 0) / reach || 0.8, place);
      if (!isRaw) this.#directions(context, ink, place, (this.field ?? reach * 0.8) / reach);
      for (const point of points) {
        const [x, y, depth] = place(point, 1 / reach);
        context.globalAlpha = 0.35 + 0.5 * Math.max(0, Math.min(1, (depth + 1) / 2));
        context.fillStyle = isRaw ? ink.orange : ink.blue;
        context.fillRect(x - 1.6, y - 1.6, 3.2, 3.2);
      }
      context.globalAlpha = 1;
      if (this.now && !isRaw) {
        const [x, y] = place(this.now, (this.field ?? reach * 0.8) / reach);
        context.fillStyle = ink.ink;
        context.beginPath();
        context.arc(x, y, 6, 0, 7);
        context.fill();
      }
    });
  }

  #reach(points) {
    let reach = (this.field ?? 30) * 1.1;
    for (const [x, y, z] of points) reach = Math.max(reach, Math.hypot(x, y, z));
    return reach;
  }

  #frame(context, ink, width, height, half, radius, place) {
    context.strokeStyle = ink.edge;
    if (radius) {
      context.beginPath();
      context.arc(width / 2, height / 2, half * 0.86 * radius, 0, 7);
      context.stroke();
    }
    context.font = font(this.drawing.letters + 1, 700);
    [["x", [1, 0, 0]], ["y", [0, 1, 0]], ["z", [0, 0, 1]]].forEach(([name, axis]) => {
      const [x, y] = place(axis, 1), [x0, y0] = place([0, 0, 0], 1);
      context.strokeStyle = ink[name];
      context.beginPath();
      context.moveTo(x0, y0);
      context.lineTo(x, y);
      context.stroke();
      context.fillStyle = ink[name];
      context.fillText(name, x + 4, y - 4);
    });
  }

  #directions(context, ink, place, radius) {
    const ring = (direction, colour, isFilled) => {
      const [x, y, depth] = place(direction, radius);
      context.globalAlpha = depth > 0 ? 0.9 : 0.3;
      context.beginPath();
      context.arc(x, y, isFilled ? 4 : 6, 0, 7);
      context.strokeStyle = context.fillStyle = colour;
      if (isFilled) context.fill();
      else context.stroke();
    };
    for (const direction of this.met) ring(direction, ink.green, true);
    for (const direction of this.missing) ring(direction, ink.red, false);
    context.globalAlpha = 1;
  }
}
