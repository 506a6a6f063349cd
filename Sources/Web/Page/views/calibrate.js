// The guided calibration: a sphere that fills, the next pose drawn as a board, the verdict in words.

import { needing } from "../device.js";
import { animate, fill, h, paced, rows, say } from "../dom.js";
import { attitudeFrom, Board } from "../draw/board.js";
import { pose } from "../draw/space.js";
import { Sphere } from "../draw/sphere.js";
import { fixed, give, measure } from "../numbers.js";
import { download, recorder } from "../record.js";
import { ring } from "../sound.js";
import { causes } from "./causes.js";

const PHASES = {
  idle: "Not started", waiting: "Waiting for the device", sweep: "Sweep", circles: "Circles", rests: "Rests", rolls: "Rolled shots", done: "Done",
  refused: "Refused",
};
const RUNNING = ["waiting", "sweep", "circles", "rests", "rolls"];

/** "  hard iron    1.3, 14.1, 26.4 µT" as a row; a line without columns as a paragraph. */
function reported(line) {
  const [term, ...rest] = line.trim().split(/\s{2,}/);
  return rest.length ? [h("dt", {}, term), h("dd", {}, rest.join(" "))] : [h("dt", { class: "whole" }, term)];
}

/** "4 of 4 at mark 1, 2 of 4 at mark 2"; a dash where none are asked for. */
function shots(state) {
  if (!state.next_shot) return "–";
  const marks = Math.max(state.marks_wanted, state.shots.length);
  return Array.from({ length: marks }, (_, mark) => `${state.shots[mark] ?? 0} of ${state.shots_wanted} at mark ${mark + 1}`).join(", ");
}

export const calibrate = {
  id: "calibrate",
  title: "Calibrate",
  events: ["calibration", "sweep"],
  keys: {},
  show(root, { live, act, speak, tell }) {
    const advice = h("p", { class: "advice", id: "advice" }), hint = h("p", { class: "hint" });
    const phase = h("span", { class: "tag" }), warnings = h("ul", {});
    const directions = h("progress", { max: 1, "aria-label": "Directions met" });
    const rests = h("progress", { max: 1, "aria-label": "Rests" }), rest = h("progress", { max: 1, "aria-label": "This rest" });
    const facts = rows(["Accuracy (95 %)", "Rests", "Rolled shots", "Laser (95 %)", "Samples", "Hard iron", "Field", "Inclination"]);
    const raw = new Sphere("Raw field: a shifted, stretched ball", { shows: "raw" });
    const corrected = new Sphere("Corrected field: a ball around the middle", { shows: "corrected" });
    const wanted = new Board("How to hold the board next"), now = new Board("How the board is held now");
    const verdict = h("div", { class: "panel", hidden: true, id: "verdict" });
    const wantedPart = h("div", {}, h("h2", {}, "Hold it like this"), wanted.element);
    const poses = h("div", { class: "panel" }, h("div", { class: "pair" }, wantedPart, h("div", {}, h("h2", {}, "Held now"), now.element)), rest);

    const start = h("button", { class: "main", onclick: () => act("calibration/start", { level: false }) }, "Start");
    const level = h("button", { onclick: () => act("calibration/start", { level: true }) }, "Start for a boat or a car");
    const held = h("button", { onclick: () => act("calibration/start", { method: "held" }) }, "Positions only");
    const laser = h("button", { onclick: () => act("calibration/start", { method: "held", laser: true }) }, "Positions and laser");
    const refine = h("button", { onclick: () => act("calibration/start", { method: "touch-up" }) }, "Touch up");
    const switching = h("button", { onclick: () => act("calibration/level") }, "Switch to level");
    const finish = h("button", { class: "main", onclick: () => act("calibration/finish") }, "Finish without the laser");
    const cancel = h("button", { onclick: () => act("calibration/cancel") }, "Cancel");
    const save = h("button", { class: "main", onclick: async () => {
      const answer = await act("calibration/save");
      if (answer) tell(answer.text ?? "Saved.", "good", "calibration");
    } }, "Save");
    const record = recorder(root, live, "calibration"), taken = causes(live);
    calibrate.keys = { s: () => start.click(), c: () => cancel.click() };

    const whole = h("div", { class: "split" },
      h("section", { class: "stack", "aria-label": "What to do" },
        h("div", { class: "panel" }, h("p", {}, phase), advice, hint, warnings, h("div", { class: "buttons" }, start, level, held, laser, refine, save, switching, finish, cancel)),
        verdict, poses, taken.element,
        h("div", { class: "panel" }, h("h2", {}, "Directions"), directions, h("h2", {}, "Rests"), rests)),
      h("section", { class: "stack spheres", "aria-label": "The sweep" },
        h("div", { class: "panel" }, h("h2", {}, "Corrected field"), corrected.element,
          h("p", { class: "hint" }, "Blue: corrected samples. Green dots: directions met. Rings: missing. The large dot: now. Drag it, or use the arrow keys.")),
        h("div", { class: "panel raw" }, h("h2", {}, "Raw field"), raw.element),
        h("div", { class: "panel figures" }, facts.element), record.element));
    const missing = needing(live, "magnetometer", whole, ["swing", "Swing: deviation of a finished compass"]);
    root.append(whole, missing.element);

    let told = "", counted = 0;
    const write = paced(10, (state) => {
      const isRunning = RUNNING.includes(state.phase), result = state.verdict;
      phase.dataset.quality = { done: "good", refused: "refused" }[state.phase] ?? "";
      say(phase, PHASES[state.phase] ?? state.phase);
      say(advice, state.advice ?? "");
      say(hint, state.hint ?? "");
      warnings.replaceChildren(...(state.warnings ?? []).map((text) => h("li", { class: "warning" }, text)));
      directions.value = state.directions_share ?? 0;
      rests.value = state.rests_wanted ? state.rests / state.rests_wanted : 0;
      rest.value = state.rest_progress ?? 0;
      poses.hidden = !isRunning;
      wantedPart.hidden = !state.next_pose;
      rest.hidden = !state.next_pose && !state.next_shot;
      finish.hidden = state.phase !== "rolls";
      switching.hidden = !(state.phase === "sweep" && state.reminder === "onlyLevel");
      start.hidden = level.hidden = held.hidden = laser.hidden = refine.hidden = isRunning || result?.savable === true;
      cancel.hidden = !isRunning && !result;
      say(cancel, result ? "Discard" : "Cancel");
      save.hidden = !result?.savable;
      facts.set("Accuracy (95 %)", give(state.accuracy_deg, 1, "°"));
      const isLevel = state.phase === "circles";
      facts.set("Rests", isLevel ? "none: level" : `${state.rests ?? 0} of ${state.rests_wanted ?? 8}`);
      if (isLevel) directions.value = (state.circles ?? 0) / (state.circles_wanted || 2);
      facts.set("Rolled shots", shots(state));
      facts.set("Laser (95 %)", state.laser?.words ?? "–");
      facts.set("Samples", String(state.samples ?? 0));
      facts.set("Hard iron", state.hard_iron_uT ? `${state.hard_iron_uT.map((value) => fixed(value, 1)).join(", ")} µT` : "–");
      facts.set("Field", measure(state.field_uT, 1, " µT"));
      facts.set("Inclination", measure(state.inclination_deg, 1, "°"));
      if (["rests", "rolls"].includes(state.phase) && state.rests > counted) ring("rest");
      counted = state.rests ?? 0;
      showVerdict(result);
      if (state.advice && state.advice !== told) speak(state.advice, true);
      told = state.advice ?? "";
    });

    let shown = "";
    function showVerdict(result) {
      const text = JSON.stringify(result ?? null);
      if (text === shown) return;
      shown = text;
      verdict.hidden = !result;
      if (!result) return verdict.replaceChildren();
      const report = [`Lodestone calibration of ${live.latest.device?.name ?? ""}`, new Date().toISOString(), result.words,
        ...(result.lines ?? []), result.problem, result.hint].filter(Boolean).join("\n");
      fill(verdict, h("h2", {}, "Verdict"),
        h("p", { class: "advice" }, h("span", { class: "tag", "data-quality": result.verdict }, result.verdict), " ", result.words ?? ""),
        result.lines?.length ? h("dl", { class: "report" }, ...result.lines.flatMap(reported)) : null,
        result.problem ? h("p", { class: "problem" }, result.problem) : null,
        result.hint ? h("p", { class: "hint" }, result.hint) : null,
        h("div", { class: "buttons" }, h("button", { onclick: () => download("calibration.txt", report + "\n", "text/plain") }, "Download report")));
    }

    const stops = [
      live.on("calibration", (state) => {
        Object.assign(corrected, { met: state.directions_met ?? [], now: state.field_direction ?? null });
        // Once there are enough, those that were not met matter no more.
        corrected.missing = state.phase === "sweep" ? (state.directions_missing ?? []) : [];
        // Besides a wanted pose it is seen from the same side, so that the two look alike when the board is held right.
        const next = state.next_pose, up = state.up;
        now.attitude = !up ? null : next ? pose(up, 0) : attitudeFrom(up, state.field_direction);
        Object.assign(wanted, { attitude: next ? pose(next.up, 0) : null, turn: next?.turn_deg ?? 0 });
        write(state);
      }),
      record.end, taken.end, missing.end,
      live.on("sweep", (sweep) => {
        raw.raw = corrected.raw = sweep.raw ?? [];
        corrected.correction = sweep.correction ?? null;
        corrected.field = sweep.correction ? (sweep.field_uT ?? null) : null;
      }),
      animate(() => [corrected, raw, now, wanted].forEach((one) => one.draw())),
    ];
    write(live.latest.calibration ?? { phase: "idle", advice: "Start, then turn the board through every direction." });
    return () => { stops.forEach((stop) => stop()); write.stop(); };
  },
};
