// What every drawing on a canvas shares: sharp pixels, and the theme's colours.

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
    context.font = "12px system-ui, sans-serif";
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
