// Puts the page together: instruments, the connection, notices, speech and keys.

import { h, say } from "./dom.js";
import { choices, onChoice } from "./keep.js";
import { ask, Live } from "./live.js";
import { playbackBar, shortName } from "./device.js";
import { attitude } from "./views/attitude.js";
import { beside } from "./views/beside.js";
import { calibrate } from "./views/calibrate.js";
import { compass } from "./views/compass.js";
import { devices } from "./views/devices.js";
import { distance } from "./views/distance.js";
import { field } from "./views/field.js";
import { level } from "./views/level.js";
import { motion } from "./views/motion.js";
import { raw } from "./views/raw.js";
import { settings } from "./views/settings.js";
import { swing } from "./views/swing.js";

/** Every instrument, in the order of the menu. A new one is a file and a line here. */
const instruments = [compass, field, calibrate, level, motion, attitude, raw, devices, settings, swing, distance, beside];

const part = (id) => document.getElementById(id);
const [view, link, device, notices, speech, big, full] = ["view", "link", "device", "notices", "speech", "big", "full"].map(part);
const STATES = {
  connecting: "Connecting", live: "Live", waiting: "Waiting for the device", lost: "Server not reachable, trying again",
  ended: "Recording ended", resting: "Paused: too many tabs show this page. Click to go on",
};

let connection = "connecting", known = {}, leave = () => {}, current = null;

function showState() {
  const state = connection !== "live" ? connection : known.gone ? "waiting" : known.playback?.ended ? "ended" : "live";
  link.dataset.state = state;
  say(link, STATES[state]);
  view.classList.toggle("gone", !["live", "ended"].includes(state) && current?.isLive !== false);
}

const live = new Live(["device", "notice", "compass", "causes", ...instruments.flatMap((one) => one.events)], (state) => {
  connection = state;
  showState();
});

// MARK: Notices

const shown = new Map();
/** The numbers of warnings that were put away, by topic: a page that was away hears them again. */
const dismissed = new Map();

function putAway(topic) {
  clearTimeout(shown.get(topic)?.timer);
  shown.get(topic)?.line.remove();
  shown.delete(topic);
}

/** Shows a notice in place of an earlier one of its topic: warnings until they are over or put away, others for a while. */
function tell(text, kind = "warning", topic = "page", target = null, number = null) {
  putAway(topic);
  const dismiss = () => { if (number !== null) dismissed.set(topic, number); putAway(topic); };
  const close = h("button", { class: "close", "aria-label": "Put away", onclick: dismiss }, "×");
  const help = target && current?.id !== target
    ? h("a", { href: `#${target}`, onclick: dismiss }, instruments.find((one) => one.id === target)?.title ?? "") : null;
  const line = h("div", { class: "notice", "data-kind": kind, "data-topic": topic }, h("p", {}, text, help && " ", help), close);
  const seconds = kind === "good" ? 8 : topic === "page" ? 15 : 0;
  shown.set(topic, { line, kind, number, timer: seconds ? setTimeout(() => putAway(topic), seconds * 1000) : 0 });
  notices.append(line);
  while (shown.size > 4) putAway(shown.keys().next().value);
}

let spoken = 0;

/** Says something to screen readers, not more often than a person can listen to. */
function speak(text, atOnce = false) {
  const now = performance.now();
  if (!atOnce && now - spoken < 6000) return;
  spoken = now;
  say(speech, text);
}

/** Does what a button asks and tells what goes wrong. */
async function act(path, body = {}) {
  try {
    return await ask(path, body);
  } catch (error) {
    tell(error.message);
    return null;
  }
}

// MARK: Instruments

const menu = part("instruments");
const links = instruments.map((instrument, index) =>
  h("a", { href: `#${instrument.id}`, "aria-keyshortcuts": String(index + 1) }, instrument.title));
menu.append(...links);

function show() {
  const instrument = instruments.find((one) => `#${one.id}` === location.hash) ?? instruments[0];
  if (instrument === current) return;
  leave();
  current = instrument;
  links.forEach((one, index) => {
    if (instruments[index] !== instrument) return one.removeAttribute("aria-current");
    one.setAttribute("aria-current", "page");
    one.scrollIntoView({ block: "nearest", inline: "center" });
  });
  document.title = `${instrument.title} · Lodestone`;
  view.dataset.view = instrument.id;
  view.replaceChildren(h("h1", {}, instrument.title));
  leave = instrument.show(view, { live, act, ask, speak, tell }) ?? (() => {});
  showState();
  stayAwake();
}

addEventListener("hashchange", () => {
  show();
  scrollTo(0, 0);
  view.focus({ preventScroll: true });
});

// MARK: The screen

function showBig(isOn = !document.body.classList.contains("big")) {
  document.body.classList.toggle("big", isOn);
  big.setAttribute("aria-pressed", String(isOn));
}

function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => tell("This browser has no full screen."));
}
document.addEventListener("fullscreenchange", () => {
  full.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
});
big.addEventListener("click", () => showBig());
full.addEventListener("click", toggleFull);

let lock = null;

/** Keeps the screen on while an instrument is shown, where the browser allows it. */
async function stayAwake() {
  if (document.visibilityState !== "visible" || current?.isLive === false) return lock?.release().catch(() => {});
  try {
    if (!lock || lock.released) lock = await navigator.wakeLock?.request("screen");
  } catch { /* The battery is low, or the page is not shown. */ }
}
document.addEventListener("visibilitychange", stayAwake);
if (isSecureContext) navigator.serviceWorker?.register("worker.js").catch(() => {});

// MARK: Keys

addEventListener("keydown", (event) => {
  if (!choices.keys || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  // Space and Enter press what has the focus.
  if (event.key === " " && event.target.closest?.("button, a, [tabindex='0']")) return;
  const chosen = instruments[Number(event.key) - 1];
  const work = { f: toggleFull, b: () => showBig(), ...current?.keys }[event.key];
  if (chosen) location.hash = chosen.id;
  else if (work) {
    event.preventDefault();
    work();
  }
});
const showKeys = () => { part("keys").hidden = !choices.keys; document.body.classList.toggle("keyless", !choices.keys); };
onChoice(showKeys);
showKeys();

const bar = playbackBar(part("playback"), act);
live.on("device", (state) => {
  known = state;
  say(device, [shortName(state.name), state.calibration].filter(Boolean).join(" · "));
  device.title = state.name;
  bar(state.playback);
  showState();
});
/** The topics that a server has told of since the connection to it came about; null once it has told all that holds. */
let told = null;
live.on("open", () => { told = new Set(); });
live.on("alive", () => {
  // A warning that was over meanwhile, or was another server's, is not told again.
  for (const [topic, { kind, number }] of [...shown]) {
    if (told && kind === "warning" && number !== null && !told.has(topic)) putAway(topic);
  }
  told = null;
});
live.on("notice", ({ topic, kind, text, view, number }) => {
  told?.add(topic);
  if (kind !== "over") {
    if (number !== dismissed.get(topic) && number !== shown.get(topic)?.number) tell(text, kind, topic, view, number);
  } else if (shown.get(topic)?.kind === "warning") putAway(topic);
});
show();
