// Vectors and turns, as little of them as the drawings need. x right, y up the page or north, z towards the viewer.

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const size = (a) => Math.hypot(...a);
export const unit = (a) => { const n = size(a); return n > 0 ? scaled(a, 1 / n) : [0, 0, 1]; };

/** The rows of a 3×3 matrix applied to a vector. */
export const turned = (m, v) => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];

/** One matrix after another. */
export function after(a, b) {
  const columns = [0, 1, 2].map((i) => [b[0][i], b[1][i], b[2][i]]);
  return a.map((row) => columns.map((column) => dot(row, column)));
}

/** A turn about the page's x axis, then about its y axis. */
export function view(pitch, yaw) {
  const [cp, sp, cy, sy] = [Math.cos(pitch), Math.sin(pitch), Math.cos(yaw), Math.sin(yaw)];
  return after([[1, 0, 0], [0, cp, -sp], [0, sp, cp]], [[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]]);
}

/** The matrix of a unit quaternion (w, x, y, z). */
export function matrix([w, x, y, z]) {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** An attitude (east, north, up from device axes) whose up is `up` in the device, its top edge turned by `degrees` clockwise from north. */
export function pose(up, degrees) {
  const u = unit(up);
  let forward = minus([0, 1, 0], scaled(u, u[1]));
  if (size(forward) < 0.05) forward = minus([0, 0, -1], scaled(u, -u[2]));
  const north = unit(forward), east = cross(north, u);
  const angle = (degrees * Math.PI) / 180, [c, s] = [Math.cos(angle), Math.sin(angle)];
  return after([[c, s, 0], [-s, c, 0], [0, 0, 1]], [east, north, u]);
}
