// The causes that the calibration takes off the field: a motor's current, a rudder. A panel of several views.

import { fill, h } from "../dom.js";
import { fixed } from "../numbers.js";

const MEANING = {
  taken: (one) => `${fixed(one.value, 1)}: its share is taken off`,
  outside: (one) => `${fixed(one.value, 1)}: outside ${fixed(one.from, 1)} to ${fixed(one.to, 1)}, headings are less accurate`,
  missing: (one) => `missing: the field may be off by ${fixed(one.field_uT / 2, 1)} µT, headings are less accurate`,
};

/** A panel, hidden where there are no causes, and what ends it. */
export function causes(live) {
  const list = h("dl", { class: "rows" });
  const element = h("div", { class: "panel", hidden: true, id: "causes" }, h("h2", {}, "Causes"), list);
  let shown = "";
  const end = live.on("causes", (state) => {
    const rows = (state.causes ?? []).map((one) => [one.name, MEANING[one.state]?.(one) ?? "–", one.state]);
    const text = JSON.stringify(rows);
    if (text === shown) return;
    shown = text;
    element.hidden = rows.length === 0;
    fill(list, rows.flatMap(([name, words, kind]) => [h("dt", {}, name), h("dd", kind === "taken" ? {} : { class: "problem" }, words)]));
  });
  return { element, end };
}
