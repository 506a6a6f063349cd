// The device in use: its name for people, and the bar of a recording.

import { fill, h, say } from "./dom.js";

/** A name that fits: of a path the last part, without what the system adds. */
export function shortName(name) {
  const last = (name ?? "").split("/").at(-1) || name || "";
  const text = last.replace(/^usb-/, "").replace(/-if\d+(-port\d+)?$/, "").replaceAll("_", " ");
  return text.length > 34 ? `${text.slice(0, 18)}…${text.slice(-14)}` : text;
}

const LACKING = {
  magnetometer: "No magnetic field along three axes can be read from this device.",
  accelerometer: "No accelerations can be read from this device.",
};
const SECONDS = 2.5; // of samples without a sensor, after which it is not waited for

/** A panel in place of `whole`, a view whose sensor the device does not have, with links to views that it is enough for: pairs of an id
    and a text. Returns the element and what ends it. */
export function needing(live, sensor, whole, ...others) {
  const element = h("section", { class: "panel", hidden: true, id: "missing" }, h("p", { class: "advice" }, LACKING[sensor]),
    h("p", { class: "buttons" }, ...others.map(([view, text]) => h("a", { class: "button", href: `#${view}` }, text))));
  const end = live.on("raw", ({ samples, rate_hz: rate, sensors }) => {
    const isMissing = samples >= 3 && samples > SECONDS * (rate ?? Infinity) && !sensors.some((one) => one.name === sensor);
    element.hidden = !isMissing;
    whole.hidden = isMissing;
  });
  return { element, end };
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** The bar of a recording. Call what it returns with the state of the playback, or null for a device. */
export function playbackBar(root, act) {
  const place = h("span", { class: "clock" }), bar = h("progress", { max: 1, "aria-label": "Position in the recording" });
  let state = null;
  const pause = h("button", { onclick: () => act("playback", { paused: !state?.paused }) }, "Pause");
  const restart = h("button", { onclick: () => act("playback", { restart: true }) }, "From the start");
  fill(root, pause, restart, bar, place);
  return (playback) => {
    state = playback ?? null;
    root.hidden = !state;
    if (!state) return;
    const { position_s: position, duration_s: duration } = state;
    say(place, typeof duration === "number" ? `${clock(position)} of ${clock(duration)}` : clock(position));
    bar.hidden = typeof duration !== "number";
    bar.value = duration > 0 ? Math.min(1, position / duration) : state.ended ? 1 : 0;
    say(pause, state.paused ? "Resume" : "Pause");
    pause.disabled = state.ended;
  };
}
