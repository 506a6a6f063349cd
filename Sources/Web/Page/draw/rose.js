// A compass rose that turns as the board does: the heading stands at the top.

import { circle, Drawing, font, path } from "./canvas.js";
import { turn } from "../numbers.js";

const POINTS = { 0: "N", 45: "NE", 90: "E", 135: "SE", 180: "S", 225: "SW", 270: "W", 315: "NW" };

/** A rose. `aim(degrees, accuracy)` sets where it turns to, `step(seconds)` moves it there; `course` is a bearing to keep. */
export class Rose {
  #shown = 0;
  #wanted = null;
  #accuracy = null;
  course = null;

  constructor() {
    this.drawing = new Drawing("Compass rose", "drawing square", 1);
    this.element = this.drawing.element;
  }

  /** The shaded arc is where the heading is in 95 of 100 cases. */
  aim(degrees, accuracy) {
    this.#wanted = degrees;
    this.#accuracy = accuracy;
  }

  step(seconds, isCalm) {
    const isThere = typeof this.#wanted === "number";
    this.element.classList.toggle("gone", !isThere);
    if (isThere) this.#shown += turn(this.#shown, this.#wanted) * (isCalm ? 1 : 1 - Math.exp(-seconds / 0.06));
    this.drawing.draw((context, width, height, ink) => this.#draw(context, width, height, ink));
  }

  #draw(context, width, height, ink) {
    const r = Math.min(width, height) / 2 - 6, [cx, cy] = [width / 2, height / 2 + 4];
    // Clockwise from the top of the page.
    const at = (degrees, share) => {
      const a = (degrees * Math.PI) / 180;
      return [cx + r * share * Math.sin(a), cy - r * share * Math.cos(a)];
    };
    circle(context, cx, cy, r * 0.95, { fill: ink.panel, line: ink.edge, width: 2 });
    this.#drawAccuracy(context, ink, cx, cy, r);
    for (let mark = 0; mark < 360; mark += 5) {
      const isMajor = mark % 30 === 0;
      path(context, [at(mark - this.#shown, 0.93), at(mark - this.#shown, isMajor ? 0.83 : 0.88)],
        { line: isMajor ? ink.ink : ink.faint, width: isMajor ? 2.4 : 1.3 });
    }
    this.#drawNames(context, ink, at, r);
    for (const [base, colour] of [[0, ink.red], [180, ink.faint]]) {
      path(context, [at(base - this.#shown, 0.5), at(base + 90 - this.#shown, 0.07), at(base - 90 - this.#shown, 0.07)], { fill: colour });
    }
    circle(context, cx, cy, r * 0.03, { fill: ink.ink });
    path(context, [at(-4.5, 1.02), at(4.5, 1.02), at(0, 0.9)], { fill: ink.blue });
    if (this.course !== null) this.#drawCourse(context, ink, at);
  }

  #drawAccuracy(context, ink, cx, cy, r) {
    if (typeof this.#accuracy !== "number" || this.#wanted === null) return;
    const half = (Math.min(179, Math.max(0.5, this.#accuracy)) * Math.PI) / 180;
    context.beginPath();
    context.arc(cx, cy, r * 0.885, -Math.PI / 2 - half, -Math.PI / 2 + half);
    context.globalAlpha = 0.25;
    context.strokeStyle = ink.blue;
    context.lineWidth = r * 0.085;
    context.stroke();
    context.globalAlpha = 1;
    context.lineWidth = 1;
  }

  #drawNames(context, ink, at, r) {
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let mark = 0; mark < 360; mark += 15) {
      const name = POINTS[mark], isNumber = mark % 30 === 0 && !name;
      if (!name && !isNumber) continue;
      const isCardinal = mark % 90 === 0, [x, y] = at(mark - this.#shown, isCardinal ? 0.69 : name ? 0.72 : 0.75);
      context.save();
      context.translate(x, y);
      context.rotate(((mark - this.#shown) * Math.PI) / 180);
      context.font = font(Math.max(name ? 13 : 11, r * (isCardinal ? 0.155 : name ? 0.085 : 0.07)), isCardinal ? 700 : 500);
      context.fillStyle = mark === 0 ? ink.red : isCardinal ? ink.ink : ink.soft;
      context.fillText(name ?? String(mark), 0, 0);
      context.restore();
    }
  }

  /** The course to keep, at the rim. */
  #drawCourse(context, ink, at) {
    const d = this.course - this.#shown;
    path(context, [at(d - 4, 0.86), at(d + 4, 0.86), at(d, 0.98)], { fill: ink.green, line: ink.panel, width: 1.5 });
  }
}
