// Two devices side by side, and the difference of their fields.

import { shortName } from "../device.js";
import { animate, h, paced, rows, say } from "../dom.js";
import { History } from "../draw/history.js";
import { fixed, give, heading, measure, turn } from "../numbers.js";
import { recorder } from "../record.js";

const CURVES = [{ name: "|Δ|", colour: "ink" }, ...["x", "y", "z"].map((name) => ({ name, colour: name }))];
const flat = (state) => ({ time_s: state.time_s,
  ...Object.fromEntries(["x", "y", "z"].map((axis, index) => [`d${axis}_uT`, state.difference_uT?.[index] ?? null])),
  magnitude_uT: state.magnitude_uT, first_heading_deg: state.first?.magnetic_heading_deg, second_heading_deg: state.second?.magnetic_heading_deg });

export const beside = {
  id: "beside",
  title: "Two devices",
  events: ["beside"],
  keys: {},
  show(root, { live }) {
    const alone = h("section", { class: "panel", hidden: true, id: "alone" }, h("p", { class: "advice" }, "There is one device."),
      h("p", {}, "Start the server with a second one to see both and the difference of their fields: ", h("code", {}, "lodestone serve --device ADDRESS --device ADDRESS")));
    const figure = h("p", { class: "figure" }), history = new History("Difference of the fields", CURVES, { unit: "µT" });
    const sides = ["first", "second"].map((name) => ({ name, title: h("h2", {}), facts: rows(["Heading", "Field", "x", "y", "z"]) }));
    const facts = rows(["Headings differ by", "x", "y", "z"]);
    const record = recorder(root, { on: (name, work) => live.on(name, (state) => work(flat(state))) }, "beside", (text) => history.mark(text));
    beside.keys = { " ": () => history.pause() };
    const whole = h("div", { class: "split" },
      h("section", { class: "stack", "aria-label": "Difference" },
        h("div", { class: "panel main" }, h("p", { class: "label" }, "Difference of the fields, second minus first"), figure),
        h("div", { class: "panel" }, history.element), record.element),
      h("section", { class: "stack", "aria-label": "Devices" }, ...sides.map((side) => h("div", { class: "panel" }, side.title, side.facts.element)),
        h("div", { class: "panel" }, h("h2", {}, "Difference"), facts.element)));
    root.append(whole, alone);
    const write = paced(10, (state) => {
      alone.hidden = Boolean(state.second);
      whole.hidden = !alone.hidden;
      if (!state.second) return;
      figure.replaceChildren(fixed(state.magnitude_uT, 2), h("span", { class: "unit" }, " µT"));
      for (const { name, title, facts: one } of sides) {
        const device = state[name], field = device.field_uT;
        say(title, shortName(device.name));
        one.set("Heading", `${heading(device.magnetic_heading_deg)}° ${give(device.accuracy_deg, 1, "°")}`);
        one.set("Field", measure(field ? Math.hypot(...field) : null, 2, " µT", 6));
        ["x", "y", "z"].forEach((axis, index) => one.set(axis, measure(field?.[index], 2, " µT", 7)));
      }
      const [a, b] = [state.first.magnetic_heading_deg, state.second.magnetic_heading_deg];
      facts.set("Headings differ by", typeof a === "number" && typeof b === "number" ? `${fixed(turn(a, b), 1)}°` : "–");
      ["x", "y", "z"].forEach((axis, index) => facts.set(axis, measure(state.difference_uT?.[index], 2, " µT", 7)));
    });
    const stops = [
      live.on("beside", (state) => {
        if (state.difference_uT) history.add(state.time_s, [state.magnitude_uT, ...state.difference_uT]);
        write(state);
      }),
      animate(() => history.draw()), record.end,
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
