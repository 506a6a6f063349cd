"""The page in a real browser, against the built program: `python page_test.py PATH_OF_LODESTONE`."""

import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from board import Board, ObedientHand, attitude, eights
from server import Server

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ".build/debug/lodestone"
VIEWS = ["compass", "teslameter", "calibrate", "level", "motion", "attitude", "raw", "devices", "settings", "swing", "distance", "beside"]
LONG = "usb-Silicon_Labs_CP2102N_USB_to_UART_Bridge_Controller_0001-if00-port0"


def turn(a, b):
    """The shortest turn from one direction to another."""
    return (b - a + 180) % 360 - 180


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

    def board(self, name="board"):
        board = Board(os.path.join(self.home.name, name))
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

    def figure(self):
        """The number of the large figure; not a number where there is none."""
        found = re.search(r"[−\d.]+", self.text(".figure"))
        return float(found.group(0).replace("−", "-")) if found else float("nan")

    def button(self, name):
        return next(one for one in self.driver.find_elements(By.TAG_NAME, "button") if one.text == name)

    def press(self, name):
        # The page may move while it fills: a hand that missed would aim again.
        def pressed():
            button = self.button(name)
            self.driver.execute_script(
                "window.isHit = false; arguments[0].addEventListener('click', () => { window.isHit = true }, {once: true})",
                button)
            try:
                button.click()
            except ElementClickInterceptedException:
                return False
            return self.driver.execute_script("return window.isHit !== false")
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
            self.assertEqual(self.driver.find_element(By.CSS_SELECTOR, "nav [aria-current=page]").get_attribute("href").split("#")[1], view)
            if view in VIEWS[:7] and view != "calibrate":
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

    def test_a_field_past_the_range_has_no_lines(self):
        path = os.path.join(self.home.name, "clipped.csv")
        with open(path, "w") as file:
            file.write("time_s,mx_uT,my_uT,mz_uT\n")
            for index in range(1000):
                field = 20 + 200 * math.sin(2 * math.pi * 5 * index / 50)
                if field > 150:
                    file.write("# saturated\n")
                file.write(f"{index / 50},{min(field, 150):.2f},{5 + index % 3 / 10},-40\n")
        server = self.serve(path)
        self.open(server, "teslameter")
        self.wait(lambda: "spectrum" in server.state())
        spectrum = server.state()["spectrum"]
        self.assertEqual((spectrum["saturated"], spectrum["lines"], spectrum["amplitude_uT"]), (True, [], []))
        self.assertEqual(spectrum["hidden_mains_hz"], [50])
        self.wait(lambda: "end of its range" in self.text("main") and "hum of 50 Hz mains" in self.text("main"))
        self.no_errors()

    def test_the_unit_changes(self):
        server = self.serve("sim:?motion=still")
        self.open(server, "teslameter")
        self.wait(lambda: "µT" in self.text(".figure"))
        self.keys("u")
        self.wait(lambda: "nT" in self.text(".figure"))
        # The values beside the curves have the decimals of the unit, too.
        self.wait(lambda: re.search(r"\|d\|\s+[−\d]+ .* nT", self.text(".readout")))
        Select(self.driver.find_element(By.CSS_SELECTOR, "[aria-label=Unit]")).select_by_value("mT")
        self.wait(lambda: re.search(r"\d\.\d{5} mT", self.text(".readout")))
        self.no_errors()


class Axes(PageTest):
    def test_the_heading_axis_is_chosen(self):
        board = self.board()
        board.hand, board.quiet = lambda t: attitude((0, 0, 1), 40), 0.05
        server = self.serve(board.path)
        self.open(server)
        self.wait(lambda: re.search(r"\d", self.text(".figure")))
        before = server.state()["heading"]["magnetic_heading_deg"]
        self.assertIn("of the top edge", self.text("main .label"))
        for edge, more in (("right", 90), ("bottom", 180), ("left", 270), ("top", 0)):
            Select(self.driver.find_element(By.ID, "axis")).select_by_value(edge)
            self.wait(lambda: f"of the {edge} edge" in self.text("main .label"))
            self.wait(lambda: abs(turn(before + more, self.figure())) < 3, message=edge)
        self.no_errors()

    def test_choices_are_kept(self):
        server = self.serve("sim:?motion=still")
        server.ask("settings", {"axis": "left", "smoothing_s": 2, "place": {"latitude_deg": 48.2, "longitude_deg": 16.37}})
        self.wait(lambda: server.state()["compass"]["declination_deg"] is not None)
        self.assertGreater(server.state()["compass"]["declination_deg"], 3)
        server.stop()
        again = self.serve("sim:?motion=still")
        self.wait(lambda: "compass" in again.state())
        state = again.state()["compass"]
        self.assertEqual((state["axis"], state["edge"], state["smoothing_s"]), ("left", "left", 2))
        self.assertEqual(state["place"]["latitude_deg"], 48.2)
        self.open(again)
        self.wait(lambda: "True heading of the left edge" in self.text("main .label"))
        for wrong in ({"axis": "up"}, {"smoothing_s": -1}, {"place": {"latitude_deg": 91, "longitude_deg": 0}}, {"other": 1}, 5):
            with self.assertRaises(urllib.error.HTTPError, msg=wrong) as refused:
                again.ask("settings", wrong)
            self.assertEqual(refused.exception.code, 400)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            again.ask("settings", {"place": {"latitude_deg": 48.2, "longitude_deg": 16.4, "altitude_m": 1e12}})
        self.assertIn("altitude_m: must be -12000 to 850000", refused.exception.read().decode())

    def test_the_place_of_the_command_is_told(self):
        server = self.serve("sim:?motion=still", "--at", "48.2,16.37,200")
        self.wait(lambda: "compass" in server.state())
        place = server.state()["compass"]["place"]
        self.assertEqual((place["latitude_deg"], place["longitude_deg"], place["altitude_m"]), (48.2, 16.37, 200))

    def test_attitude_reads_as_the_compass(self):
        server = self.serve("sim:?motion=still", "--at", "48.2,16.37")
        self.open(server, "attitude")
        self.wait(lambda: server.state().get("attitude", {}).get("qw") is not None)
        self.wait(lambda: "true north" in self.text("main .label"))
        self.wait(lambda: abs(turn(self.figure(), server.state()["heading"]["true_heading_deg"])) < 1.5)
        self.no_errors()

    def test_without_a_gyroscope_it_says_what_to_do(self):
        server = self.serve(self.board().path)
        self.open(server, "attitude")
        self.wait(lambda: "no gyroscope" in self.text("#missing"))
        self.no_errors()

    def test_level_shows_one_tilt(self):
        """Lying, the bubble is as far off as the figure says; standing, the dial has its name."""
        board = self.board()
        board.hand, board.quiet = lambda t: attitude((0.17365, 0.25, 0.9526), 0), 0.02
        server = self.serve(board.path)
        self.open(server, "level")
        self.wait(lambda: abs(self.figure() - 17.7) < 0.3)
        self.assertIn("Lying", self.text("main .label"))
        self.assertIn("Bubble", self.driver.find_element(By.CSS_SELECTOR, "main canvas").get_attribute("aria-label"))
        board.hand = lambda t: attitude((0.5, 0.866, 0.02), 0)
        self.wait(lambda: "Standing" in self.text("main .label") and abs(self.figure() - 30) < 1)
        self.assertIn("Dial", self.driver.find_element(By.CSS_SELECTOR, "main canvas").get_attribute("aria-label"))
        self.no_errors()

    def test_poses_are_told_apart(self):
        """Boards with the left and with the right edge up do not look alike, nor any others that are asked for."""
        self.open(self.serve("sim:"), "calibrate")
        shares = self.driver.execute_async_script("""
          const done = arguments[0];
          Promise.all([import('/draw/board.js'), import('/draw/space.js')]).then(([{ Board }, { pose }]) => {
            const ups = { left: [-1, 0, 0], right: [1, 0, 0], top: [0, 1, 0], bottom: [0, -1, 0], face: [0, 0, 1], back: [0, 0, -1] };
            const pixels = Object.entries(ups).map(([name, up]) => {
              const board = new Board(name);
              document.body.append(board.element);
              board.element.style.width = '300px';
              board.attitude = pose(up, 0);
              board.draw();
              const { width, height } = board.element, data = board.element.getContext('2d').getImageData(0, 0, width, height).data;
              board.element.remove();
              return [name, data];
            });
            const shares = {};
            pixels.forEach(([a, one], i) => pixels.slice(i + 1).forEach(([b, other]) => {
              let differ = 0, drawn = 0;
              for (let at = 0; at < one.length; at += 4) {
                const isOther = [0, 1, 2, 3].some((k) => Math.abs(one[at + k] - other[at + k]) > 24);
                if (one[at + 3] > 128 || other[at + 3] > 128) { drawn += 1; differ += isOther ? 1 : 0; }
              }
              shares[a + ' and ' + b] = differ / drawn;
            }));
            done(shares);
          });""")
        for pair, share in shares.items():
            self.assertGreater(share, 0.3 if pair == "left and right" else 0.1, pair)

    def test_a_swing_is_guided(self):
        """Eight known headings on a board turned through the circle give the deviation: here 3° everywhere."""
        board = self.board()
        board.hand, board.quiet, board.iron = lambda t: attitude((0, 0, 1), 0), 0.05, False
        server = self.serve(board.path)
        self.open(server, "swing")
        for heading in range(0, 360, 45):
            board.hand = lambda t: attitude((0, 0, 1), heading)
            before = len(server.state()["swing"]["marks"])

            def taken():
                try:
                    time.sleep(0.5)
                    server.ask("swing/mark", {"reference_deg": server.state()["heading"]["magnetic_heading_deg"] + 3})
                    return True
                except urllib.error.HTTPError:
                    return False
            time.sleep(2.2)
            self.wait(taken, message=str(heading))
            self.wait(lambda: len(server.state()["swing"]["marks"]) == before + 1)
        self.wait(lambda: "Enough headings" in self.text("main .advice"))
        table = server.state()["swing"]["deviation"]["table"]
        self.assertTrue(all(abs(value - 3) < 1 for _, value in table), table)
        self.no_errors()

    def test_iron_stays_in_a_swing(self):
        """Iron put on after the calibration is taken off headings until a swing begins, and again when it is given up."""
        profile = os.path.join(self.home.name, "before.json")
        subprocess.run([PROGRAM, "calibrate", "-q", "--device", "sim:?seed=4&hard=10,20,-15&motion=figure-eight&speed=max",
                        "--profile", profile], check=True, capture_output=True)
        server = self.serve("sim:?seed=4&hard=18,14,-15", "--profile", profile)
        self.open(server, "swing")

        def refusal():
            try:
                server.ask("swing/mark", {"reference_deg": 90})
                return ""
            except urllib.error.HTTPError as error:
                return error.read().decode()

        def left_out():
            """By how much the heading is not that of the field as it comes."""
            heading = server.state()["heading"]
            if heading["pitch_deg"] is None:
                return 0
            pitch, roll = (math.radians(heading[name]) for name in ("pitch_deg", "roll_deg"))
            up = (-math.sin(roll) * math.cos(pitch), math.sin(pitch), math.cos(roll) * math.cos(pitch))
            field = [heading[name] for name in ("bx_uT", "by_uT", "bz_uT")]
            cross = lambda a, b: [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]
            east = cross(field, up)
            north = cross(up, east)
            return abs(turn(math.degrees(math.atan2(east[1], north[1])), heading["magnetic_heading_deg"]))
        self.wait(lambda: left_out() > 15, seconds=60)
        self.assertIn("mark this one again", refusal())
        self.assertNotIn("mark this one again", refusal())
        self.wait(lambda: left_out() < 5)
        server.ask("swing/clear", {})
        self.wait(lambda: left_out() > 15, seconds=60)
        self.assertIn("mark this one again", refusal())
        self.no_errors()

    def test_a_magnet_is_measured(self):
        """A dipole of 1 A·m² on the z axis, 10 mm behind the case: 0.2 µT·m³ / (r + d)³."""
        board, distance = self.board(), [None]
        board.quiet, plain = 0.05, board.row
        def row(t):
            cells = plain(t).split(",")
            if distance[0] is not None:
                cells[3] = "%.3f" % (float(cells[3]) + 0.2 / (distance[0] / 1000 + 0.01) ** 3)
            return ",".join(cells)
        board.row = row
        server = self.serve(board.path)
        self.open(server, "distance")
        self.wait(lambda: "Point the magnet" in self.text("main .advice"))
        for millimetres in (60, 90, 120, 160):
            distance[0] = millimetres
            time.sleep(1.3)
            self.driver.find_element(By.CSS_SELECTOR, "main input").send_keys(f"{millimetres}\n")
            self.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, "main tbody tr")) >= (60, 90, 120, 160).index(millimetres) + 1)
        found = server.state()["distance"]["result"]
        self.assertAlmostEqual(found["moment_Am2"], 1, delta=0.05)
        self.assertAlmostEqual(found["depth_mm"], 10, delta=1.5)
        self.assertRegex(self.text("main dl"), r"(1\.0\d|0\.9\d) ±0\.\d\d A·m²")
        self.no_errors()

    def test_two_devices_are_compared(self):
        first, second = self.board(), self.board("other")
        for board, shift in ((first, 0), (second, 12)):
            board.quiet, board.hand = 0.02, lambda t: attitude((0, 0, 1), 0)
            plain = board.row
            def row(t, plain=plain, shift=shift):
                cells = plain(t).split(",")
                cells[1] = "%.3f" % (float(cells[1]) + shift)
                return ",".join(cells)
            board.row = row
        server = self.serve(first.path, "--device", second.path)
        self.open(server, "beside")
        self.wait(lambda: abs(self.figure() - 12) < 0.3)
        self.assertAlmostEqual(server.state()["beside"]["difference_uT"][0], 12, delta=0.3)
        told = lambda: self.text("#notices")
        self.wait(lambda: second.path + ": Not calibrated" in told())
        second.unplug()
        self.wait(lambda: second.path + ": The device has gone" in told())
        self.wait(lambda: server.state()["beside"]["second"]["field_uT"] is None)
        self.driver.refresh()
        self.wait(lambda: second.path + ": The device has gone" in told())
        second.plug()
        self.wait(lambda: "The device is back" in told() and "has gone" not in told())
        self.wait(lambda: abs(self.figure() - 12) < 0.3)
        self.no_errors()

    def test_a_compass_without_a_field_says_so_in_each_view(self):
        board = self.board()
        board.words = "$HCHDG,40.3,,,4.1,E*1B"
        self.open(self.serve(board.path))
        self.wait(lambda: "as the device tells it" in self.text("main .label"))
        for view, words in (("teslameter", "No magnetic field"), ("level", "No accelerations"), ("motion", "No accelerations"),
                            ("calibrate", "No magnetic field")):
            self.driver.get(f"{self.driver.current_url.split('#')[0]}#{view}")
            self.wait(lambda: words in self.text("main"), message=view)
            self.assertNotIn("moving", self.text("main"))
        board.words = None
        self.wait(lambda: "No magnetic field" not in self.text("main"))
        self.no_errors()

    def test_a_bearing_is_kept(self):
        board = self.board()
        board.hand, board.quiet = lambda t: attitude((0, 0, 1), 40), 0.05
        self.open(self.serve(board.path))
        self.wait(lambda: re.search(r"\d", self.text(".figure")))
        self.press("Keep this bearing")
        self.wait(lambda: "on course" in self.text(".deviation"))
        board.hand = lambda t: attitude((0, 0, 1), 75)
        self.wait(lambda: "too far" in self.text(".deviation"))
        self.press("Stop keeping the bearing")
        self.no_errors()

    def test_a_bearing_stays_where_it_was_once_true_north_is_known(self):
        board = self.board()
        board.hand, board.quiet = lambda t: attitude((0, 0, 1), 40), 0.05
        server = self.serve(board.path)
        self.open(server)
        self.wait(lambda: re.search(r"\d", self.text(".figure")))
        self.press("Keep this bearing")
        self.wait(lambda: re.match(r"Bearing \d+° magnetic: on course", self.text(".deviation")))
        server.ask("settings", {"place": {"latitude_deg": 60, "longitude_deg": -45}})  # where the declination is 25° west
        self.wait(lambda: self.text(".label").startswith("True heading"))
        self.assertRegex(self.text(".deviation"), r"Bearing \d+° magnetic: on course")
        self.no_errors()

    def test_no_value_is_cut_off_on_a_phone(self):
        driver = browser(390, 844)
        self.addCleanup(driver.quit)
        server = self.serve("sim:", "--at", "48.2,16.37")
        for view in VIEWS:
            driver.get("about:blank")
            driver.get(f"{server.address}/#{view}")
            WebDriverWait(driver, 30).until(lambda _: driver.find_element(By.ID, "link").text == "Live")
            for size in ["16px", "32px"]:  # the usual letters, and those of somebody who reads twice as large
                driver.execute_script("document.documentElement.style.fontSize = arguments[0]", size)
                time.sleep(0.5)  # a few values
                cut = driver.execute_script(
                    "return [...document.querySelectorAll('dd')].filter((one) => one.offsetParent"
                    " && one.scrollWidth > one.clientWidth).map((one) => one.textContent)")
                self.assertEqual(cut, [], f"{view} at {size}")

    def test_what_was_seen_is_downloaded(self):
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": self.home.name})
        self.open(self.serve("sim:?motion=still"), "teslameter")
        self.wait(lambda: "µT" in self.text(".figure"))
        self.driver.find_element(By.CSS_SELECTOR, "[aria-label='Name of a mark']").send_keys("magnet\n")
        time.sleep(1)
        self.press("Download CSV")
        self.press("Picture")
        files = lambda end: [name for name in os.listdir(self.home.name) if name.endswith(end)]
        self.wait(lambda: files(".csv") and files(".png"))
        with open(os.path.join(self.home.name, files(".csv")[0])) as file:
            header, *rows = file.read().splitlines()
        self.assertIn("magnitude_uT", header.split(","))
        self.assertGreater(len(rows), 20)
        self.assertEqual(sum(row.split(",")[header.split(",").index("mark")] == "magnet" for row in rows), 1)
        with open(os.path.join(self.home.name, files(".png")[0]), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        self.no_errors()

    def test_a_recording_that_is_full_stops_and_says_so(self):
        """Nothing is discarded from it: the rows that are downloaded begin with the first."""
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "deny"})
        self.open(self.serve("sim:?motion=still"), "teslameter")
        pressed, words, file = self.driver.execute_async_script("""
          const done = arguments[0], made = [];
          import("/record.js").then(async ({ recorder }) => {
            let take;
            const make = URL.createObjectURL.bind(URL);
            URL.createObjectURL = (blob) => (made.push(blob), make(blob));
            const { element } = recorder(document.createElement("div"), { on: (_, work) => { take = work; } }, "field");
            const record = element.querySelector("button");
            record.click();
            for (let row = 0; row <= 200000; row++) take({ time_s: row });
            done([record.getAttribute("aria-pressed"), element.querySelector(".hint").textContent,
                  (await made[0].text()).split("\\n").slice(0, 2).concat(made.length)]);
          });""")
        self.assertEqual(pressed, "false")
        self.assertIn("200000 rows at most", words)
        self.assertEqual(file, ["time_s,mark", "0,", 1])

    def test_it_can_be_installed(self):
        server = self.serve("sim:")
        self.open(server)
        problems = self.driver.execute_cdp_cmd("Page.getAppManifest", {})
        self.assertEqual(problems["errors"], [])
        self.assertIn("standalone", problems["data"])
        # The shell opens without the server, and says that it is away.
        self.wait(lambda: self.driver.execute_async_script(
            "navigator.serviceWorker.ready.then((one) => arguments[0](Boolean(one.active)))"))
        self.driver.get(server.address)
        self.wait(lambda: self.text("#link") == "Live")
        server.stop()
        self.driver.get(server.address)
        self.wait(lambda: self.text("#link").startswith("Server not reachable"))


class Calibrating(PageTest):
    def test_an_obedient_hand_ends_good(self):
        board = self.board()
        board.quiet = 0.3
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
        self.press("Save")
        self.wait(lambda: "· calibrated" in self.text("#device"))
        self.assertTrue(any(name.endswith(".json") for _, _, names in os.walk(self.home.name) for name in names))
        # The last rest does not turn the heading axis: page, events and truth agree, however it is held then.
        self.driver.execute_script("location.hash = 'compass'")
        for up, truth in [((0.1, -0.1, 1), 75), ((0, 0, 1), 30), ((0.3, 0.2, 1), 200), ((-0.2, -0.3, 1), 310)]:
            board.hand = lambda t: attitude(up, truth)
            self.wait(lambda: abs(turn(self.figure(), truth)) < 3, message=f"{truth}")
            time.sleep(2)
            told, shown = [], []
            for _ in range(8):
                told.append(turn(truth, server.state()["heading"]["magnetic_heading_deg"]))
                shown.append(turn(truth, self.figure()))
                time.sleep(0.15)
            for values in (told, shown):
                self.assertLess(abs(sum(values) / len(values)), 0.5, f"{truth}: {values}")
        self.no_errors()

    def test_causes_are_kept(self):
        """A motor's current, found by the command, is taken off while the page calibrates anew, and stays in what it saves."""
        board, profile = self.board(), os.path.join(self.home.name, "profile.json")
        board.quiet, board.motor = 0.3, (0.5, -0.3, 0.2)
        board.hand, sweep = eights, os.path.join(self.home.name, "sweep.csv")
        with open(sweep, "w") as file:
            file.write(board.header + "".join(board.row(i / 50) for i in range(2000)))
        subprocess.run(
            [PROGRAM, "calibrate", sweep, "--profile", profile, "--cause", "current_A"], check=True, capture_output=True)
        server = self.serve(board.path, "--profile", profile)
        self.open(server, "compass")
        self.wait(lambda: re.search(r"current_A\n[0-9.]+: its share is taken off", self.text("#causes")))
        self.driver.execute_script("location.hash = 'calibrate'")
        hand = ObedientHand(board, server.address)
        self.press("Start")
        self.wait(lambda: (hand.state.get("verdict") or {}).get("savable"), 90, "no verdict in 90 s")
        self.assertEqual(hand.state["verdict"]["verdict"], "good", hand.state)
        self.assertIn("its share is taken off", self.text("#causes"))
        hand.stopped = True
        self.press("Save")

        saved = lambda: glob.glob(self.home.name + "/lodestone/*/**/*.json", recursive=True)
        self.wait(saved)
        with open(saved()[0]) as file:
            causes = json.load(file)["causes"]
        self.assertEqual([cause["name"] for cause in causes], ["current_A"])
        for found, true in zip(causes[0]["uT_per_unit"], board.motor):
            self.assertLess(abs(found - true), 0.05)
        self.driver.execute_script("location.hash = 'compass'")
        board.hand = lambda t: attitude((0.1, -0.1, 1), 75)
        self.wait(lambda: abs(turn(self.figure(), 75)) < 3)
        self.no_errors()

    def test_other_ways_are_offered(self):
        """Positions without a sweep; a touch-up only where there is a calibration to refine."""
        server = self.serve("sim:")
        self.open(server, "calibrate")
        self.press("Positions only")
        self.wait(lambda: server.state()["calibration"]["phase"] in ("waiting", "sweep", "rests"))
        self.press("Cancel")
        self.wait(lambda: server.state()["calibration"]["phase"] == "idle")
        for wrong in ({"level": {}}, {"method": "dance"}, {"method": 1}, {"laser": True}):
            with self.assertRaises(urllib.error.HTTPError, msg=wrong) as refused:
                server.ask("calibration/start", wrong)
            self.assertEqual(refused.exception.code, 400)
        bare = self.serve("sim:?calibrated=no")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            bare.ask("calibration/start", {"method": "touch-up"})
        self.assertEqual(refused.exception.code, 409)

    def test_a_laser_is_found(self):
        """Twelve positions, then the rolled shots that the page asks for; and who has no laser finishes without."""
        board = self.board()
        board.quiet = 0.3
        server = self.serve(board.path)
        self.open(server, "calibrate")
        hand = ObedientHand(board, server.address)
        self.press("Positions and laser")
        self.wait(lambda: "Aim at a second mark" in self.text("#advice"), 120, hand.state)
        self.wait(lambda: "4 of 4 at mark 1" in self.text("main"))
        self.wait(lambda: (hand.state.get("verdict") or {}).get("savable"), 60, "no verdict")
        self.wait(lambda: "a laser or sight points 2.0" in self.text("#verdict"))
        self.press("Discard")
        self.press("Positions and laser")
        self.wait(lambda: hand.state.get("phase") == "rolls", 120, hand.state)
        self.press("Finish without the laser")
        self.wait(lambda: "laser or sight points is not known" in self.text("#verdict"))
        hand.stopped = True
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
        self.wait(lambda: self.text("main .devices") != "")
        field = self.driver.find_element(By.CSS_SELECTOR, "main input")
        field.send_keys("sim:?calibrated=no\n")
        self.wait(lambda: "not calibrated" in self.text("#device"))
        # What cannot be opened is told, and the device stays.
        field.clear()
        field.send_keys("/dev/ttyLODESTONE9\n")
        self.wait(lambda: "no such device" in self.text("#notices"))
        self.assertIn("not calibrated", self.text("#device"))
        self.wait(lambda: self.text("#link") == "Live")


    def test_a_bad_choice_leaves_the_device(self):
        """What is no device is refused with its reason; nothing of a file is repeated, and nothing ends."""
        folder = os.path.join(self.home.name, "rides")
        os.mkdir(folder)
        secret = os.path.join(folder, "secret.txt")
        with open(secret, "w") as file:
            file.write("root:$6$abcdef:19000\n" * 40)
        server = self.serve("sim:?motion=still", "--recordings", folder)
        for address in ["-", secret, "/etc/shadow", "tcp://127.0.0.1:9", "mqtt://127.0.0.1/x", "/dev/pts/0", "sim:?nonsense=1"]:
            with self.assertRaises(urllib.error.HTTPError, msg=address) as refused:
                server.ask("device", {"address": address})
            self.assertEqual(refused.exception.code, 409, address)
            self.assertNotIn("$6$", refused.exception.read().decode())
        self.assertEqual(server.state()["device"]["name"], "sim-1")
        self.assertNotIn("$6$", "".join(server.log))
        self.assertIsNone(server.process.poll())

    def test_a_recording_is_played_and_stays(self):
        """At its own pace, with pause and position; its end leaves what there is to see."""
        path = os.path.join(self.home.name, "ride.csv")
        with open(path, "w") as file:
            file.write("time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n")
            for row in range(1000):  # it must last until a slow machine has opened the page
                file.write(f"{row / 50:.2f},{20 + row / 100:.2f},1.5,-40,0.01,0.02,0.9998\n")
        server = self.serve(path)
        self.open(server)
        self.wait(lambda: "of 0:19" in self.text("#playback"))
        self.press("Pause")
        self.wait(lambda: server.state()["device"]["playback"]["paused"])
        place = server.state()["device"]["playback"]["position_s"]
        time.sleep(0.7)
        self.assertEqual(server.state()["device"]["playback"]["position_s"], place)
        self.press("Resume")
        self.wait(lambda: self.text("#link") == "Recording ended", seconds=60)
        self.assertIsNone(server.process.poll())
        self.wait(lambda: server.state()["heading"]["time_s"] == 19.98)
        self.press("From the start")
        self.wait(lambda: server.state()["heading"]["time_s"] < 3)
        self.wait(lambda: server.state()["device"]["playback"]["position_s"] > 1)
        server.ask("playback", {"paused": True, "restart": True})
        self.wait(lambda: server.state()["device"]["playback"]["position_s"] == 0)
        self.assertTrue(server.state()["device"]["playback"]["paused"])
        server.ask("playback", {"paused": False, "restart": True})
        self.wait(lambda: not server.state()["device"]["playback"]["paused"])
        self.wait(lambda: server.state()["device"]["playback"]["position_s"] > 0)
        self.no_errors()


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

    def test_warnings_of_a_server_before_are_over(self):
        """What the server that is there does not tell holds no longer; a warning that it tells again stays as it is."""
        server = self.serve("sim:?calibrated=no")
        self.open(server)
        self.wait(lambda: "Not calibrated" in self.text("#notices"))
        server.stop()
        self.wait(lambda: self.text("#link").startswith("Server not reachable"))
        second = self.serve("sim:?calibrated=no", port=server.port)
        self.wait(lambda: self.text("#link") == "Live")
        self.wait(lambda: "Not calibrated" in self.text("#notices"))
        second.stop()
        self.wait(lambda: self.text("#link").startswith("Server not reachable"))
        self.serve("sim:", port=server.port)
        self.wait(lambda: self.text("#link") == "Live")
        self.wait(lambda: "Not calibrated" not in self.text("#notices"))
        self.no_errors()

    def test_more_tabs_than_a_browser_has_connections(self):
        """Chromium opens six to a server, and each tab that listens takes one: the seventh did not load."""
        server = self.serve("sim:")
        first, tabs = self.driver.current_window_handle, []
        for _ in range(8):
            self.driver.switch_to.new_window("tab")
            tabs.append(self.driver.current_window_handle)
            self.open(server)
        for tab in tabs:
            self.driver.switch_to.window(tab)
            self.wait(lambda: self.text("#link") == "Live")
        for tab in tabs:
            self.driver.switch_to.window(tab)
            self.driver.close()
        self.driver.switch_to.window(first)

    def test_a_tab_rests_while_others_are_used(self):
        others = """const channel = new BroadcastChannel("lodestone");
            for (let name = 0; name < 5; name++) channel.postMessage({ name, isUsed: true });"""
        self.open(self.serve("sim:"))
        self.driver.execute_script(others)
        self.wait(lambda: self.text("#link").startswith("Paused"))
        self.driver.find_element(By.TAG_NAME, "main").click()
        self.wait(lambda: self.text("#link") == "Live")
        # A recording goes on in a tab that is not looked at.
        self.press("Record")
        self.driver.execute_script(others)
        time_of = lambda: int(self.text(".recorder .hint").split()[0] or 0)
        self.wait(lambda: self.text(".recorder .hint").endswith("recorded") and time_of() >= 2)
        self.assertEqual(self.text("#link"), "Live")
        self.no_errors()

    def test_a_field_that_changes_again_is_not_stuck(self):
        board = self.board()
        server = self.serve(board.path)
        self.open(server)
        board.row = lambda t: "%.4f,20.13,1.42,-40.37,0,0,1\r\n" % t
        self.wait(lambda: "stuck or gone" in self.text("#notices"))
        del board.row
        self.wait(lambda: "stuck or gone" not in self.text("#notices"))
        self.no_errors()


class Reading(PageTest):
    """Screens, keys and readers of all kinds."""

    def test_nothing_is_wider_than_the_screen(self):
        board = self.board(LONG)
        server = self.serve(board.path)
        for width, text in ((360, "100%"), (360, "200%"), (740, "100%"), (1280, "100%"), (1920, "")):
            driver = browser(width, 740)
            try:
                driver.get(server.address)
                if text:
                    driver.execute_script(f"document.documentElement.style.fontSize = '{text}'")
                WebDriverWait(driver, 20).until(lambda _: "Silicon" in driver.find_element(By.ID, "device").text)
                for view in VIEWS:
                    driver.execute_script(f"location.hash = '{view}'")
                    shown = f"nav [aria-current=page][href='#{view}']"
                    WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.CSS_SELECTOR, shown))
                    time.sleep(0.3)
                    wide = driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(wide, 0, f"{view} at {width}, {text}")
            finally:
                driver.quit()

    def test_a_wall_shows_everything(self):
        """Nothing of an instrument is below the edge of a wall's screen, and letters on canvases are large."""
        server = self.serve("sim:")
        driver = browser(1920, 1080)
        try:
            for view in VIEWS[:7]:
                driver.get("about:blank")
                driver.get(f"{server.address}/#{view}")
                WebDriverWait(driver, 20).until(lambda _: driver.find_element(By.ID, "link").text == "Live")
                if view == "calibrate":
                    next(one for one in driver.find_elements(By.TAG_NAME, "button") if one.text == "Start").click()
                time.sleep(0.7)
                low = driver.execute_script("""return Math.max(...[...document.querySelectorAll(
                  'main canvas, main .figure, main dl.rows, main .advice')].filter((one) => one.clientHeight)
                  .map((one) => one.getBoundingClientRect().bottom))""")
                self.assertLessEqual(low, 1080, view)
            size = driver.execute_async_script(
                "const done = arguments[0]; import('/draw/canvas.js').then((all) => done(all.letters()))")
            self.assertGreaterEqual(size, 16)
        finally:
            driver.quit()

    def test_colours_can_be_told_apart(self):
        """4.5 to 1 for letters, 3 to 1 for the borders of what can be pressed."""
        server = self.serve("sim:")
        for scheme in ("light", "dark"):
            driver = browser(scheme=scheme)
            try:
                driver.get(server.address)
                ratios = driver.execute_script("""
                  const style = getComputedStyle(document.documentElement);
                  const light = (name) => {
                    const hex = style.getPropertyValue('--' + name).trim().slice(1);
                    const full = hex.length === 3 ? [...hex].map((one) => one + one).join('') : hex;
                    const [r, g, b] = [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16) / 255)
                      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                  };
                  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
                  return Object.fromEntries([['red', 'red-wash'], ['orange', 'orange-wash'], ['green', 'green-wash'],
                    ['soft', 'panel'], ['soft', 'rule'], ['ink', 'blue-wash'], ['x', 'panel'], ['y', 'panel'], ['z', 'panel'],
                    ['red', 'panel'], ['edge', 'panel']].map(([a, b]) => [a + ' on ' + b, ratio(a, b)]))""")
                for pair, ratio in ratios.items():
                    self.assertGreaterEqual(ratio, 3 if pair.startswith("edge") else 4.5, f"{pair}, {scheme}")
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
        for index, view in enumerate(VIEWS[:9]):
            self.keys(str(index + 1))
            self.wait(lambda: self.driver.current_url.endswith("#" + view))
        self.keys("2")
        self.wait(lambda: "µT" in self.text(".figure"))
        self.keys("z")
        self.wait(lambda: "taking the zero-point" in self.text("main"))
        # Space presses what has the focus, and does nothing else then.
        self.wait(lambda: "taking the zero-point" not in self.text("main"))
        self.driver.execute_script("document.querySelector('main button.main').focus()")
        self.keys(" ")
        self.wait(lambda: "taking the zero-point" in self.text("main"))
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".history [aria-pressed=true]"), [])
        self.driver.execute_script("document.querySelector('nav a').focus()")
        reached = set()
        for _ in range(24):
            self.keys("\ue004")
            reached.add(self.driver.execute_script("return document.activeElement.textContent"))
        self.assertIn("Zero", reached)
        self.no_errors()

    def test_single_keys_can_be_switched_off(self):
        server = self.serve("sim:?motion=still")
        self.open(server, "settings")
        box = next(one for one in self.driver.find_elements(By.CSS_SELECTOR, "label.check") if "Single keys" in one.text)
        box.click()
        self.keys("2")
        time.sleep(0.3)
        self.assertTrue(self.driver.current_url.endswith("#settings"))
        box.click()
        self.driver.execute_script("document.activeElement.blur()")
        self.keys("2")
        self.wait(lambda: self.driver.current_url.endswith("#teslameter"))

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
