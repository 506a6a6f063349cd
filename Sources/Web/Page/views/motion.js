// Movement: what the accelerometer feels, with gravity taken off or left in, and what was recognized.

import { animate, h, paced, rows } from "../dom.js";
import { Plot } from "../draw/plot.js";
import { fixed, measure } from "../numbers.js";

const FILTERS = { user: "Movement (gravity off)", gravity: "Gravity", both: "As measured" };

export const motion = {
  id: "motion",
  title: "Motion",
  show(root, { live, speak }) {
    const plot = new Plot("Acceleration over the last 10 seconds", ["x", "y", "z"], { seconds: 10, least: 0.4, ratio: 1.7 });
    const facts = rows(["x", "y", "z", "Held"]), log = h("ol", { "aria-label": "Recognized" }, h("li", { class: "hint" }, "None yet. Shake the board, or push it to one side."));
    const filter = h("select", { "aria-label": "What is drawn", onchange: () => plot.clear() },
      ...Object.entries(FILTERS).map(([value, text]) => h("option", { value }, text)));
    const pick = (reading) => ["x", "y", "z"].map((axis) => {
      const [gravity, user] = [reading[`gravity_${axis}_g`], reading[`user_${axis}_g`]];
      return filter.value === "user" ? user : filter.value === "gravity" ? gravity : gravity + user;
    });
    root.append(h("div", { class: "split" },
      h("section", { class: "panel", "aria-label": "Acceleration" }, h("div", { class: "buttons" }, filter), plot.element,
        h("p", { class: "hint" }, "x red, y green, z blue; in g.")),
      h("section", { class: "stack" }, h("div", { class: "panel" }, facts.element),
        h("div", { class: "panel" }, h("h2", {}, "Shakes and movements"), log))));
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
          while (log.children.length > 12) log.lastChild.remove();
          speak(words, true);
        }
        plot.add(reading.time_s, pick(reading));
        write(reading);
      }),
      animate(() => plot.draw()),
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
