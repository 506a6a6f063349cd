// Whose turn it is to listen, where many tabs of one browser show the page: a browser opens six connections to a server at most,
// and each tab that listens takes one. Those that were used last have theirs; the others rest, so that a new tab still opens.

const HIDDEN = 4, SHOWN = 5; // tabs used since, after which one that is hidden or shown rests

/** Follows the other tabs. Calls `rest` when it is another's turn. */
export class Turns {
  #name = `${performance.timeOrigin} ${Math.random()}`;
  #since = new Set(); // the tabs that were used after this one
  #channel = window.BroadcastChannel ? new BroadcastChannel("lodestone") : null;
  #rest;

  constructor(rest) {
    this.#rest = rest;
    this.#channel?.addEventListener("message", ({ data: { name, isUsed } }) => {
      if (isUsed) this.#since.add(name);
      else this.#since.delete(name);
      this.check();
    });
    addEventListener("pagehide", () => this.#say(false));
  }

  #say(isUsed) {
    this.#channel?.postMessage({ name: this.#name, isUsed });
  }

  /** Takes a turn: the tab is used now. */
  take() {
    this.#since.clear();
    this.#say(true);
  }

  /** Looks whether it is another's turn. */
  check() {
    if (this.#since.size >= (document.hidden ? HIDDEN : SHOWN)) this.#rest();
  }
}
