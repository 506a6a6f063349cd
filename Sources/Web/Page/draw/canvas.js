// What every drawing on a canvas shares: sharp pixels, letters that grow with the page, and the theme's colours.

const FAMILY = "Inter, system-ui, sans-serif";

/** A canvas that keeps the size it has on the page. `draw(context, width, height, ink)` is called with CSS pixels. */
export class Drawing {
  #ink = null;

  constructor(label, className = "drawing", ratio = 2) {
    this.element = document.createElement("canvas");
    this.element.className = className;
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", label);
    this.element.style.aspectRatio = String(ratio);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", () => (this.#ink = null));
  }

  /** Draws once. */
  draw(work) {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const scale = Math.min(3, devicePixelRatio || 1);
    if (this.element.width !== Math.round(width * scale)) this.element.width = Math.round(width * scale);
    if (this.element.height !== Math.round(height * scale)) this.element.height = Math.round(height * scale);
    const context = this.element.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    // Letters that are larger than a narrow drawing has room for would lie on one another.
    this.letters = Math.max(13, Math.min(letters(), width / 18));
    context.font = font(this.letters);
    work(context, width, height, this.ink);
  }

  /** The theme's colours. */
  get ink() {
    if (!this.#ink) {
      const style = getComputedStyle(document.documentElement);
      const names = ["panel", "paper", "ink", "soft", "faint", "rule", "edge", "blue", "green", "orange", "red", "x", "y", "z"];
      this.#ink = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    }
    return this.#ink;
  }
}

/** The size of letters in pixels: 13 on a desk, 17 on a wall. */
export const letters = () => Math.max(13, 0.85 * parseFloat(getComputedStyle(document.documentElement).fontSize));

/** A font of a size in pixels. */
export const font = (size, weight = 400) => `${weight} ${size}px ${FAMILY}`;

/** Fills a circle, or draws its line. */
export function circle(context, x, y, radius, { fill, line, width = 1 }) {
  context.beginPath();
  context.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
  if (fill) { context.fillStyle = fill; context.fill(); }
  if (line) { context.strokeStyle = line; context.lineWidth = width; context.stroke(); }
  context.lineWidth = 1;
}

/** A line through points; closed and filled where a colour is given for it. */
export function path(context, points, { fill, line, width = 1 }) {
  context.beginPath();
  points.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
  if (fill) { context.closePath(); context.fillStyle = fill; context.fill(); }
  if (line) { context.strokeStyle = line; context.lineWidth = width; context.stroke(); }
  context.lineWidth = 1;
}
