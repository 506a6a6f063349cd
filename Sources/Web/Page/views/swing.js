// A swing: headings held beside known ones, and the deviation of the compass as it is installed.

import { animate, fill, h, paced, say } from "../dom.js";
import { Drawing, circle, path } from "../draw/canvas.js";
import { niceStep } from "../draw/history.js";
import { fixed, heading } from "../numbers.js";
import { download } from "../record.js";

/** Draws deviations over the compass heading: the curve and the headings that were taken. */
function drawCurve(context, width, height, ink, size, state) {
  const [left, right, top, bottom] = [size * 3.2, 10, 10, size * 1.8];
  const values = [...(state.deviation?.table ?? []).map(([, value]) => value), ...state.marks.map((mark) => mark.deviation_deg)];
  const most = Math.max(2, ...values.map(Math.abs)) * 1.15, step = niceStep(2 * most, 4);
  const x = (degrees) => left + (degrees / 360) * (width - left - right), y = (value) => top + ((most - value) / (2 * most)) * (height - top - bottom);
  context.textBaseline = "middle";
  context.fillStyle = ink.soft;
  for (let value = Math.ceil(-most / step) * step; value <= most; value += step) {
    path(context, [[left, y(value)], [width - right, y(value)]], { line: Math.abs(value) < step / 2 ? ink.edge : ink.rule });
    context.textAlign = "right";
    context.fillText(`${fixed(value, step < 1 ? 1 : 0)}°`, left - 6, y(value));
  }
  context.textAlign = "center";
  for (let degrees = 0; degrees <= 360; degrees += 90) context.fillText(["N", "E", "S", "W", "N"][degrees / 90], x(degrees), height - size * 0.8);
  const table = state.deviation?.table ?? [];
  if (table.length) path(context, [...table, [360, table[0][1]]].map(([at, value]) => [x(at), y(value)]), { line: ink.blue, width: 2.2 });
  for (const mark of state.marks) circle(context, x(mark.compass_deg), y(mark.deviation_deg), 4, { fill: ink.orange });
}

export const swing = {
  id: "swing",
  title: "Swing",
  events: ["swing", "heading"],
  keys: {},
  show(root, { live, act, tell }) {
    const advice = h("p", { class: "advice" }), figure = h("p", { class: "figure" }), list = h("tbody", {});
    const drawing = new Drawing("Deviation over the compass heading", "drawing", 1.9), rest = h("p", { class: "hint" });
    const known = h("input", { type: "number", step: "any", min: -360, max: 360, inputmode: "decimal", "aria-label": "Known magnetic heading", placeholder: "Known heading" });
    let state = { marks: [], deviation: null };
    const form = h("form", { class: "buttons", onsubmit: async (event) => {
      event.preventDefault();
      if (known.value === "") return;
      if (await act("swing/mark", { reference_deg: Number(known.value) })) known.value = "";
    } }, known, h("button", { class: "main" }, "Take"));
    const save = h("button", { onclick: async () => { if (await act("swing/save")) tell("The deviation is kept beside the calibration.", "good"); } }, "Save");
    const card = h("button", { onclick: () => download("deviation.csv", "compass_heading_deg,deviation_deg\n"
      + state.deviation.table.map((row) => row.join(",")).join("\n") + "\n", "text/csv") }, "Download table");
    root.append(h("div", { class: "split" },
      h("section", { class: "stack", "aria-label": "What to do" },
        h("div", { class: "panel main" }, advice, h("p", { class: "label" }, "Compass, magnetic"), figure, form,
          h("p", { class: "hint" }, "Known headings: a bearing of a landmark, a second compass, a jetty. Magnetic, in degrees.")),
        h("div", { class: "panel" }, h("div", { class: "buttons" }, h("button", { onclick: () => act("swing/back") }, "Take back"),
          h("button", { onclick: () => act("swing/clear") }, "Begin anew"), save, card), rest)),
      h("section", { class: "stack", "aria-label": "Deviation" }, h("div", { class: "panel" }, drawing.element),
        h("div", { class: "panel scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Compass", "Known", "Deviation"].map((name) => h("th", {}, name)))), list)))));
    const write = paced(10, (reading) => { figure.textContent = `${heading(reading.magnetic_heading_deg).trim()}°`; });
    const stops = [
      live.on("heading", write),
      live.on("swing", (now) => {
        state = now;
        say(advice, now.advice);
        fill(list, now.marks.map((mark) => h("tr", {}, ...[mark.compass_deg, mark.reference_deg].map((value) => h("td", {}, `${heading(value)}°`)),
          h("td", {}, `${fixed(mark.deviation_deg, 1)}°`))));
        save.disabled = card.disabled = !now.deviation;
        say(rest, now.deviation ? `Residual ${fixed(now.deviation.residual_deg, 2)}°` : `${now.marks.length} of ${now.wanted} headings`);
      }),
      animate(() => drawing.draw((context, width, height, ink) => drawCurve(context, width, height, ink, drawing.letters, state))),
    ];
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
