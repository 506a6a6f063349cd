// Puts the page together: instruments, the connection, notices, speech and keys.

import { h, say } from "./dom.js";
import { ask, Live } from "./live.js";
import { attitude } from "./views/attitude.js";
import { calibrate } from "./views/calibrate.js";
import { compass } from "./views/compass.js";
import { devices } from "./views/devices.js";
import { field } from "./views/field.js";
import { level } from "./views/level.js";
import { motion } from "./views/motion.js";

/** Every instrument, in the order of the menu. A new one is a file and a line here. */
const instruments = [compass, field, calibrate, level, motion, attitude, devices];

const view = document.getElementById("view");
const link = document.getElementById("link");
const device = document.getElementById("device");
const notices = document.getElementById("notices");
const speech = document.getElementById("speech");
const STATES = {
  connecting: "Connecting", live: "Live", waiting: "Waiting for the device", lost: "Server not reachable, trying again",
};

let connection = "connecting", isGone = false, leave = () => {}, current = null;

function showState() {
  const state = connection === "live" && isGone ? "waiting" : connection;
  link.dataset.state = state;
  say(link, STATES[state]);
  view.classList.toggle("gone", state !== "live" && current?.isLive !== false);
}

const live = new Live((state) => {
  connection = state;
  showState();
});

/** Shows a notice for a while. */
function tell(text, kind = "warning") {
  const line = h("p", { "data-kind": kind }, text);
  notices.append(line);
  while (notices.children.length > 4) notices.firstChild.remove();
  setTimeout(() => line.remove(), 12000);
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

const menu = document.getElementById("instruments");
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
  view.replaceChildren(h("h1", {}, instrument.title));
  leave = instrument.show(view, { live, act, ask, speak, tell }) ?? (() => {});
  showState();
}

addEventListener("hashchange", () => {
  show();
  scrollTo(0, 0);
  view.focus({ preventScroll: true });
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const chosen = instruments[Number(event.key) - 1];
  if (chosen) location.hash = chosen.id;
  else if (current?.keys?.[event.key]) {
    event.preventDefault();
    current.keys[event.key]();
  }
});

live.on("device", (state) => {
  isGone = state.gone === true;
  say(device, [state.name, state.calibration].filter(Boolean).join(" · "));
  showState();
});
live.on("notice", (notice) => tell(notice.text, notice.kind));
show();
