// Movement: what the accelerometer feels, with gravity taken off or left in, and what was recognized.

import { needing } from "../device.js";
import { animate, h, paced, rows } from "../dom.js";
import { History } from "../draw/history.js";
import { fixed, measure } from "../numbers.js";
import { recorder } from "../record.js";
import { ring } from "../sound.js";

const FILTERS = { user: "Movement (gravity off)", gravity: "Gravity", both: "As measured" };
const CURVES = ["x", "y", "z"].map((name) => ({ name, colour: name }));

export const motion = {
  id: "motion",
  title: "Motion",
  events: ["motion"],
  keys: {},
  show(root, { live, speak }) {
    const history = new History("Acceleration", CURVES, { seconds: 10, least: 0.4, ratio: 1.7, unit: "g" });
    const facts = rows(["x", "y", "z", "Held"]);
    const log = h("ol", { "aria-label": "Recognized" }, h("li", { class: "hint" }, "None yet. Shake the board, or push it to one side."));
    const filter = h("select", { "aria-label": "Drawn", onchange: () => history.clear() },
      ...Object.entries(FILTERS).map(([value, text]) => h("option", { value }, text)));
    const record = recorder(root, live, "motion", (text) => history.mark(text));
    motion.keys = { " ": () => history.pause() };
    const pick = (reading) => ["x", "y", "z"].map((axis) => {
      const [gravity, user] = [reading[`gravity_${axis}_g`], reading[`user_${axis}_g`]];
      return filter.value === "user" ? user : filter.value === "gravity" ? gravity : gravity + user;
    });
    const whole = h("div", { class: "split" },
      h("section", { class: "panel", "aria-label": "Acceleration" }, h("div", { class: "buttons" }, filter), history.element),
      h("section", { class: "stack" }, h("div", { class: "panel main" }, facts.element),
        h("div", { class: "panel" }, h("h2", {}, "Shakes and movements"), log), record.element));
    const missing = needing(live, "accelerometer", whole, ["compass", "Compass: heading"]);
    root.append(whole, missing.element);
    const write = paced(10, (reading) => {
      pick(reading).forEach((value, index) => facts.set("xyz"[index], measure(value, 2, " g", 6)));
      facts.set("Held", (reading.orientation ?? "–").replaceAll("-", " "));
    });
    const stops = [
      live.on("motion", (reading) => {
        if (reading.event) {
          const details = [reading.direction, reading.peak_g && `${fixed(reading.peak_g, 2)} g`].filter(Boolean);
          const words = [reading.event, ...details].join(", ").replaceAll("-", " ");
          log.querySelector(".hint")?.remove();
          log.prepend(h("li", {}, `${fixed(reading.time_s, 1)} s  ${words}`));
          while (log.children.length > 8) log.lastChild.remove();
          history.mark(reading.event);
          ring("shake", 520, 0.15);
          speak(words, true);
        }
        history.add(reading.time_s, pick(reading));
        write(reading);
      }),
      animate(() => history.draw()), record.end, missing.end,
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
