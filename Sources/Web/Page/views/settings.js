// What is chosen: for all who look at the device on the server, for this browser here.

import { h, say } from "../dom.js";
import { choices, choose } from "../keep.js";
import { fixed, UNITS } from "../numbers.js";

const SOUNDS = {
  rest: "A position of the calibration counts", shake: "A shake or a movement", magnet: "The teslameter is above the limit",
  bearing: "Off the bearing",
};
const AXES = { auto: "Automatic", top: "Top edge", right: "Right edge", bottom: "Bottom edge", left: "Left edge" };

export const settings = {
  id: "settings",
  title: "Settings",
  events: ["compass"],
  isLive: false,
  show(root, { live, act, tell }) {
    const number = (label, attributes) => h("input", { type: "number", inputmode: "decimal", step: "any", "aria-label": label, ...attributes });
    const latitude = number("Latitude", { min: -90, max: 90, placeholder: "48.2" });
    const longitude = number("Longitude", { min: -180, max: 360, placeholder: "16.37" });
    const place = h("p", { class: "hint", id: "place" });
    const set = async (value) => { if (await act("settings", { place: value })) tell(value ? "The place is set." : "The place is removed.", "good"); };
    const axis = h("select", { "aria-label": "Heading axis", onchange: () => act("settings", { axis: axis.value }) },
      ...Object.entries(AXES).map(([value, text]) => h("option", { value }, text)));
    const smoothing = h("select", { "aria-label": "Smoothing", onchange: () => act("settings", { smoothing_s: Number(smoothing.value) }) },
      ...[0, 0.5, 1, 2, 5, 10, 30].map((value) => h("option", { value }, value ? `${value} s` : "none")));
    const form = h("form", { class: "buttons", onsubmit: (event) => {
      event.preventDefault();
      if (latitude.value === "" || longitude.value === "") return;
      set({ latitude_deg: Number(latitude.value), longitude_deg: Number(longitude.value) });
    } }, h("label", { class: "field" }, "Latitude ", latitude), h("label", { class: "field" }, "Longitude ", longitude),
    h("button", { class: "main" }, "Set"));
    const here = h("button", { onclick: () => navigator.geolocation.getCurrentPosition(
      ({ coords }) => set({ latitude_deg: coords.latitude, longitude_deg: coords.longitude, altitude_m: coords.altitude ?? 0 }),
      (error) => tell(`The browser gives no place: ${error.message}`)) }, "Ask this browser");
    here.hidden = !isSecureContext || !navigator.geolocation;
    const check = (isOn, text, work) => h("label", { class: "check" },
      h("input", { type: "checkbox", checked: isOn, onchange: (event) => work(event.target.checked) }), text);
    const unit = h("select", { "aria-label": "Unit of the field", onchange: () => choose({ unit: unit.value }) },
      ...Object.entries(UNITS).map(([name, one]) => h("option", { value: name, selected: name === choices.unit }, one.symbol)));
    const limit = number("Limit", { min: 0, value: choices.limit, onchange: () => choose({ limit: Number(limit.value) }) });

    root.append(h("div", { class: "split" },
      h("section", { class: "stack", "aria-label": "For all" },
        h("div", { class: "panel" }, h("h2", {}, "Place, for true headings"), place, form,
          h("div", { class: "buttons" }, here, h("button", { onclick: () => set(null) }, "Remove"))),
        h("div", { class: "panel" }, h("h2", {}, "Headings"), h("div", { class: "buttons" },
          h("label", { class: "field" }, "Heading of ", axis), h("label", { class: "field" }, "Smoothing ", smoothing)),
        h("p", { class: "hint" }, "Automatic: the edge that is up, or was last. These hold for all who look."))),
      h("section", { class: "stack", "aria-label": "For this browser" },
        h("div", { class: "panel" }, h("h2", {}, "Unit"), unit),
        h("div", { class: "panel" }, h("h2", {}, "Sound"), ...Object.entries(SOUNDS).map(([kind, text]) =>
          check(choices.sound[kind], text, (isOn) => choose({ sound: { ...choices.sound, [kind]: isOn } }))),
        h("label", { class: "field" }, "Limit in µT ", limit)),
        h("div", { class: "panel" }, h("h2", {}, "Keys"),
          check(choices.keys, "Single keys choose instruments and press buttons", (isOn) => choose({ keys: isOn }))))));
    return live.on("compass", (state) => {
      if (document.activeElement !== axis) axis.value = state.axis;
      if (document.activeElement !== smoothing) smoothing.value = String(state.smoothing_s);
      const where = state.place ? `${fixed(state.place.latitude_deg, 4)}°, ${fixed(state.place.longitude_deg, 4)}°` : null;
      const declination = typeof state.declination_deg === "number" ? `Declination ${fixed(state.declination_deg, 2)}°. ` : "";
      say(place, declination + (where ? `Set to ${where}.` : declination ? "The place comes from the device or the command." : "Not set: only magnetic headings."));
    });
  },
};
