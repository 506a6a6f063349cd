// Attitude: a board that turns as the real one, heading, pitch and roll as on the Compass, and the quaternion.

import { animate, fill, h, paced, rows, say } from "../dom.js";
import { Board } from "../draw/board.js";
import { after, matrix } from "../draw/space.js";
import { fixed, give, heading, measure } from "../numbers.js";
import { recorder } from "../record.js";
import { headingOf } from "./compass.js";

// A frame against north has x north, y west, z up; the drawing wants east, north, up.
const EAST_NORTH_UP = [[0, -1, 0], [1, 0, 0], [0, 0, 1]];
// Of the heading axis along each edge: forward, right and above in device axes.
const AXES = { top: [[0, 1, 0], [1, 0, 0]], right: [[1, 0, 0], [0, -1, 0]], bottom: [[0, -1, 0], [-1, 0, 0]], left: [[-1, 0, 0], [0, 1, 0]] };
const FRAMES = { magnetic: "against magnetic north", true: "against true north" };

// Of a sensor that is not there: what it is for, and the views that work without it.
const LACKING = {
  gyroscope: ["An attitude that follows every turn needs one: choose a sensor with a gyroscope, such as an MPU-6050, ICM-20948 or LSM9DS1, beside the magnetometer.", ["compass", "Compass: heading"], ["level", "Level: tilt"]],
  accelerometer: ["An attitude needs one beside the gyroscope: it tells where down is."],
  magnetometer: ["An attitude against north needs one beside the gyroscope.", ["level", "Level: tilt"], ["motion", "Motion: movements"]],
};

/** Heading, pitch and roll of the heading axis, in degrees, of an attitude from device axes to east, north, up. */
function angles(attitude, edge, isBack) {
  const [top, side] = AXES[edge] ?? AXES.top;
  const [forward, right, above] = isBack ? [[0, 0, -1], side, top] : [top, side, [0, 0, 1]];
  const [east, north, up] = attitude, dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const degrees = (radians) => (radians * 180) / Math.PI;
  return {
    heading: (degrees(Math.atan2(dot(east, forward), dot(north, forward))) + 360) % 360,
    pitch: degrees(Math.asin(Math.max(-1, Math.min(1, dot(up, forward))))),
    roll: degrees(Math.atan2(-dot(up, right), dot(up, above))),
  };
}

export const attitude = {
  id: "attitude",
  title: "Attitude",
  events: ["attitude", "compass"],
  show(root, { live, speak }) {
    const board = new Board("The board as it is held", 1.2), kind = h("p", { class: "label" }), figure = h("p", { class: "figure" });
    const facts = rows(["Heading", "Pitch", "Roll", "Heading accuracy (95 %)", "Tilt accuracy (95 %)", "Rotation", "At rest"]);
    const quaternion = rows(["w", "x", "y", "z"]), record = recorder(root, live, "attitude");
    const missing = h("section", { class: "panel", hidden: true, id: "missing" });
    let lacking;
    const lack = (kind) => {
      const [advice, ...others] = LACKING[kind] ?? [];
      missing.hidden = !advice;
      whole.hidden = !missing.hidden;
      if (!advice) return;
      fill(missing, h("p", { class: "advice" }, `This device has no ${kind}.`), h("p", {}, advice),
        h("p", { class: "buttons" }, ...others.map(([view, text]) => h("a", { class: "button", href: `#${view}` }, text))));
    };
    const whole = h("div", { class: "split" },
      h("section", { class: "panel", "aria-label": "Board" }, board.element),
      h("section", { class: "stack", "aria-label": "Angles" }, h("div", { class: "panel main" }, kind, figure),
        h("div", { class: "panel" }, facts.element),
        h("div", { class: "panel" }, h("h2", {}, "Quaternion"), quaternion.element,
          h("p", { class: "hint" }, "Turns device axes into a frame of north, west, up.")), record.element));
    root.append(whole, missing);
    const write = paced(10, (reading) => {
      if (reading.missing !== lacking) lack((lacking = reading.missing));
      if (reading.missing) return;
      const compass = live.latest.compass, found = board.attitude && angles(board.attitude, compass?.edge, compass?.back);
      say(kind, `Heading ${headingOf(compass)}, ${FRAMES[reading.frame] ?? reading.frame}`);
      figure.replaceChildren(`${heading(found?.heading)}°`, h("span", { class: "give" }, give(reading.yaw_accuracy_deg, 1, "°")));
      facts.set("Heading", `${heading(found?.heading)}°`);
      facts.set("Pitch", measure(found?.pitch, 1, "°", 6));
      facts.set("Roll", measure(found?.roll, 1, "°", 6));
      facts.set("Heading accuracy (95 %)", give(reading.yaw_accuracy_deg, 1, "°"));
      facts.set("Tilt accuracy (95 %)", give(reading.inclination_accuracy_deg, 1, "°"));
      facts.set("Rotation", measure(Math.hypot(reading.rate_x_dps, reading.rate_y_dps, reading.rate_z_dps), 1, " °/s", 6));
      facts.set("At rest", reading.at_rest ? "yes" : "no");
      for (const part of "wxyz") quaternion.set(part, fixed(reading[`q${part}`], 4, 8));
      const [turn, pitch, roll] = [found?.heading, found?.pitch, found?.roll].map((degrees) => measure(degrees, 0, ""));
      speak(`heading ${turn}, pitch ${pitch}, roll ${roll} degrees`);
    });
    const stops = [
      live.on("attitude", (reading) => {
        const q = [reading.qw, reading.qx, reading.qy, reading.qz];
        board.attitude = q.every(Number.isFinite) ? after(EAST_NORTH_UP, matrix(q)) : null;
        board.labels = { N: [0, 1.78, -0.8], E: [1.78, 0, -0.8], S: [0, -1.78, -0.8], W: [-1.78, 0, -0.8] };
        write(reading);
      }),
      animate(() => board.draw()), record.end,
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
