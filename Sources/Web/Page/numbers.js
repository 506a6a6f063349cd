// Numbers as people read them. The widths stay the same from one value to the next, so digits do not jump.

const FIGURE_SPACE = "\u2007", MINUS = "\u2212", DASH = "–";

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** A number with this many decimals, padded to a width; a dash where there is none. */
export function fixed(value, decimals, width = 0) {
  if (!isNumber(value)) return DASH.padStart(width, FIGURE_SPACE);
  const rounded = Math.abs(value).toFixed(decimals);
  const sign = value < 0 && Number(rounded) !== 0 ? MINUS : "";
  return (sign + rounded).padStart(width, FIGURE_SPACE);
}

/** A heading in whole and tenth degrees; what rounds up to 360 is 0. */
export function heading(degrees, decimals = 1) {
  if (!isNumber(degrees)) return DASH.padStart(4 + decimals, FIGURE_SPACE);
  const text = degrees.toFixed(decimals);
  return (Number(text) >= 360 ? (0).toFixed(decimals) : text).padStart(4 + decimals - 1, FIGURE_SPACE);
}

/** A number with its unit; the dash of an absent one stands alone. */
export const measure = (value, decimals, unit, width = 0) => fixed(value, decimals, width) + (isNumber(value) ? unit : "");

/** "±1.0°", or what to say where nothing can be vouched for. */
export const give = (value, decimals, unit = "") => (isNumber(value) ? `±${fixed(value, decimals)}${unit}` : "±?");

/** As many decimals as make the last digit as large as the uncertainty, at most `most`. */
export function decimalsFor(uncertainty, most) {
  if (!isNumber(uncertainty) || uncertainty <= 0) return most;
  return Math.max(0, Math.min(most, 1 - Math.floor(Math.log10(uncertainty))));
}

/** The units of the field, with their size in microtesla and the decimals that make sense. */
export const UNITS = {
  uT: { symbol: "µT", microtesla: 1, decimals: 2 },
  nT: { symbol: "nT", microtesla: 0.001, decimals: 0 },
  mT: { symbol: "mT", microtesla: 1000, decimals: 5 },
  G: { symbol: "G", microtesla: 100, decimals: 4 },
  mG: { symbol: "mG", microtesla: 0.1, decimals: 1 },
};

const POINTS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/** The nearest of the eight points, as a word. */
export const point = (degrees) => POINTS[Math.round(degrees / 45) % 8];

/** The shortest turn from one direction to another, −180 to 180. */
export const turn = (from, to) => ((((to - from) % 360) + 540) % 360) - 180;
