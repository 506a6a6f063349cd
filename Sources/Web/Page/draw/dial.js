// An inclinometer: a dial with a tick every 3° and a needle that moves like a real one.

import { s } from "../dom.js";
import { turn } from "../numbers.js";

const C = 200;
// A spring of 0.5 Hz, damped at 0.7 of critical.
const OMEGA = 2 * Math.PI * 0.5, DAMPING = 0.7;

/** A dial. `aim(degrees)` sets the angle, `step(seconds)` moves the needle. */
export class Dial {
  #angle = 0;
  #speed = 0;
  #wanted = null;

  constructor(label) {
    const ticks = Array.from({ length: 120 }, (_, i) => s("line", {
      class: i % 10 === 0 ? "tick major" : "tick", x1: C, x2: C, y1: 20, y2: i % 10 === 0 ? 44 : i % 5 === 0 ? 38 : 31,
      transform: `rotate(${i * 3} ${C} ${C})`,
    }));
    const numbers = Array.from({ length: 12 }, (_, i) => {
      const a = (i * 30 * Math.PI) / 180, degrees = i <= 6 ? i * 30 : i * 30 - 360;
      return s("text", {
        x: C + 138 * Math.sin(a), y: C - 138 * Math.cos(a) + 6, "text-anchor": "middle", "font-size": 17,
      }, `${degrees < 0 ? "−" : ""}${Math.abs(degrees)}`);
    });
    this.needle = s("g", {}, s("line", { class: "needle", x1: C, x2: C, y1: C + 40, y2: 84 }),
      s("circle", { cx: C, cy: C, r: 11, fill: "currentColor" }));
    this.element = s("svg", { class: "drawing square", viewBox: "0 0 400 400", role: "img", "aria-label": label },
      s("circle", { class: "ring", cx: C, cy: C, r: 186 }), ...ticks, ...numbers, this.needle);
  }

  aim(degrees) { this.#wanted = Number.isFinite(degrees) ? degrees : null; }

  step(seconds, isCalm) {
    this.element.classList.toggle("gone", this.#wanted === null);
    if (this.#wanted === null) return;
    if (isCalm) this.#angle = this.#wanted;
    // Small steps, so that a slow frame does not make the spring ring.
    for (let left = isCalm ? 0 : seconds; left > 0; left -= 0.01) {
      const dt = Math.min(0.01, left), off = turn(this.#angle, this.#wanted);
      this.#speed += (OMEGA * OMEGA * off - 2 * DAMPING * OMEGA * this.#speed) * dt;
      this.#angle += this.#speed * dt;
    }
    this.needle.setAttribute("transform", `rotate(${this.#angle.toFixed(2)} ${C} ${C})`);
  }
}
