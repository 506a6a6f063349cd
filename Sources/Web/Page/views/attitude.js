// Attitude: a board that turns as the real one.

import { animate, h, paced, rows, say } from "../dom.js";
import { Board } from "../draw/board.js";
import { after, matrix } from "../draw/space.js";
import { give, measure } from "../numbers.js";

// A frame against north has x north, y west, z up; the drawing wants east, north, up. A frame that begins where the board
// was is drawn as the board lay.
const EAST_NORTH_UP = [[0, -1, 0], [1, 0, 0], [0, 0, 1]];

export const attitude = {
  id: "attitude",
  title: "Attitude",
  show(root, { live, speak }) {
    const board = new Board("The board as it is held", 1.2), frame = h("span", { class: "tag" });
    const facts = rows(["Yaw", "Pitch", "Roll", "Yaw accuracy (95 %)", "Tilt accuracy (95 %)", "Rotation", "At rest"]);
    root.append(h("div", { class: "split" },
      h("section", { class: "panel", "aria-label": "Board" }, board.element),
      h("section", { class: "stack", "aria-label": "Angles" },
        h("div", { class: "panel" }, h("p", { class: "row" }, "Frame ", frame), facts.element))));
    const write = paced(10, (reading) => {
      say(frame, reading.frame ?? "–");
      facts.set("Yaw", measure(reading.yaw_deg, 1, "°", 6));
      facts.set("Pitch", measure(reading.pitch_deg, 1, "°", 6));
      facts.set("Roll", measure(reading.roll_deg, 1, "°", 6));
      facts.set("Yaw accuracy (95 %)", give(reading.yaw_accuracy_deg, 1, "°"));
      facts.set("Tilt accuracy (95 %)", give(reading.inclination_accuracy_deg, 1, "°"));
      const rate = Math.hypot(reading.rate_x_dps, reading.rate_y_dps, reading.rate_z_dps);
      facts.set("Rotation", measure(rate, 1, " °/s", 6));
      facts.set("At rest", reading.at_rest ? "yes" : "no");
      const [yaw, pitch, roll] = [reading.yaw_deg, reading.pitch_deg, reading.roll_deg].map((degrees) => measure(degrees, 0, ""));
      speak(`yaw ${yaw}, pitch ${pitch}, roll ${roll} degrees`);
    });
    const stops = [
      live.on("attitude", (reading) => {
        const q = [reading.qw, reading.qx, reading.qy, reading.qz];
        const hasNorth = ["magnetic", "true"].includes(reading.frame);
        if (!q.every(Number.isFinite)) board.attitude = null;
        else board.attitude = hasNorth ? after(EAST_NORTH_UP, matrix(q)) : matrix(q);
        board.labels = hasNorth ? { N: [0, 1.78, -0.8], E: [1.78, 0, -0.8], S: [0, -1.78, -0.8], W: [-1.78, 0, -0.8] } : null;
        write(reading);
      }),
      animate(() => board.draw()),
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
