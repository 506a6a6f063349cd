"""How long a byte takes to the figure in a browser: `python latency.py PATH_OF_LODESTONE`, a benchmark and no test.

A device on a pseudo-terminal says 50 headings a second, each one once; the page notes when its figure shows which."""

import os
import pty
import re
import statistics
import sys
import tempfile
import time
import tty

from page_test import PROGRAM, browser
from server import Server

SECONDS, RATE = 30, 50
NOTE = """window.seen = []; new MutationObserver(() => window.seen.push(
  [document.querySelector('.figure').textContent, performance.timeOrigin + performance.now()]))
  .observe(document.querySelector('.figure'), {childList: true, subtree: true, characterData: true})"""


def sentence(tenths):
    body = f"HCHDM,{tenths / 10:.1f},M"
    check = 0
    for byte in body.encode():
        check ^= byte
    return f"${body}*{check:02X}\r\n".encode()


def say(master, seconds, sent):
    end, number = time.monotonic() + seconds, len(sent)
    while time.monotonic() < end:
        tenths = number * 7 % 3600
        sent[tenths] = time.time() * 1000
        os.write(master, sentence(tenths))
        number += 1
        time.sleep(1 / RATE)


master, slave = pty.openpty()
tty.setraw(slave)
sent, driver = {}, browser()
with tempfile.TemporaryDirectory() as home:
    server = Server(PROGRAM, os.ttyname(slave), home)
    driver.get(server.address + "/#compass")
    say(master, 3, sent)
    driver.execute_script(NOTE)
    say(master, SECONDS, sent)
    waits = []
    for text, shown in driver.execute_script("return window.seen"):
        found = re.match(r"([\d.]+)°", text)
        if found and (since := sent.get(round(float(found.group(1)) * 10))):
            waits.append(shown - since)
    server.stop()
driver.quit()
waits.sort()
print(f"{len(waits)} figures: median {statistics.median(waits):.0f} ms, 95 % within {waits[len(waits) * 95 // 100]:.0f} ms")
