// A compass rose that turns as the board does: the heading stands at the top.

import { s } from "../dom.js";
import { turn } from "../numbers.js";

const CENTRE = 200, POINTS = { 0: "N", 45: "NE", 90: "E", 135: "SE", 180: "S", 225: "SW", 270: "W", 315: "NW" };

function mark(degrees) {
  const isMajor = degrees % 30 === 0;
  return s("line", {
    class: isMajor ? "tick major" : "tick", x1: CENTRE, x2: CENTRE, y1: 22, y2: isMajor ? 42 : 33,
    transform: `rotate(${degrees} ${CENTRE} ${CENTRE})`,
  });
}

function name(degrees) {
  const text = POINTS[degrees], isCardinal = degrees % 90 === 0;
  return s("text", {
    class: degrees === 0 ? "north" : "", x: CENTRE, y: isCardinal ? 78 : 70, "text-anchor": "middle",
    "font-size": isCardinal ? 30 : 17, transform: `rotate(${degrees} ${CENTRE} ${CENTRE})`,
  }, text);
}

function number(degrees) {
  return s("text", {
    x: CENTRE, y: 62, "text-anchor": "middle", "font-size": 13, transform: `rotate(${degrees} ${CENTRE} ${CENTRE})`,
  }, String(degrees));
}

/** A rose as SVG. `aim(degrees, give)` sets where it turns to, `step(seconds)` moves it there. */
export class Rose {
  #shown = 0;
  #wanted = null;

  constructor() {
    const marks = Array.from({ length: 72 }, (_, i) => mark(i * 5));
    const names = Object.keys(POINTS).map((degrees) => name(Number(degrees)));
    const numbers = [30, 60, 120, 150, 210, 240, 300, 330].map(number);
    this.card = s("g", {}, ...marks, ...names, ...numbers,
      s("path", { d: "M200 96l14 104h-28z", class: "north", opacity: 0.9 }),
      s("path", { d: "M200 304l14-104h-28z", fill: "currentColor", opacity: 0.18 }));
    this.arc = s("path", { class: "arc" });
    this.element = s("svg", { class: "drawing square", viewBox: "0 0 400 400", role: "img", "aria-label": "Compass rose" },
      s("circle", { class: "ring", cx: CENTRE, cy: CENTRE, r: 186 }), this.arc, this.card,
      s("path", { class: "lubber", d: "M186 2h28l-14 22z" }),
      s("circle", { cx: CENTRE, cy: CENTRE, r: 6, fill: "currentColor" }));
  }

  aim(degrees, give) {
    this.#wanted = degrees;
    this.#drawGive(give);
  }

  /** The shaded arc is where the heading is in 95 of 100 cases. */
  #drawGive(give) {
    if (typeof give !== "number" || this.#wanted === null) return this.arc.setAttribute("d", "");
    const half = (Math.min(179, Math.max(0.5, give)) * Math.PI) / 180, r = 176;
    const [x, y] = [r * Math.sin(half), r * Math.cos(half)];
    this.arc.setAttribute("d",
      `M${CENTRE - x} ${CENTRE - y}A${r} ${r} 0 ${half > Math.PI / 2 ? 1 : 0} 1 ${CENTRE + x} ${CENTRE - y}`);
  }

  step(seconds, isCalm) {
    this.element.classList.toggle("gone", this.#wanted === null);
    if (this.#wanted === null) return;
    const share = isCalm ? 1 : 1 - Math.exp(-seconds / 0.06);
    this.#shown += turn(this.#shown, this.#wanted) * share;
    this.card.setAttribute("transform", `rotate(${(-this.#shown).toFixed(2)} ${CENTRE} ${CENTRE})`);
  }
}
