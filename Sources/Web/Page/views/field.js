// The teslameter: what is there besides the Earth's field, its history and its spectrum.

import { needing } from "../device.js";
import { animate, h, paced, rows, say } from "../dom.js";
import { History } from "../draw/history.js";
import { Spectrum } from "../draw/spectrum.js";
import { choices, choose, onChoice } from "../keep.js";
import { decimalsFor, fixed, measure, UNITS } from "../numbers.js";
import { recorder } from "../record.js";
import { ring } from "../sound.js";

/** An amplitude with its ±, where that is known. */
const withSpread = (line) => fixed(line.amplitude_uT, 3)
  + (line.amplitude_uncertainty_uT == null ? "" : ` ± ${fixed(line.amplitude_uncertainty_uT, 3)}`);

const CURVES = [{ name: "|d|", colour: "ink" }, ...["x", "y", "z"].map((name) => ({ name, colour: name }))];

export const field = {
  id: "teslameter",
  title: "Teslameter",
  events: ["field", "spectrum"],
  keys: {},
  show(root, { live, act, speak }) {
    const figure = h("p", { class: "figure" }), state = h("span", { class: "tag" }), hint = h("p", { class: "hint" });
    const bar = h("progress", { max: 1, "aria-label": "Zero-point" });
    const facts = rows(["x", "y", "z", "Peak", "Field"]);
    const history = new History("Difference to the zero-point", CURVES);
    const spectrum = new Spectrum(), lines = h("tbody", {});
    const record = recorder(root, live, "field", (text) => history.mark(text));
    let isNew = false;

    const zero = h("button", { class: "main", onclick: () => act("zero") }, "Zero");
    const peak = h("button", { onclick: () => act("peak") }, "Reset peak");
    const units = h("select", { "aria-label": "Unit", onchange: () => choose({ unit: units.value }) },
      ...Object.entries(UNITS).map(([name, unit]) => h("option", { value: name, selected: name === choices.unit }, unit.symbol)));
    field.keys = { z: () => zero.click(), p: () => peak.click(), " ": () => history.pause(), u: () => {
      units.selectedIndex = (units.selectedIndex + 1) % units.length;
      choose({ unit: units.value });
    } };

    const whole = h("div", { class: "split" },
      h("section", { class: "stack", "aria-label": "Difference to the zero-point" },
        h("div", { class: "panel main" }, h("p", { class: "label" }, "Difference to the zero-point"), figure, h("p", {}, state), hint, bar),
        h("div", { class: "panel" }, h("div", { class: "buttons" }, zero, peak, units),
          h("p", { class: "hint keys" }, "Keys: z zero, p reset peak, u unit, space pause.")),
        h("div", { class: "panel" }, history.element)),
      h("section", { class: "stack", "aria-label": "Details" },
        h("div", { class: "panel" }, facts.element),
        h("div", { class: "panel" }, h("h2", {}, "Spectrum"), spectrum.element,
          h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Frequency"),
            h("th", {}, "Amplitude"), h("th", {}, "Likely source"))), lines))), record.element));
    const missing = needing(live, "magnetometer", whole, ["compass", "Compass: heading"]);
    root.append(whole, missing.element);

    const write = paced(10, (reading) => {
      const unit = UNITS[choices.unit], inUnit = (value) => (typeof value === "number" ? value / unit.microtesla : value);
      const give = inUnit(reading.uncertainty_uT), decimals = decimalsFor(give, unit.decimals + 3), flags = reading.flags ?? [];
      const isZeroing = typeof reading.zeroing === "number";
      bar.hidden = !isZeroing;
      bar.value = reading.zeroing ?? 0;
      state.hidden = !isZeroing && flags.length === 0;
      state.dataset.quality = flags.includes("saturated") ? "saturated" : flags.length ? "poor" : "";
      say(state, isZeroing ? "taking the zero-point" : flags.join(", ").replaceAll("-", " "));
      say(hint, isZeroing ? "Keep the sensor still and the magnet away." : "");
      if (isZeroing) return figure.replaceChildren("–");
      // A field beyond the range or below the noise is a bound and no number.
      const bound = reading.at_least_uT ?? reading.at_most_uT, isBound = typeof bound === "number";
      const sign = !isBound ? "" : bound === reading.at_least_uT ? "> " : "< ";
      const text = sign + fixed(inUnit(isBound ? bound : reading.magnitude_uT), decimals);
      figure.replaceChildren(text, h("span", { class: "unit" }, ` ${unit.symbol}`),
        h("span", { class: "give" }, isBound ? "" : `±${fixed(give, decimals)}`));
      const told = (value, width) => measure(inUnit(value), decimals, ` ${unit.symbol}`, width);
      for (const axis of ["x", "y", "z"]) facts.set(axis, told(reading[`d${axis}_uT`], 9));
      const least = reading.peak_at_least_uT, within = reading.peak_uncertainty_uT;
      facts.set("Peak", typeof least === "number" ? `> ${told(least)}`
        : told(reading.peak_uT) + (typeof within === "number" ? ` ±${fixed(inUnit(within), decimals)}` : ""));
      facts.set("Field", told(Math.hypot(reading.bx_uT, reading.by_uT, reading.bz_uT)));
      speak(`${text} ${unit.symbol}`);
    });
    const stops = [
      live.on("field", (reading) => {
        if (typeof reading.zeroing === "number") { if (isNew) history.clear(); isNew = false; }
        else if (typeof reading.dx_uT === "number") {
          const { microtesla, symbol, decimals } = UNITS[choices.unit];
          isNew = true;
          // Half a microtesla, in whatever unit: a still field is a line.
          Object.assign(history, { unit: symbol, decimals, least: 0.5 / microtesla });
          history.add(reading.time_s, [reading.magnitude_uT, reading.dx_uT, reading.dy_uT, reading.dz_uT]
            .map((value) => (typeof value === "number" ? value / microtesla : NaN)));
          if ((reading.magnitude_uT ?? reading.at_least_uT ?? 0) > choices.limit) ring("magnet", 700, 0.3);
        }
        write(reading);
      }),
      live.on("spectrum", (data) => {
        spectrum.data = data;
        const found = data.lines ?? [];
        lines.replaceChildren(...found.map((line) => h("tr", {}, h("td", {}, `${fixed(line.frequency_hz, 2)} Hz`),
          h("td", {}, `${withSpread(line)} µT, ${fixed(line.amplitude_minor_uT, 3)} across`),
          h("td", {}, line.name ?? ""))));
        const remark = (text) => lines.append(h("tr", {}, h("td", { colspan: 3, class: "hint" }, text)));
        if (data.saturated) remark("The sensor was at the end of its range: nothing can be said.");
        else if (!found.length) remark("No line above the noise.");
        const hidden = data.hidden_mains_hz ?? [];
        if (hidden.length) remark(`At this rate the hum of ${hidden.join(" and ")} Hz mains looks like a slow field, and no line shows it.`);
      }),
      animate(() => { history.draw(); spectrum.draw(); }), record.end, missing.end,
      onChoice(() => { units.value = choices.unit; history.clear(); }),
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
