"""The page in a real browser, against the built program: `python page_test.py PATH_OF_LODESTONE`."""

import os
import re
import sys
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from board import Board, ObedientHand, attitude
from server import Server

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ".build/debug/lodestone"
VIEWS = ["compass", "teslameter", "calibrate", "level", "motion", "attitude", "devices"]


def browser(width=1280, height=900, scheme="light"):
    options = webdriver.ChromeOptions()
    for flag in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
        options.add_argument(flag)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                           {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    return driver


class PageTest(unittest.TestCase):
    """One browser for all tests of a class; each opens what it needs."""

    @classmethod
    def setUpClass(cls):
        cls.driver = browser()

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()

    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)
        self.driver.get_log("browser")

    def serve(self, device, *options, port=0):
        server = Server(PROGRAM, device, self.home.name, *options, port=port)
        self.addCleanup(lambda: server.process.poll() is None and server.stop())
        return server

    def board(self):
        board = Board(os.path.join(self.home.name, "board"))
        self.addCleanup(board.close)
        return board

    def open(self, server, view="compass"):
        self.driver.get("about:blank")
        self.driver.get(f"{server.address}/#{view}")
        self.wait(lambda: self.text("#link") == "Live")

    def wait(self, condition, seconds=30, message=""):
        WebDriverWait(self.driver, seconds, poll_frequency=0.1).until(lambda _: condition(), message)

    def text(self, selector):
        found = self.driver.find_elements(By.CSS_SELECTOR, selector)
        return found[0].text if found else ""

    def button(self, name):
        return next(one for one in self.driver.find_elements(By.TAG_NAME, "button") if one.text == name)

    def press(self, name):
        # The page may move while it fills: a hand would aim again.
        def pressed():
            try:
                self.button(name).click()
                return True
            except ElementClickInterceptedException:
                return False
        self.wait(pressed, message=name)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def no_errors(self):
        # A stopped server refuses connections: the browser logs that, and rightly.
        errors = [line for line in self.driver.get_log("browser")
                  if line["level"] == "SEVERE" and "ERR_CONNECTION" not in line["message"]
                  and "ERR_INCOMPLETE_CHUNKED" not in line["message"]]
        self.assertEqual(errors, [])


class Views(PageTest):
    def test_every_view_shows_numbers(self):
        server = self.serve("sim:")
        for view in VIEWS:
            self.open(server, view)
            self.assertEqual(self.driver.find_element(By.CSS_SELECTOR, "nav [aria-current=page]").text.lower(), view)
            if view not in ("calibrate", "devices"):
                self.wait(lambda: re.search(r"\d", self.text("main dl")), message=view)
            self.no_errors()

    def test_the_heading_is_the_streams(self):
        board = self.board()
        board.hand, board.quiet = lambda t: attitude((0.1, 0.05, 1), 75), 0.05
        server = self.serve(board.path, "--at", "48.2,16.37")
        self.open(server)
        self.wait(lambda: re.search(r"\d", self.text(".figure")))
        time.sleep(1)
        pairs = []
        for _ in range(15):
            state = server.state()["heading"]["true_heading_deg"]
            page = float(re.search(r"([\d.]+)°", self.text(".figure")).group(1))
            pairs.append((page - state + 180) % 360 - 180)
        self.assertLess(abs(sum(pairs) / len(pairs)), 0.2)
        self.no_errors()

    def test_zero_takes_effect(self):
        server = self.serve("sim:?motion=still")
        self.open(server, "teslameter")
        self.wait(lambda: "µT" in self.text(".figure"))
        self.driver.find_element(By.TAG_NAME, "body").click()
        self.press("Zero")
        self.wait(lambda: "taking the zero-point" in self.text("main"))
        self.wait(lambda: "µT" in self.text(".figure"))
        self.assertLess(server.state()["field"]["magnitude_uT"], 3)
        self.no_errors()

    def test_what_alternates_is_told(self):
        server = self.serve("sim:?motion=still")
        self.open(server, "teslameter")
        self.wait(lambda: "spectrum" in server.state() and len(server.state()["spectrum"]["amplitude_uT"]) > 50)
        self.assertAlmostEqual(server.state()["spectrum"]["nyquist_hz"], 25, delta=0.5)
        self.no_errors()

    def test_the_unit_changes(self):
        server = self.serve("sim:?motion=still")
        self.open(server, "teslameter")
        self.wait(lambda: "µT" in self.text(".figure"))
        self.keys("u")
        self.wait(lambda: "nT" in self.text(".figure"))
        self.no_errors()


class Calibrating(PageTest):
    def test_an_obedient_hand_ends_good(self):
        board = self.board()
        server = self.serve(board.path)
        self.open(server, "calibrate")
        hand = ObedientHand(board, server.address)
        begun = time.monotonic()
        self.press("Start")
        self.wait(lambda: (hand.state.get("verdict") or {}).get("savable"), 90, "no verdict in 90 s")
        self.assertEqual(hand.state["verdict"]["verdict"], "good", hand.state)
        print(f"calibrated by the page in {time.monotonic() - begun:.0f} s")
        self.wait(lambda: "Verdict" in self.text("#verdict"))
        told = self.text("#verdict")
        self.assertIn("not calibrated", told)
        self.assertNotIn("null", told)
        hand.stopped = True
        # Flat from now on: the top edge pointed to 75° when the rows were computed.
        board.hand = lambda t: attitude((0.1, -0.1, 1), 75)
        time.sleep(1)
        self.press("Save")
        self.wait(lambda: "· calibrated" in self.text("#device"))
        self.assertTrue(any(name.endswith(".json") for _, _, names in os.walk(self.home.name) for name in names))
        time.sleep(3)
        heading = server.state()["heading"]
        # What it states holds in 95 of 100 cases; a quarter more, nearly always.
        self.assertLess(abs(heading["magnetic_heading_deg"] - 75), 1.25 * heading["accuracy_deg"])
        self.assertLess(heading["accuracy_deg"], 3)
        self.no_errors()

    def test_cancel_saves_nothing(self):
        server = self.serve("sim:?calibrated=no")
        self.open(server, "calibrate")
        self.press("Start")
        self.wait(lambda: server.state()["calibration"]["phase"] in ("sweep", "waiting", "rests"))
        self.press("Cancel")
        self.wait(lambda: server.state()["calibration"]["phase"] == "idle")
        self.assertFalse(any(name.endswith(".json") for _, _, names in os.walk(self.home.name) for name in names))
        self.no_errors()


class Choosing(PageTest):
    def test_another_device_is_chosen(self):
        server = self.serve("sim:?motion=still")
        self.open(server, "devices")
        self.wait(lambda: self.text("main table") != "")
        field = self.driver.find_element(By.CSS_SELECTOR, "main input")
        field.send_keys("sim:?calibrated=no\n")
        self.wait(lambda: "not calibrated" in self.text("#device"))
        # What cannot be opened is told, and the device stays.
        field.clear()
        field.send_keys("/dev/ttyLODESTONE9\n")
        self.wait(lambda: "no such device" in self.text("#notices"))
        self.assertIn("not calibrated", self.text("#device"))
        self.wait(lambda: self.text("#link") == "Live")


class Trouble(PageTest):
    def test_an_unplugged_device_is_told_and_comes_back(self):
        board = self.board()
        server = self.serve(board.path)
        self.open(server)
        self.wait(lambda: re.search(r"\d", self.text(".figure")))
        board.unplug()
        self.wait(lambda: self.text("#link") == "Waiting for the device")
        board.plug()
        self.wait(lambda: self.text("#link") == "Live")
        self.no_errors()

    def test_a_stopped_server_is_told_and_comes_back(self):
        server = self.serve("sim:")
        self.open(server)
        self.assertEqual(server.stop(), 130)
        self.wait(lambda: self.text("#link").startswith("Server not reachable"))
        self.serve("sim:", port=server.port)
        self.wait(lambda: self.text("#link") == "Live")
        self.no_errors()


class Reading(PageTest):
    """Screens, keys and readers of all kinds."""

    def test_nothing_is_wider_than_the_screen(self):
        server = self.serve("sim:")
        for width in (360, 768, 1920):
            driver = browser(width, 740)
            try:
                for view in VIEWS:
                    driver.get("about:blank")
                    driver.get(f"{server.address}/#{view}")
                    time.sleep(0.5)
                    wide = driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(wide, 0, f"{view} at {width}")
            finally:
                driver.quit()

    def test_both_themes(self):
        server, grounds = self.serve("sim:"), []
        for scheme in ("light", "dark"):
            driver = browser(scheme=scheme)
            try:
                driver.get(server.address)
                grounds.append(driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
            finally:
                driver.quit()
        light, dark = ([int(n) for n in re.findall(r"\d+", ground)[:3]] for ground in grounds)
        self.assertGreater(min(light), 200)
        self.assertLess(max(dark), 60)

    def test_the_keyboard_is_enough(self):
        server = self.serve("sim:?motion=still")
        self.open(server)
        for index, view in enumerate(VIEWS):
            self.keys(str(index + 1))
            self.wait(lambda: self.driver.current_url.endswith("#" + view))
        self.keys("2")
        self.wait(lambda: "µT" in self.text(".figure"))
        self.keys("z")
        self.wait(lambda: "taking the zero-point" in self.text("main"))
        self.driver.execute_script("document.querySelector('nav a').focus()")
        reached = set()
        for _ in range(16):
            self.keys("\ue004")
            reached.add(self.driver.execute_script("return document.activeElement.textContent"))
        self.assertIn("Zero", reached)
        self.no_errors()

    def test_every_part_has_a_name(self):
        server = self.serve("sim:")
        for view in VIEWS:
            self.open(server, view)
            nameless = self.driver.execute_script("""
              return [...document.querySelectorAll('canvas, main svg, progress, select, input, nav, img')].filter((one) =>
                !one.getAttribute('aria-label') && !one.closest('label') && one.getAttribute('alt') === null)
                .map((one) => one.outerHTML.slice(0, 80))""")
            self.assertEqual(nameless, [], view)
            silent = self.driver.execute_script(
                "return [...document.querySelectorAll('button, a')].filter((one) => !one.textContent.trim()).length")
            self.assertEqual(silent, 0, view)
            self.assertEqual(len(self.driver.find_elements(By.TAG_NAME, "h1")), 1, view)
        self.assertEqual(self.driver.find_element(By.ID, "link").get_attribute("role"), "status")

    def test_a_reader_is_told_at_a_human_pace(self):
        server = self.serve("sim:")
        self.open(server)
        self.driver.execute_script("""
          window.told = 0;
          new MutationObserver(() => window.told++).observe(document.getElementById('speech'), {childList: true});""")
        time.sleep(7)
        told = self.driver.execute_script("return window.told")
        self.assertTrue(1 <= told <= 3, told)

    def test_no_request_leaves_the_machine(self):
        server = self.serve("sim:")
        self.open(server)
        for index in range(len(VIEWS)):
            self.keys(str(index + 1))
        hosts = self.driver.execute_script(
            "return [...new Set(performance.getEntriesByType('resource').map((one) => new URL(one.name).origin))]")
        self.assertEqual(hosts, [server.address])


if __name__ == "__main__":
    unittest.main(verbosity=2)
