// What is attached, and a choice.

import { h } from "../dom.js";

export const devices = {
  id: "devices",
  title: "Devices",
  isLive: false,
  show(root, { live, act, ask, tell }) {
    const body = h("tbody", {}), look = h("button", { class: "main", onclick: () => fill() }, "Look again");
    const address = h("input", { type: "text", "aria-label": "Address", placeholder: "sim:", size: 24 });
    const open = async (name) => {
      const answer = await act("device", { address: name });
      if (answer) tell(`Opening ${name}`, "good");
    };
    const form = h("form", { class: "buttons", onsubmit: (event) => {
      event.preventDefault();
      if (address.value.trim()) open(address.value.trim());
    } }, address, h("button", {}, "Open"));
    root.append(h("section", { class: "panel" }, h("div", { class: "buttons" }, look, form),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {},
        ...["Address", "What it is", "Speaks", "Sensors", ""].map((name) => h("th", {}, name)))), body))));

    async function fill() {
      look.disabled = true;
      try {
        const found = await ask("devices"), used = live.latest.device?.name;
        body.replaceChildren(...found.map((one) => h("tr", {},
          h("td", {}, h("code", {}, one.address)), h("td", {}, one.description ?? one.kind ?? ""),
          h("td", {}, [one.protocol, one.chip].filter(Boolean).join(", ")), h("td", {}, (one.sensors ?? []).join(", ")),
          h("td", {}, one.problem ? h("span", { class: "problem" }, one.problem)
            : one.address === used ? h("span", { class: "tag" }, "in use")
            : h("button", { "aria-label": `Open ${one.address}`, onclick: () => open(one.address) }, "Open")))));
        if (!found.length) body.append(h("tr", {}, h("td", { colspan: 5 }, "None found. The simulation is always there: sim:")));
      } catch (error) {
        tell(error.message);
      }
      look.disabled = false;
    }
    fill();
    return () => {};
  },
};
