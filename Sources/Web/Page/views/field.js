// The teslameter: what is there besides the Earth's field, its history and its spectrum.

import { animate, h, paced, rows, say } from "../dom.js";
import { Plot } from "../draw/plot.js";
import { Spectrum } from "../draw/spectrum.js";
import { decimalsFor, fixed, measure, UNITS } from "../numbers.js";

let unitName = "uT";

export const field = {
  id: "teslameter",
  title: "Teslameter",
  keys: {},
  show(root, { live, act, speak }) {
    const figure = h("p", { class: "figure" }), state = h("span", { class: "tag" }), hint = h("p", { class: "hint" });
    const bar = h("progress", { max: 1, "aria-label": "Zero-point" });
    const facts = rows(["x", "y", "z", "Peak", "Field"]);
    const plot = new Plot("Field over the last 30 seconds", ["blue"], { isFromZero: true });
    const spectrum = new Spectrum(), lines = h("tbody", {});
    let isPaused = false, isNew = false;

    const zero = h("button", { class: "main", onclick: () => act("zero") }, "Zero");
    const peak = h("button", { onclick: () => act("peak") }, "Reset peak");
    const pause = h("button", { "aria-pressed": "false", onclick: () => {
      isPaused = !isPaused;
      pause.setAttribute("aria-pressed", String(isPaused));
    } }, "Pause");
    const units = h("select", { "aria-label": "Unit", onchange: () => { unitName = units.value; } },
      ...Object.entries(UNITS).map(([name, unit]) => h("option", { value: name, selected: name === unitName }, unit.symbol)));
    field.keys = { z: () => zero.click(), p: () => peak.click(), " ": () => pause.click(), u: () => {
      units.selectedIndex = (units.selectedIndex + 1) % units.length;
      unitName = units.value;
    } };

    root.append(h("div", { class: "split" },
      h("section", { class: "stack", "aria-label": "Difference to the zero-point" },
        h("div", { class: "panel" }, h("p", { class: "label" }, "Difference to the zero-point"), figure, h("p", {}, state), hint, bar),
        h("div", { class: "panel" }, h("h2", {}, "The last 30 seconds"), plot.element),
        h("div", { class: "panel" }, h("div", { class: "buttons" }, zero, peak, pause, units),
          h("p", { class: "hint keys" }, "Keys: z zero, p reset peak, u unit, space pause."))),
      h("section", { class: "stack", "aria-label": "Details" },
        h("div", { class: "panel" }, facts.element),
        h("div", { class: "panel" }, h("h2", {}, "What alternates"), spectrum.element,
          h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Frequency"),
            h("th", {}, "Amplitude"), h("th", {}, "What it may be"))), lines))))));

    const write = paced(10, (reading) => {
      const unit = UNITS[unitName], inUnit = (value) => (typeof value === "number" ? value / unit.microtesla : value);
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
        if (isPaused) return;
        if (typeof reading.zeroing === "number") { if (isNew) plot.clear(); isNew = false; }
        else if (typeof reading.magnitude_uT === "number") {
          isNew = true;
          plot.add(reading.time_s, [reading.magnitude_uT / UNITS[unitName].microtesla]);
        }
        write(reading);
      }),
      live.on("spectrum", (data) => {
        if (isPaused) return;
        spectrum.data = data;
        const found = data.lines ?? [];
        lines.replaceChildren(...found.map((line) => h("tr", {}, h("td", {}, `${fixed(line.frequency_hz, 2)} Hz`),
          h("td", {}, `${fixed(line.amplitude_uT, 3)} µT`), h("td", {}, line.name ?? ""))));
        if (!found.length) lines.append(h("tr", {}, h("td", { colspan: 3, class: "hint" }, "Nothing that stands out of the noise.")));
      }),
      animate(() => { plot.draw(); spectrum.draw(); }),
    ];
    units.addEventListener("change", () => plot.clear());
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
