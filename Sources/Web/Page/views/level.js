// An inclinometer: a bubble for a board that lies, a dial for one that stands, and numbers.

import { needing } from "../device.js";
import { animate, calm, h, paced, rows, say } from "../dom.js";
import { Inclinometer } from "../draw/dial.js";
import { fixed, give, measure, turn } from "../numbers.js";
import { recorder } from "../record.js";

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
  events: ["level"],
  keys: {},
  show(root, { live, act, speak }) {
    const tilt = new Inclinometer(), figure = h("p", { class: "figure" }), facts = rows(["Pitch", "Roll", "Accuracy (95 %)"]);
    const kind = h("p", { class: "label" }), state = h("span", { class: "tag", "data-quality": "poor", hidden: true }, "moving");
    const zero = h("button", { class: "main", onclick: () => act("level/zero") }, "Take this for level");
    const reset = h("button", { onclick: () => act("level/reset") }, "Back to true level");
    const record = recorder(root, live, "level");
    level.keys = { z: () => zero.click() };
    const whole = h("div", { class: "split" },
      h("section", { class: "panel", "aria-label": "Tilt" }, tilt.element),
      h("section", { class: "stack", "aria-label": "Angles" },
        h("div", { class: "panel main" }, kind, figure, h("p", {}, state)), h("div", { class: "panel" }, facts.element,
          h("p", { class: "hint" }, "Pitch: top edge up. Roll: right edge down.")),
        h("div", { class: "panel" }, h("div", { class: "buttons" }, zero, reset), h("p", { class: "hint keys" }, "Key: z takes this for level.")),
        record.element));
    const missing = needing(live, "accelerometer", whole, ["compass", "Compass: heading"]);
    root.append(whole, missing.element);
    const write = paced(10, (reading) => {
      say(kind, isUpright(reading) ? "Standing: turned in its plane" : "Lying: tilt from level");
      figure.replaceChildren(`${fixed(main(reading), 1)}°`, h("span", { class: "give" }, give(reading.accuracy_deg, 1, "°")));
      state.hidden = reading.moving !== 1;
      facts.set("Pitch", measure(reading.pitch_deg, 1, "°", 6));
      facts.set("Roll", measure(reading.roll_deg, 1, "°", 6));
      facts.set("Accuracy (95 %)", give(reading.accuracy_deg, 1, "°"));
      speak(`${fixed(main(reading), 1)} degrees`);
    });
    const stops = [
      live.on("level", (reading) => {
        if (isUpright(reading)) tilt.aimNeedle(main(reading));
        else tilt.aimBubble(reading.pitch_deg, reading.roll_deg);
        write(reading);
      }),
      animate((seconds) => tilt.step(seconds, calm.matches)), record.end, missing.end,
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
