// What each sensor sends, uncorrected: axes, rate, losses, noise.

import { animate, h, paced, rows } from "../dom.js";
import { History } from "../draw/history.js";
import { fixed, measure } from "../numbers.js";
import { recorder } from "../record.js";

const DECIMALS = { magnetometer: 2, accelerometer: 4, gyroscope: 2 };
const CURVES = ["x", "y", "z"].map((name) => ({ name, colour: name }));
const flat = (reading) => Object.fromEntries([["time_s", reading.time_s], ...reading.sensors.flatMap((one) =>
  ["x", "y", "z"].map((axis) => [`${one.name}_${axis}`, one[axis]])), ["temperature_C", reading.temperature_C]]);

export const raw = {
  id: "raw",
  title: "Raw",
  events: ["raw"],
  keys: {},
  show(root, { live, speak }) {
    const facts = rows(["Samples", "Rate", "Missing", "Saturated", "Temperature"]), body = h("tbody", {});
    const which = h("select", { "aria-label": "Sensor", onchange: () => history.clear() },
      ...Object.keys(DECIMALS).map((name) => h("option", { value: name }, name)));
    const history = new History("Raw values", CURVES, { seconds: 10, least: 0.01, ratio: 1.9, decimals: 3 });
    const flattened = { on: (name, work) => live.on(name, (reading) => work(flat(reading))) };
    const record = recorder(root, flattened, "raw", (text) => history.mark(text));
    raw.keys = { " ": () => history.pause() };
    root.append(h("div", { class: "split" },
      h("section", { class: "stack", "aria-label": "Sensors" },
        h("div", { class: "panel main scroll" }, h("table", {}, h("thead", {}, h("tr", {},
          h("th", {}, "Sensor"), ...["x", "y", "z"].map((name) => h("th", { class: "number" }, name)), h("th", {}))), body)),
        h("div", { class: "panel" }, facts.element), record.element),
      h("section", { class: "panel", "aria-label": "Curves" }, h("div", { class: "buttons" }, which), history.element)));
    const write = paced(5, (reading) => {
      body.replaceChildren(...reading.sensors.map((one) => {
        const decimals = DECIMALS[one.name];
        const cell = (axis, index) => h("td", { class: "number" }, fixed(one[axis], decimals, decimals + 5),
          h("p", { class: "hint", title: "Noise, one standard deviation" }, one.noise ? `±${fixed(one.noise[index], decimals + 1)}` : ""));
        return h("tr", {}, h("td", {}, one.name, h("p", { class: "hint" }, measure(one.rate_hz, 1, " Hz"))),
          ...["x", "y", "z"].map(cell), h("td", {}, one.unit));
      }));
      facts.set("Samples", String(reading.samples));
      facts.set("Rate", measure(reading.rate_hz, 1, " Hz"));
      facts.set("Missing", reading.gaps ? `${reading.gaps} times, ${fixed(reading.lost_s, 2)} s` : "none");
      facts.set("Saturated", String(reading.saturated));
      facts.set("Temperature", measure(reading.temperature_C, 1, " °C"));
      speak(`${fixed(reading.rate_hz, 0)} samples a second`);
    });
    const stops = [
      live.on("raw", (reading) => {
        const one = reading.sensors.find((sensor) => sensor.name === which.value);
        if (one) { history.unit = one.unit; history.add(reading.time_s, [one.x, one.y, one.z]); }
        for (const option of which.options) option.disabled = !reading.sensors.some((sensor) => sensor.name === option.value);
        write(reading);
      }),
      animate(() => history.draw()), record.end,
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
