// Elements without markup in strings: what comes from a device can only ever become text.

const SVG = "http://www.w3.org/2000/svg";

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element with attributes (`onclick` and the like are listeners) and children. */
export const h = (name, attributes, ...children) => build(document.createElement(name), attributes, children);

/** An SVG element. */
export const s = (name, attributes, ...children) => build(document.createElementNS(SVG, name), attributes, children);

/** Sets a text only where it differs, so that screen readers are not told the same twice. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Puts children in place of those that are there; null and undefined are left out. */
export const fill = (element, ...children) =>
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));

/** A list of terms with values; `set(term, text)` changes one. */
export function rows(terms) {
  const cells = new Map(terms.map((term) => [term, h("dd", {}, "–")]));
  const list = h("dl", { class: "rows" }, ...terms.flatMap((term) => [h("dt", {}, term), cells.get(term)]));
  return { element: list, set: (term, text) => say(cells.get(term), text) };
}

/** Calls `work` at most `perSecond` times a second with the latest argument, and once more at the end. */
export function paced(perSecond, work) {
  let last = 0, timer = 0, argument;
  const run = () => { timer = 0; last = performance.now(); work(argument); };
  const call = (value) => {
    argument = value;
    if (!timer) timer = setTimeout(run, Math.max(0, last + 1000 / perSecond - performance.now()));
  };
  call.stop = () => clearTimeout(timer);
  return call;
}

/** Whether the reader asked for less motion. */
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Draws with each frame of the screen until the returned function is called. */
export function animate(draw) {
  let handle = 0, before = performance.now();
  const frame = (now) => {
    draw(Math.min(0.1, (now - before) / 1000));
    before = now;
    handle = requestAnimationFrame(frame);
  };
  handle = requestAnimationFrame(frame);
  return () => cancelAnimationFrame(handle);
}
