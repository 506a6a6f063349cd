// A board in space, as a person sees it on a table in front: attitude as a matrix from device axes to east, north, up.

import { Drawing, font } from "./canvas.js";
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
const arrow = [[0, 0.42, D], [0.2, 0.1, D], [0.07, 0.1, D], [0.07, -0.6, D], [-0.07, -0.6, D], [-0.07, 0.1, D], [-0.2, 0.1, D]];
// The connector at the bottom edge, seen from both sides.
const plug = box([-0.16, -H - 0.12, -D * 0.7], [0.16, -H, D * 0.7]);

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
      // From above and aside, so that no pose of the calibration is seen edge-on.
      const scale = Math.min(width / 4.5, height / 3.7), camera = view(1.12, 0.65);
      // East right, north into the page, up on the page.
      const place = (v) => {
        const [x, y, z] = turned(camera, [v[0], v[2], -v[1]]), away = 1 / (1 - z * 0.12);
        return [width / 2 + x * scale * away, height * 0.44 - y * scale * away, z];
      };
      this.#table(context, ink, place);
      if (!this.attitude) return;
      const lift = ([x, y, z]) => [x, y, z + 0.25];
      const world = (v) => lift(turned(this.attitude, v));
      this.#solid(context, ink, place, world);
      this.#names(context, ink, place);
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
  }

  #names(context, ink, place) {
    if (!this.labels) return;
    context.fillStyle = ink.ink;
    context.font = font(this.drawing.letters * 1.2, 700);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.strokeStyle = ink.panel;
    context.lineWidth = 4;
    for (const [text, at] of Object.entries(this.labels)) {
      const [x, y] = place(at);
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
    context.lineWidth = 1;
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
    const see = (corner) => place(world(corner)), depth = (points) => points.reduce((sum, point) => sum + point[2], 0) / points.length;
    const parts = [[board, { face: ink.blue, back: ink.faint, side: ink.soft }], [plug, { face: ink.edge, back: ink.edge, side: ink.edge }]]
      .map(([faces, colours]) => ({ colours, faces: faces.map((face) => ({ ...face, points: face.corners.map(see) })) }))
      .sort((a, b) => depth(a.faces.flatMap((face) => face.points)) - depth(b.faces.flatMap((face) => face.points)));
    for (const { faces, colours } of parts) {
      for (const face of faces) {
        const [a, b, c] = face.points, isTurnedAway = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
        if (isTurnedAway) continue;
        this.#polygon(context, face.points, colours[face.name], ink.ink);
        if (faces[0].corners !== board[0].corners) continue;
        if (face.name === "face") this.#polygon(context, arrow.map(see), ink.panel, ink.panel);
        if (face.name !== "side") this.#name(context, see, face.name === "face" ? 1 : -1, ink);
      }
    }
  }

  /** "TOP" at the top edge, and which side is seen, written onto the board. */
  #name(context, see, side, ink) {
    const write = (text, y, size) => {
      const [o, r, u] = [[0, y, side * D], [side * 0.1, y, side * D], [0, y + 0.1, side * D]].map(see);
      context.save();
      context.transform((r[0] - o[0]) * 10, (r[1] - o[1]) * 10, -(u[0] - o[0]) * 10, -(u[1] - o[1]) * 10, o[0], o[1]);
      context.scale(0.01, 0.01);
      context.font = font(size, 700);
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = ink.panel;
      context.fillText(text, 0, 0);
      context.restore();
    };
    write("TOP", 0.68, 30);
    if (side < 0) write("BACK", -0.1, 36);
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
