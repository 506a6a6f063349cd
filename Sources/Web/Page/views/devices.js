// What is attached, and a choice.

import { h, say } from "../dom.js";

export const devices = {
  id: "devices",
  title: "Devices",
  events: [],
  isLive: false,
  show(root, { live, act, ask, tell }) {
    const list = h("ul", { class: "devices", "aria-label": "Attached" }), look = h("button", { class: "main", onclick: () => fill() }, "Look again");
    const address = h("input", { type: "text", "aria-label": "Address", placeholder: "sim:", autocapitalize: "none", spellcheck: "false" });
    const state = h("p", { class: "hint", role: "status" });
    const open = async (name) => {
      say(state, `Opening ${name}. The present device stays until it sends something.`);
      const answer = await act("device", { address: name });
      say(state, "");
      if (answer) { tell(`${name} is open.`, "good"); fill(); }
    };
    const form = h("form", { class: "buttons grow", onsubmit: (event) => {
      event.preventDefault();
      if (address.value.trim()) open(address.value.trim());
    } }, address, h("button", {}, "Open"));
    root.append(h("section", { class: "panel" }, h("div", { class: "buttons" }, look, form), state, list,
      h("p", { class: "hint" }, "Devices of the machine that runs the server, the simulation (sim:), and recordings in the folder that it was started with.")));

    async function fill() {
      look.disabled = true;
      try {
        const found = await ask("devices"), used = live.latest.device?.name;
        list.replaceChildren(...found.map((one) => h("li", {},
          h("div", {}, h("p", {}, h("code", {}, one.address)),
            h("p", { class: "hint" }, [one.description ?? one.kind, one.protocol, one.chip, (one.sensors ?? []).join(", ")].filter(Boolean).join(" · ")),
            one.problem ? h("p", { class: "problem" }, one.problem) : null),
          one.problem ? null : one.address === used ? h("span", { class: "tag" }, "in use")
            : h("button", { "aria-label": `Open ${one.address}`, onclick: () => open(one.address) }, "Open"))));
        if (!found.some((one) => one.kind !== "recording")) list.append(h("li", {}, "No device is attached. The simulation is always there: sim:"));
      } catch (error) {
        tell(error.message);
      }
      look.disabled = false;
    }
    fill();
    return () => {};
  },
};
