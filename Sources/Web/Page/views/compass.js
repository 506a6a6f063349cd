// The compass: a rose that turns as the board does, headings with how far they may be off, and a bearing to keep.

import { animate, calm, h, paced, rows, say } from "../dom.js";
import { Rose } from "../draw/rose.js";
import { choices, choose } from "../keep.js";
import { fixed, give, heading, measure, point, turn } from "../numbers.js";
import { recorder } from "../record.js";
import { ring } from "../sound.js";
import { causes } from "./causes.js";

const MEANING = {
  good: "within 2° in 95 of 100 cases", fair: "within 6°", poor: "worse than 6°",
  disturbed: "iron or a magnet is near: move away", uncalibrated: "not calibrated: headings may be far off",
  device: "computed by the device itself",
};
const AXES = { auto: "Automatic", top: "Top edge", right: "Right edge", bottom: "Bottom edge", left: "Left edge" };
const OFF = 5; // degrees beside the bearing that are told

/** Whose heading it is, in words. */
export const headingOf = (state) => (!state ? "" : state.back ? "of the back" : `of the ${state.edge} edge`);

export const compass = {
  id: "compass",
  title: "Compass",
  events: ["heading", "compass"],
  keys: {},
  show(root, { live, act, speak }) {
    const rose = new Rose(), figure = h("p", { class: "figure" }), kind = h("p", { class: "label" });
    const quality = h("span", { class: "tag" }), meaning = h("span", { class: "hint" });
    const facts = rows(["Magnetic", "True", "Accuracy (95 %)", "Pitch", "Roll", "Field", "Inclination", "Held"]);
    const axis = h("select", { id: "axis", onchange: () => act("settings", { axis: axis.value }) },
      ...Object.entries(AXES).map(([value, text]) => h("option", { value }, text)));
    const place = h("a", { href: "#settings", class: "button" }, "Set the place");
    const keep = h("button", { onclick: () => lock() }, "Keep this bearing");
    const deviation = h("p", { class: "deviation", "aria-label": "Deviation from the bearing" });
    const record = recorder(root, live, "heading"), taken = causes(live);
    let now = null, isTrue = false, told = null, sounded = 0;

    function lock() {
      choose({ bearing: choices.bearing === null && typeof now === "number" ? Math.round(now) % 360 : null, bearingIsTrue: isTrue });
      showLock();
    }
    function showLock() {
      say(keep, choices.bearing === null ? "Keep this bearing" : "Stop keeping the bearing");
      deviation.hidden = choices.bearing === null;
    }
    /** A bearing is kept against the north that it was taken against; one of before that was kept is against what is shown. */
    function showDeviation(reading) {
      const ownNorth = choices.bearingIsTrue ?? isTrue, own = ownNorth ? reading.true_heading_deg : reading.magnetic_heading_deg;
      rose.course = choices.bearing === null || typeof own !== "number" ? null : now + turn(own, choices.bearing);
      if (choices.bearing === null || typeof now !== "number") return;
      const name = `Bearing ${choices.bearing}° ${ownNorth ? "true" : "magnetic"}`;
      if (typeof own !== "number") {
        delete deviation.dataset.quality;
        return say(deviation, ownNorth ? `${name}: needs the place` : `${name}: the device sends true headings alone`);
      }
      const off = turn(choices.bearing, own), side = off > 0 ? "right" : "left";
      say(deviation, `${name}: ${Math.abs(off) < 0.5 ? "on course" : `${fixed(Math.abs(off), 0)}° too far ${side}`}`);
      deviation.dataset.quality = Math.abs(off) <= OFF ? "good" : "poor";
      if (Math.abs(off) > OFF && performance.now() - sounded > 1000 && ring("bearing", off > 0 ? 440 : 660, 0.25)) sounded = performance.now();
    }
    compass.keys = { k: lock };
    root.append(h("div", { class: "split" },
      h("section", { class: "panel", "aria-label": "Compass rose" }, rose.element),
      h("section", { class: "stack", "aria-label": "Headings" },
        h("div", { class: "panel main" }, kind, figure, h("p", {}, quality, " ", meaning), deviation),
        h("div", { class: "panel" }, facts.element), taken.element,
        h("div", { class: "panel" }, h("div", { class: "buttons" }, h("label", { class: "field" }, "Heading of ", axis), keep, place),
          h("p", { class: "hint keys" }, "Key: k keeps the bearing.")),
        record.element)));
    showLock();

    const write = paced(10, (reading) => {
      const state = live.latest.compass, trueNorth = reading.true_heading_deg, main = trueNorth ?? reading.magnetic_heading_deg;
      now = main;
      isTrue = typeof trueNorth === "number";
      // The edge is chosen for a field that is measured, and not for a heading that comes computed.
      const isOwn = reading.quality === "device", north = isTrue ? "True" : "Magnetic";
      say(kind, isOwn ? `${north} heading, as the device tells it` : `${north} heading ${headingOf(state)}`);
      figure.replaceChildren(`${heading(main)}°`, h("span", { class: "give" }, give(reading.accuracy_deg, 1, "°")));
      quality.dataset.quality = reading.quality;
      say(quality, reading.quality);
      say(meaning, MEANING[reading.quality] ?? "");
      facts.set("Magnetic", `${heading(reading.magnetic_heading_deg)}°`);
      // Without any heading, nothing says that it is the place that is missing.
      const needsPlace = !isTrue && typeof main === "number";
      facts.set("True", needsPlace ? "needs the place" : `${heading(trueNorth)}°`);
      place.hidden = !needsPlace;
      facts.set("Accuracy (95 %)", give(reading.accuracy_deg, 1, "°"));
      facts.set("Pitch", measure(reading.pitch_deg, 1, "°", 6));
      facts.set("Roll", measure(reading.roll_deg, 1, "°", 6));
      facts.set("Field", measure(reading.field_uT, 1, " µT", 5));
      facts.set("Inclination", measure(reading.inclination_deg, 1, "°", 5));
      const held = (reading.orientation ?? "–").replaceAll("-", " ");
      facts.set("Held", isOwn ? "–" : state?.axis === "auto" ? `${held}; heading ${headingOf(state)}` : `heading ${headingOf(state)}`);
      showDeviation(reading);
      const words = `${Math.round(main) % 360} degrees, ${point(main)}, ${reading.quality}`;
      if (typeof main === "number" && words !== told) speak(words, told === null);
      told = words;
    });
    const stops = [
      live.on("heading", (reading) => {
        rose.aim(reading.true_heading_deg ?? reading.magnetic_heading_deg, reading.accuracy_deg);
        write(reading);
      }),
      live.on("compass", (state) => { if (document.activeElement !== axis) axis.value = state.axis; }),
      animate((seconds) => rose.step(seconds, calm.matches)), record.end, taken.end,
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
