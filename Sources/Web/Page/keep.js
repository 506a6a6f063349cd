// What is chosen in this browser and kept there: unit, sounds, keys, the bearing.

const NAME = "lodestone", changed = new Set();
const kept = { unit: "uT", keys: true, sound: { rest: true, shake: false, magnet: false, bearing: true }, limit: 100, bearing: null, bearingIsTrue: null };

try {
  Object.assign(kept, JSON.parse(localStorage.getItem(NAME) ?? "{}"));
} catch { /* Nothing was kept, or the browser keeps nothing. */ }

/** What is chosen; to be read only. */
export const choices = kept;

/** Takes changes, keeps them, and tells whoever asked. */
export function choose(changes) {
  Object.assign(kept, changes);
  try {
    localStorage.setItem(NAME, JSON.stringify(kept));
  } catch { /* They hold for this visit. */ }
  for (const work of changed) work(kept);
}

/** Calls `work` at each change. Returns what ends it. */
export function onChoice(work) {
  changed.add(work);
  return () => changed.delete(work);
}
