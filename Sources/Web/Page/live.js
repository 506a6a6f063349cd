// The one connection to the server: events as they come, the latest of each kind, and whether it is there at all.

import { Turns } from "./tabs.js";

const SILENCE = 4000; // milliseconds without a word after which the server counts as gone

/** Those who want every event, though the tab is hidden: recordings. */
export const listeners = new Set();

/** Listens to the server and tells whoever asked. Comes back by itself; rests while too many other tabs listen. */
export class Live {
  latest = {};
  #names;
  #listeners = new Map();
  #source = null;
  #heard = 0;
  #isResting = false;
  #turns = new Turns(() => this.#rest());
  #onState;

  /** `names` are the events that are listened to, besides `open` and `alive`, which follows all that holds at first. */
  constructor(names, onState) {
    this.#names = [...new Set(names)];
    this.#onState = onState;
    this.#turns.take();
    this.#connect();
    setInterval(() => this.#watch(), 1000);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#turns.check() : this.#use()));
    for (const name of ["focus", "pageshow", "pointerdown", "keydown"]) addEventListener(name, () => this.#use());
  }

  /** Calls `work` with each event of that name, and at once with the latest. Returns what ends it. */
  on(name, work) {
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all.add(work));
    if (this.latest[name]) work(this.latest[name]);
    return () => all.delete(work);
  }

  #connect() {
    this.#source?.close();
    const source = new EventSource("api/v1/events");
    this.#source = source;
    this.#heard = performance.now();
    for (const name of ["open", "alive"]) {
      source.addEventListener(name, () => {
        this.#hear();
        this.#take(name, "{}");
      });
    }
    source.addEventListener("error", () => this.#onState("lost"));
    for (const name of this.#names) {
      source.addEventListener(name, (event) => {
        this.#hear();
        this.#take(name, event.data);
      });
    }
  }

  #take(name, text) {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return;
    }
    if (name !== "notice") this.latest[name] = value;
    for (const work of this.#listeners.get(name) ?? []) work(value);
  }

  #hear() {
    this.#heard = performance.now();
    this.#onState("live");
  }

  #rest() {
    if (this.#isResting || listeners.size) return;
    this.#isResting = true;
    this.#source.close();
    this.#onState("resting");
  }

  #use() {
    this.#turns.take();
    if (!this.#isResting) return this.#watch();
    this.#isResting = false;
    this.#connect();
  }

  #watch() {
    if (this.#isResting || performance.now() - this.#heard < SILENCE) return;
    this.#onState("lost");
    this.#connect();
  }
}

/** Asks the server to do something. Answers with its JSON; throws its reason as an Error. */
export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" },
  };
  const response = await fetch(`api/v1/${path}`, { ...options, cache: "no-store" });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `the server said ${response.status}`);
  return answer;
}
