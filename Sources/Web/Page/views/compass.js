// The compass: a rose that turns as the board does, headings with how far they may be off.

import { animate, calm, h, paced, rows, say } from "../dom.js";
import { Rose } from "../draw/rose.js";
import { give, heading, measure, point } from "../numbers.js";

const MEANING = {
  good: "within 2° in 95 of 100 cases", fair: "within 6°", poor: "worse than 6°",
  disturbed: "iron or a magnet is near: move away", uncalibrated: "not calibrated: headings may be far off",
  device: "computed by the device itself",
};

export const compass = {
  id: "compass",
  title: "Compass",
  show(root, { live, speak }) {
    const rose = new Rose(), figure = h("p", { class: "figure" }), kind = h("p", { class: "label" });
    const quality = h("span", { class: "tag" }), meaning = h("span", { class: "hint" });
    const facts = rows(["Magnetic", "True", "Accuracy (95 %)", "Pitch", "Roll", "Field", "Inclination", "Held"]);
    root.append(h("div", { class: "split" },
      h("section", { class: "panel", "aria-label": "Compass rose" }, rose.element),
      h("section", { class: "stack", "aria-label": "Headings" },
        h("div", { class: "panel" }, kind, figure, h("p", {}, quality, " ", meaning)),
        h("div", { class: "panel" }, facts.element))));
    let told = null;
    const write = paced(10, (reading) => {
      const trueNorth = reading.true_heading_deg, main = trueNorth ?? reading.magnetic_heading_deg;
      say(kind, typeof trueNorth === "number" ? "True heading" : "Magnetic heading");
      figure.replaceChildren(`${heading(main)}°`, h("span", { class: "give" }, give(reading.accuracy_deg, 1, "°")));
      quality.dataset.quality = reading.quality;
      say(quality, reading.quality);
      say(meaning, MEANING[reading.quality] ?? "");
      facts.set("Magnetic", `${heading(reading.magnetic_heading_deg)}°`);
      facts.set("True", typeof trueNorth === "number" ? `${heading(trueNorth)}°` : "needs the place: --at");
      facts.set("Accuracy (95 %)", give(reading.accuracy_deg, 1, "°"));
      facts.set("Pitch", measure(reading.pitch_deg, 1, "°", 6));
      facts.set("Roll", measure(reading.roll_deg, 1, "°", 6));
      facts.set("Field", measure(reading.field_uT, 1, " µT", 5));
      facts.set("Inclination", measure(reading.inclination_deg, 1, "°", 5));
      facts.set("Held", (reading.orientation ?? "–").replaceAll("-", " "));
      const words = `${Math.round(main) % 360} degrees, ${point(main)}, ${reading.quality}`;
      if (typeof main === "number" && words !== told) speak(words, told === null);
      told = words;
    });
    const unlisten = live.on("heading", (reading) => {
      rose.aim(reading.true_heading_deg ?? reading.magnetic_heading_deg, reading.accuracy_deg);
      write(reading);
    });
    const halt = animate((seconds) => rose.step(seconds, calm.matches));
    return () => { unlisten(); halt(); write.stop(); };
  },
};
