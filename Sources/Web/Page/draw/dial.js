// An inclinometer: a bubble in two axes for a board that lies, a dial with a damped needle for one that stands.

import { circle, Drawing, font, path } from "./canvas.js";
import { turn } from "../numbers.js";

// A spring of 0.5 Hz, damped at 0.7 of critical.
const OMEGA = 2 * Math.PI * 0.5, DAMPING = 0.7, SCALES = [2, 5, 15, 45, 90];

/** Shows a tilt. `aimBubble(pitch, roll)` or `aimNeedle(angle)` sets it, `step(seconds)` moves and draws. */
export class Inclinometer {
  #angle = 0;
  #speed = 0;
  #needle = null;
  #bubble = null;
  #at = [0, 0];
  #scale = 15;

  constructor() {
    this.drawing = new Drawing("Tilt", "drawing square", 1);
    this.element = this.drawing.element;
  }

  /** Of a board that lies: how far the bubble is off and whither, in degrees; up the page is the top edge. */
  aimBubble(pitch, roll) {
    this.#needle = null;
    const [p, r] = [pitch, roll].map((degrees) => (degrees * Math.PI) / 180);
    const tilt = (Math.acos(Math.max(-1, Math.min(1, Math.cos(p) * Math.cos(r)))) * 180) / Math.PI;
    const length = Math.hypot(Math.sin(p), Math.sin(r) * Math.cos(p)) || 1;
    // A bubble rises: to the top edge where that is up, to the left where the right edge is down.
    this.#bubble = [(-Math.sin(r) * Math.cos(p) / length) * tilt, (Math.sin(p) / length) * tilt];
    this.element.setAttribute("aria-label", "Bubble: tilt in two axes");
    const largest = SCALES.find((scale) => tilt <= scale * 0.9) ?? 90;
    if (largest > this.#scale || tilt < this.#scale * 0.25) this.#scale = largest;
  }

  /** Of a board that stands: how far it is turned in its plane. */
  aimNeedle(degrees) {
    this.#bubble = null;
    this.#needle = degrees;
    this.element.setAttribute("aria-label", "Dial: turned in its plane");
  }

  step(seconds, isCalm) {
    if (this.#bubble) {
      const share = isCalm ? 1 : 1 - Math.exp(-seconds / 0.08);
      this.#at = this.#at.map((now, axis) => now + (this.#bubble[axis] - now) * share);
    } else if (this.#needle !== null) this.#moveNeedle(seconds, isCalm);
    this.element.classList.toggle("gone", !this.#bubble && this.#needle === null);
    this.drawing.draw((context, width, height, ink) => {
      const r = Math.min(width, height) / 2 - 6, place = [width / 2, height / 2, r];
      if (this.#needle === null) this.#drawBubble(context, ink, ...place);
      else this.#drawDial(context, ink, ...place);
    });
  }

  #moveNeedle(seconds, isCalm) {
    if (isCalm) this.#angle = this.#needle;
    // Small steps, so that a slow frame does not make the spring ring.
    for (let left = isCalm ? 0 : seconds; left > 0; left -= 0.01) {
      const dt = Math.min(0.01, left), off = turn(this.#angle, this.#needle);
      this.#speed += (OMEGA * OMEGA * off - 2 * DAMPING * OMEGA * this.#speed) * dt;
      this.#angle += this.#speed * dt;
    }
  }

  #drawBubble(context, ink, cx, cy, r) {
    const scale = this.#scale, degree = (r * 0.92) / scale;
    circle(context, cx, cy, r * 0.96, { fill: ink.panel, line: ink.edge, width: 2 });
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const share of [0.2, 0.6, 1]) {
      circle(context, cx, cy, share * scale * degree, { line: ink.faint, width: share === 0.2 ? 2 : 1 });
      context.fillStyle = ink.soft;
      const diagonal = share * scale * degree * Math.SQRT1_2;
      context.fillText(`${Math.round(share * scale * 10) / 10}°`, cx + diagonal - (share === 1 ? this.drawing.letters * 2.6 : -4), cy - diagonal + (share === 1 ? this.drawing.letters : 0));
    }
    path(context, [[cx - r * 0.92, cy], [cx + r * 0.92, cy]], { line: ink.edge });
    path(context, [[cx, cy - r * 0.92], [cx, cy + r * 0.92]], { line: ink.edge });
    this.#drawEdges(context, ink, cx, cy, r);
    const size = r * 0.13, far = Math.hypot(...this.#at), limit = far > scale ? scale / far : 1;
    const [x, y] = [cx + this.#at[0] * limit * degree, cy - this.#at[1] * limit * degree];
    context.globalAlpha = 0.85;
    circle(context, x, y, size, { fill: far < scale * 0.2 ? ink.green : ink.blue, line: ink.panel, width: 2 });
    context.globalAlpha = 1;
    circle(context, x, y, size * 0.18, { fill: ink.panel });
  }

  #drawEdges(context, ink, cx, cy, r) {
    context.textAlign = "center";
    context.fillStyle = ink.soft;
    for (const [text, x, y] of [["top", 0, -0.86], ["bottom", 0, 0.86], ["left", -0.8, 0], ["right", 0.8, 0]]) {
      const wide = context.measureText(text).width / 2 + 4;
      context.fillStyle = ink.panel;
      context.fillRect(cx + x * r - wide, cy + y * r - this.drawing.letters * 0.7, 2 * wide, this.drawing.letters * 1.4);
      context.fillStyle = ink.soft;
      context.fillText(text, cx + x * r, cy + y * r);
    }
  }

  #drawDial(context, ink, cx, cy, r) {
    const at = (degrees, share) => {
      const a = (degrees * Math.PI) / 180;
      return [cx + r * share * Math.sin(a), cy - r * share * Math.cos(a)];
    };
    circle(context, cx, cy, r * 0.96, { fill: ink.panel, line: ink.edge, width: 2 });
    for (let mark = 0; mark < 360; mark += 3) {
      const isMajor = mark % 30 === 0;
      path(context, [at(mark, 0.93), at(mark, isMajor ? 0.81 : mark % 15 === 0 ? 0.84 : 0.88)],
        { line: isMajor ? ink.ink : ink.faint, width: isMajor ? 2.2 : 1.2 });
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = font(Math.max(13, r * 0.085));
    context.fillStyle = ink.soft;
    for (let mark = 0; mark < 360; mark += 30) {
      const degrees = mark <= 180 ? mark : mark - 360;
      context.fillText(`${degrees < 0 ? "−" : ""}${Math.abs(degrees)}`, ...at(mark, 0.69));
    }
    path(context, [at(this.#angle + 180, 0.2), at(this.#angle, 0.6)], { line: ink.red, width: 5 });
    circle(context, cx, cy, r * 0.055, { fill: ink.ink });
  }
}
