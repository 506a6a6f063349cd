// A magnet's dipole moment from its field at several distances.

import { fill, h, rows, say } from "../dom.js";
import { decimalsFor, fixed } from "../numbers.js";

export const distance = {
  id: "distance",
  title: "Distance",
  events: ["distance"],
  keys: {},
  show(root, { live, act }) {
    const advice = h("p", { class: "advice" }), figure = h("p", { class: "figure" }), list = h("tbody", {});
    const bar = h("progress", { max: 1, "aria-label": "Zero-point" }), facts = rows(["Dipole moment", "Depth of the sensor"]);
    const far = h("input", { type: "number", step: "any", min: 0, inputmode: "decimal", "aria-label": "Distance in millimetres", placeholder: "mm" });
    const form = h("form", { class: "buttons", onsubmit: async (event) => {
      event.preventDefault();
      if (far.value !== "" && await act("distance/mark", { distance_mm: Number(far.value) })) far.value = "";
    } }, far, h("button", { class: "main" }, "Take"));
    root.append(h("div", { class: "split" },
      h("section", { class: "stack", "aria-label": "What to do" },
        h("div", { class: "panel main" }, advice, bar, h("p", { class: "label" }, "Field of the magnet"), figure, form,
          h("p", { class: "hint" }, "The distance runs from the case to the middle of the magnet.")),
        h("div", { class: "panel buttons" }, h("button", { onclick: () => act("distance/start") }, "New zero-point"),
          h("button", { onclick: () => act("distance/back") }, "Take back"))),
      h("section", { class: "stack", "aria-label": "Result" }, h("div", { class: "panel" }, facts.element),
        h("div", { class: "panel scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Distance"), h("th", {}, "Field"))), list)))));
    return live.on("distance", (state) => {
      say(advice, state.advice);
      bar.hidden = state.zeroing >= 1;
      bar.value = state.zeroing;
      figure.replaceChildren(state.zeroing < 1 ? "–" : fixed(state.field_uT, 2), h("span", { class: "unit" }, " µT"));
      fill(list, state.points.map((point) => h("tr", {}, h("td", {}, `${fixed(point.distance_mm, 1)} mm`),
        h("td", {}, `${fixed(point.field_uT, 2)} ±${fixed(point.uncertainty_uT, 2)} µT`))));
      const found = state.result;
      const decimals = decimalsFor(found?.moment_uncertainty_Am2, 6);
      facts.set("Dipole moment", found ? `${fixed(found.moment_Am2, decimals)} ±${fixed(found.moment_uncertainty_Am2, decimals)} A·m²` : "–");
      facts.set("Depth of the sensor", found ? `${fixed(found.depth_mm, 1)} ±${fixed(found.depth_uncertainty_mm, 1)} mm` : "–");
    });
  },
};
