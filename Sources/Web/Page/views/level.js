// An inclinometer: dial, needle and numbers.

import { animate, calm, h, paced, rows, say } from "../dom.js";
import { Dial } from "../draw/dial.js";
import { fixed, measure, turn } from "../numbers.js";

const isUpright = (reading) => typeof reading.angle_deg === "number";

/** The angle that matters: of a board that stands, how far it is turned in its plane; else its tilt. */
function main(reading) {
  if (isUpright(reading)) return turn(0, reading.angle_deg);
  const [pitch, roll] = [reading.pitch_deg, reading.roll_deg].map((degrees) => (degrees * Math.PI) / 180);
  return (Math.acos(Math.min(1, Math.cos(pitch) * Math.cos(roll))) * 180) / Math.PI;
}

export const level = {
  id: "level",
  title: "Level",
  keys: {},
  show(root, { live, act, speak }) {
    const dial = new Dial("Inclinometer"), figure = h("p", { class: "figure" }), facts = rows(["Pitch", "Roll", "Angle"]);
    const kind = h("p", { class: "label" });
    const zero = h("button", { class: "main", onclick: () => act("level/zero") }, "Take this for level");
    const reset = h("button", { onclick: () => act("level/reset") }, "Back to true level");
    level.keys = { z: () => zero.click() };
    root.append(h("div", { class: "split" },
      h("section", { class: "panel", "aria-label": "Dial" }, dial.element),
      h("section", { class: "stack", "aria-label": "Tilt" },
        h("div", { class: "panel" }, kind, figure, facts.element),
        h("div", { class: "panel" }, h("div", { class: "buttons" }, zero, reset), h("p", { class: "hint keys" }, "Key: z takes this for level.")))));
    const write = paced(10, (reading) => {
      say(kind, isUpright(reading) ? "Turned in its plane" : "Tilt from level");
      figure.textContent = `${fixed(main(reading), 1, 4)}°`;
      facts.set("Pitch", measure(reading.pitch_deg, 1, "°", 6));
      facts.set("Roll", measure(reading.roll_deg, 1, "°", 6));
      facts.set("Angle", measure(reading.angle_deg, 1, "°", 6));
      speak(`${fixed(main(reading), 1)} degrees`);
    });
    const stops = [
      live.on("level", (reading) => { dial.aim(isUpright(reading) ? reading.angle_deg : reading.roll_deg); write(reading); }),
      animate((seconds) => dial.step(seconds, calm.matches)),
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
