// What alternates: amplitude over frequency, up to half the sampling rate.

import { Drawing } from "./canvas.js";
import { niceStep } from "./history.js";
import { fixed } from "../numbers.js";

/** Draws `{nyquist_hz, amplitude_uT: [...], lines: [{frequency_hz, amplitude_uT}]}`. */
export class Spectrum {
  constructor() {
    this.drawing = new Drawing("Spectrum of the field", "drawing", 2.6);
    this.element = this.drawing.element;
    this.data = null;
  }

  draw() {
    this.drawing.draw((context, width, height, ink) => {
      const bins = this.data?.amplitude_uT ?? [], nyquist = this.data?.nyquist_hz ?? 1;
      const size = this.drawing.letters, [left, bottom, top] = [size * 4.3, size * 1.7, 8], high = Math.max(1e-6, ...bins) * 1.15;
      const x = (hertz) => left + (hertz / nyquist) * (width - left - 8);
      const y = (value) => height - bottom - (value / high) * (height - bottom - top);
      context.fillStyle = ink.soft;
      context.strokeStyle = ink.rule;
      const step = niceStep(nyquist, width < 420 ? 3 : 5);
      context.textAlign = "center";
      for (let hertz = 0; hertz <= nyquist; hertz += step) {
        context.strokeRect(x(hertz), top, 0, height - bottom - top);
        context.fillText(`${fixed(hertz, step < 1 ? 1 : 0)} Hz`, Math.min(x(hertz), width - size * 1.9), height - size * 0.4);
      }
      context.textAlign = "right";
      context.fillText(fixed(high, high < 1 ? 3 : high < 100 ? 2 : 0), left - 8, top + size * 0.8);
      context.fillText("µT", left - 8, top + size * 2);
      context.strokeStyle = ink.blue;
      context.lineWidth = 1.8;
      context.beginPath();
      bins.forEach((value, index) => context.lineTo(x((index / Math.max(1, bins.length - 1)) * nyquist), y(value)));
      context.stroke();
      context.fillStyle = ink.orange;
      for (const line of this.data?.lines ?? []) {
        context.beginPath();
        context.arc(x(line.frequency_hz), y(line.amplitude_uT), 4, 0, 7);
        context.fill();
      }
    });
  }
}
