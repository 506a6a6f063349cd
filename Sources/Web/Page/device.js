// The device in use: its name for people, and the bar of a recording.

import { fill, h, say } from "./dom.js";

/** A name that fits: of a path the last part, without what the system adds. */
export function shortName(name) {
  const last = (name ?? "").split("/").at(-1) || name || "";
  const text = last.replace(/^usb-/, "").replace(/-if\d+(-port\d+)?$/, "").replaceAll("_", " ");
  return text.length > 34 ? `${text.slice(0, 18)}…${text.slice(-14)}` : text;
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
