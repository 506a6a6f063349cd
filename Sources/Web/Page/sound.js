// Short tones: eyes are on the board, not on the page. Browsers give sound only after something was pressed.

import { choices } from "./keep.js";

let audio = null, isBusyUntil = 0;

function wake() {
  audio ??= window.AudioContext ? new AudioContext() : null;
  audio?.resume().catch(() => {});
}
for (const name of ["pointerdown", "keydown"]) addEventListener(name, wake, { passive: true });

/** Sounds a tone of a kind that is switched on: rest, shake, magnet or bearing. */
export function ring(kind, hertz = 880, seconds = 0.4) {
  if (!choices.sound[kind] || audio?.state !== "running" || audio.currentTime < isBusyUntil) return false;
  const tone = audio.createOscillator(), loudness = audio.createGain(), now = audio.currentTime;
  isBusyUntil = now + Math.min(seconds, 0.3);
  tone.frequency.value = hertz;
  loudness.gain.setValueAtTime(0.2, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + seconds);
  tone.connect(loudness).connect(audio.destination);
  tone.start(now);
  tone.stop(now + seconds);
  return true;
}
