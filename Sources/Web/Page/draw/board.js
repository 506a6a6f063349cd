// A board in space, as a person sees it on a table in front: attitude as a matrix from device axes to east, north, up.

import { Drawing } from "./canvas.js";
import { cross, turned, unit, view } from "./space.js";

const [W, H, D] = [0.62, 0.9, 0.07];

function box([x0, y0, z0], [x1, y1, z1]) {
  const p = (x, y, z) => [x ? x1 : x0, y ? y1 : y0, z ? z1 : z0];
  return [
    { name: "face", corners: [p(0, 0, 1), p(1, 0, 1), p(1, 1, 1), p(0, 1, 1)] },
    { name: "back", corners: [p(0, 1, 0), p(1, 1, 0), p(1, 0, 0), p(0, 0, 0)] },
    { name: "side", corners: [p(0, 0, 0), p(1, 0, 0), p(1, 0, 1), p(0, 0, 1)] },
    { name: "side", corners: [p(1, 1, 0), p(0, 1, 0), p(0, 1, 1), p(1, 1, 1)] },
    { name: "side", corners: [p(1, 0, 0), p(1, 1, 0), p(1, 1, 1), p(1, 0, 1)] },
    { name: "side", corners: [p(0, 1, 0), p(0, 0, 0), p(0, 0, 1), p(0, 1, 1)] },
  ];
}

const board = box([-W, -H, -D], [W, H, D]);
const arrow = [[0, 0.62, D], [0.2, 0.3, D], [0.07, 0.3, D], [0.07, -0.5, D], [-0.07, -0.5, D], [-0.07, 0.3, D], [-0.2, 0.3, D]];

/** Draws the board of an `attitude`; nothing while there is none. */
export class Board {
  constructor(label, ratio = 1.3) {
    this.drawing = new Drawing(label, "drawing", ratio);
    this.element = this.drawing.element;
    this.attitude = null;
    this.labels = null;
    /** Degrees to turn about the vertical before, clockwise seen from above. */
    this.turn = 0;
  }

  draw() {
    this.drawing.draw((context, width, height, ink) => {
      // From steeply above, so that no pose of the calibration is seen edge-on.
      const scale = Math.min(width / 4.2, height / 3.7), camera = view(1.05, 0);
      // East right, north into the page, up on the page.
      const place = (v) => {
        const [x, y, z] = turned(camera, [v[0], v[2], -v[1]]), away = 1 / (1 - z * 0.12);
        return [width / 2 + x * scale * away, height * 0.42 - y * scale * away, z];
      };
      this.#table(context, ink, place);
      if (!this.attitude) return;
      const lift = ([x, y, z]) => [x, y, z + 0.25];
      const world = (v) => lift(turned(this.attitude, v));
      this.#solid(context, ink, place, world);
    });
  }

  #table(context, ink, place) {
    context.strokeStyle = ink.rule;
    for (let i = -4; i <= 4; i += 1) {
      for (const ends of [[[i * 0.4, -1.6, -0.8], [i * 0.4, 1.6, -0.8]], [[-1.6, i * 0.4, -0.8], [1.6, i * 0.4, -0.8]]]) {
        const [[x0, y0], [x1, y1]] = ends.map(place);
        context.beginPath();
        context.moveTo(x0, y0);
        context.lineTo(x1, y1);
        context.stroke();
      }
    }
    if (this.turn) this.#arc(context, ink, place);
    if (!this.labels) return;
    context.fillStyle = ink.faint;
    context.textAlign = "center";
    for (const [text, at] of Object.entries(this.labels)) context.fillText(text, ...place(at).slice(0, 2));
  }

  /** An arrow behind the board that shows the turn: to the right is clockwise. */
  #arc(context, ink, place) {
    const at = (degrees, radius) => {
      const angle = (degrees * Math.PI) / 180;
      return place([radius * Math.sin(angle), radius * Math.cos(angle), -0.8]).slice(0, 2);
    };
    const from = -this.turn / 2, to = this.turn / 2, back = to - 14 * Math.sign(this.turn);
    context.strokeStyle = context.fillStyle = ink.orange;
    context.lineWidth = 3;
    context.beginPath();
    for (let step = 0; step <= 24; step += 1) context.lineTo(...at(from + ((back - from) * step) / 24, 1.6));
    context.stroke();
    context.lineWidth = 1;
    context.beginPath();
    for (const point of [at(to, 1.6), at(back, 1.78), at(back, 1.42)]) context.lineTo(...point);
    context.fill();
  }

  #solid(context, ink, place, world) {
    const faces = board.map((face) => ({ ...face, points: face.corners.map((corner) => place(world(corner))) }));
    for (const face of faces) {
      const [a, b, c] = face.points, isTurnedAway = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
      if (isTurnedAway) continue;
      this.#polygon(context, face.points, { face: ink.blue, back: ink.faint, side: ink.soft }[face.name], ink.ink);
      if (face.name === "face") this.#polygon(context, arrow.map((point) => place(world(point))), ink.panel, ink.panel);
    }
  }

  #polygon(context, points, fill, line) {
    context.beginPath();
    points.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fillStyle = fill;
    context.strokeStyle = line;
    context.lineJoin = "round";
    context.fill();
    context.stroke();
  }
}

/** An attitude from up alone or with the magnetic field, in device axes: east, north, up as rows. */
export function attitudeFrom(up, field) {
  const u = unit(up), east = unit(field ? cross(field, u) : [1, 0, 0]);
  return [east, cross(u, east), u];
}
