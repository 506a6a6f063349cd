"""What programs read of us, judged by others' tools: `python program_test.py PATH_OF_LODESTONE`."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error

import line_protocol_parser
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from board import Board, ObedientHand
from server import Server

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ".build/debug/lodestone"


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)

    def serve(self, device, *options):
        server = Server(PROGRAM, device, self.home.name, *options)
        self.addCleanup(lambda: server.process.poll() is None and server.stop())
        return server

    def eventually(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)


class Description(ProgramTest):
    def obeys(self, description, name, value):
        """A value obeys a schema of the description, and has no key that is not described."""
        schema = {"$ref": f"#/components/schemas/{name}", "components": description["components"]}
        errors = [f"{error.json_path}: {error.message[:200]}" for error in Draft202012Validator(schema).iter_errors(value)]
        self.assertEqual(errors, [], name)
        self.assertEqual(set(value) - set(description["components"]["schemas"][name]["properties"]), set(), name)

    def test_it_is_valid(self):
        validate(json.loads(self.serve("sim:").read("/api/v1/openapi.json")))

    def test_the_state_is_as_described(self):
        server = self.serve("sim:", "--at", "48.2,16.37")
        description = json.loads(server.read("/api/v1/openapi.json"))
        names = set(description["components"]["schemas"]["State"]["properties"]) - {"sweep"}
        self.eventually(lambda: names <= set(server.state()))
        state = server.state()
        self.obeys(description, "State", state)
        for name, value in state.items():
            self.obeys(description, name.capitalize(), value)

    def test_events_are_as_described_through_a_calibration(self):
        board = Board(os.path.join(self.home.name, "board"))
        self.addCleanup(board.close)
        server = self.serve(board.path, "--profile", "none")
        description = json.loads(server.read("/api/v1/openapi.json"))
        hand = ObedientHand(board, server.address)
        self.assertEqual(server.ask("calibration/start", {}), {"done": True})
        phases, names = set(), set()
        for name, value in server.events():
            names.add(name)
            if name != "alive":
                self.obeys(description, name.capitalize(), value)
            if name == "calibration":
                phases.add(value["phase"])
                if value["verdict"]:
                    break
        hand.stopped = True
        self.assertEqual(phases - {"idle", "waiting"}, {"sweep", "rests", "done"})
        # A board without a gyroscope tells no attitude.
        self.assertLessEqual({"device", "heading", "field", "level", "motion", "calibration", "sweep"}, names)
        self.assertEqual(server.state()["device"]["calibration"], "not calibrated")
        self.assertIn("Saved", server.ask("calibration/save", {})["text"])
        # What was saved counts from now on, although the program was started without a calibration.
        self.eventually(lambda: server.state()["device"]["calibration"].startswith("calibrated"))


class Sensors(ProgramTest):
    def test_the_sensor_that_an_attitude_lacks_is_named(self):
        """A six-axis board has no north, a gyroscope beside a magnetometer no down, and a compass no gyroscope."""
        field, force, rate = "mx_uT,my_uT,mz_uT", "ax_g,ay_g,az_g", "gx_dps,gy_dps,gz_dps"
        for header, row, missing in [
            ((force, rate), "0.00{0},0,1,0.0{0},0.01,0", "magnetometer"),
            ((field, rate), "0.{0},20,-43,0.0{0},0.01,0", "accelerometer"),
            ((field, force), "0.{0},20,-43,0.00{0},0,1", "gyroscope"),
        ]:
            path = os.path.join(self.home.name, f"{missing}.csv")
            with open(path, "w") as file:
                file.write("time_s," + ",".join(header) + "\n")
                file.writelines(f"{i / 50}," + row.format(i % 7) + "\n" for i in range(500))
            server = self.serve(path, "--profile", "none")
            self.eventually(lambda: server.state().get("attitude", {}).get("missing") == missing)
            server.stop()


class Devices(ProgramTest):
    def test_a_device_is_free_once_another_has_its_place(self):
        board = Board(os.path.join(self.home.name, "board"))
        self.addCleanup(board.close)
        server = self.serve(board.path)
        name = lambda: server.state().get("device", {}).get("name")
        self.eventually(name)
        first = name()
        for address, there in [("sim:?motion=still", "sim-1"), (board.path, first)] * 2:
            self.assertEqual(server.ask("device", {"address": address}), {"done": True})
            self.eventually(lambda: name() == there)


class Bounds(ProgramTest):
    def test_marks_of_a_swing_come_to_an_end(self):
        server = self.serve("sim:?motion=still")
        self.eventually(lambda: server.state().get("heading", {}).get("magnetic_heading_deg") is not None)

        def marked():
            try:
                return server.ask("swing/mark", {"reference_deg": 10})["done"]
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, 409)
                self.refusal = json.load(error)["error"]
                return False
        self.eventually(marked)
        for number in range(1, 360):
            self.assertTrue(marked(), number)
        self.assertFalse(marked())
        self.assertIn("360 marks, the most possible", self.refusal)
        self.eventually(lambda: len(server.state()["swing"]["marks"]) == 360)


class Metrics(ProgramTest):
    def test_prometheus_understands_them(self):
        server = self.serve("sim:", "--at", "48.2,16.37")
        self.eventually(lambda: {"field", "level", "motion", "attitude"} <= set(server.state()))
        self.eventually(lambda: "lodestone_field_magnitude_microtesla " in server.read("/metrics"))
        text = server.read("/metrics")
        # promtool knows the older text format, of which this is one but for the last line, a comment there. It judges
        # names, too: base units or at least no abbreviated ones, small letters, and a line of help for each.
        judged = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, capture_output=True)
        self.assertEqual((judged.returncode, judged.stdout + judged.stderr), (0, ""))
        families = {family.name: family for family in text_string_to_metric_families(text)}
        self.assertTrue(text.endswith("\n# EOF\n"))
        heading = families["lodestone_heading_true_heading_degrees"]
        self.assertEqual((heading.type, heading.unit), ("gauge", "degrees"))
        sine, cosine = (families[f"lodestone_heading_true_heading_{part}"].samples[0].value for part in ("sine", "cosine"))
        self.assertAlmostEqual(sine**2 + cosine**2, 1, places=4)

    def board_with_metrics(self):
        """A board that is served, and what its heading begins with in the metrics once it is there."""
        board = Board(os.path.join(self.home.name, "board"))
        self.addCleanup(board.close)
        server = self.serve(board.path)
        heading = "\nlodestone_heading_magnetic_heading_degrees "
        self.eventually(lambda: heading in server.read("/metrics"))
        return board, server, heading

    def test_a_device_that_is_gone_has_no_readings(self):
        board, server, heading = self.board_with_metrics()
        self.assertIn("\nlodestone_device_present 1\n", server.read("/metrics"))
        board.unplug()
        self.eventually(lambda: "\nlodestone_device_present 0\n" in server.read("/metrics"))
        self.assertNotIn(heading, server.read("/metrics"))
        board.plug()
        self.eventually(lambda: heading in server.read("/metrics"))

    def test_a_device_that_tells_no_field_any_more_has_no_readings(self):
        board, server, heading = self.board_with_metrics()
        for _ in range(2):  # it is noticed each time
            board.words = "error: sensor not found"
            self.eventually(lambda: "\nlodestone_device_present 0\n" in server.read("/metrics"))
            self.assertNotIn(heading, server.read("/metrics"))
            board.words = None
            self.eventually(lambda: heading in server.read("/metrics"))


class Recording(ProgramTest):
    def test_every_command_takes_it(self):
        server = self.serve("sim:")
        path = os.path.join(self.home.name, "recording.csv")
        self.eventually(lambda: server.read("/api/v1/recording.csv").count("\n") > 100)
        with open(path, "w") as file:
            file.write(server.read("/api/v1/recording.csv"))
        run = subprocess.run([PROGRAM, "heading", "--device", path, "--format", "json", "--profile", "none"],
                             text=True, capture_output=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(len([json.loads(line) for line in run.stdout.splitlines()]), 80)


class Influx(ProgramTest):
    """Lines for Influx and Telegraf."""

    def points(self, *command):
        run = subprocess.run(
            [PROGRAM, *command, "--format", "influx", "--quiet"], capture_output=True, text=True,
            env={**os.environ, "XDG_DATA_HOME": self.home.name}, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        return [line_protocol_parser.parse_line(line) for line in run.stdout.splitlines()]

    def test_every_instrument_is_understood(self):
        device = "sim:?motion=still&speed=max"
        for command in ["heading", "teslameter", "level", "motion", "attitude", "record"]:
            points = self.points(command, "--device", device, "--count", "40")
            self.assertEqual(len(points), 40, command)
            for point in points:
                self.assertEqual(point["tags"]["device"], "sim-1")
                self.assertGreater(len(point["fields"]), 2)
                self.assertLess(abs(point["time"] * 1e-9 - time.time()), 3600)
            stamps = [point["time"] for point in points]
            self.assertEqual(stamps, sorted(set(stamps)))

    def test_a_name_with_everything_in_it_comes_back(self):
        name = 'a b,c=d "e" \\f'
        path = os.path.join(self.home.name, "recording.csv")
        with open(path, "w") as file:
            file.write(f"# lodestone recording 1\n# device: {name}\n# start: 2026-03-01T09:30:00.25Z\n")
            file.write("time_s,mx_uT,my_uT,mz_uT\n1.000000001,1,20,-43\n2.5,1,20.25,-43\n")
        first, second = self.points("record", "--device", path)
        self.assertEqual(first["measurement"], "sample")
        self.assertEqual(first["tags"], {"device": name})
        self.assertEqual(second["fields"], {"mx_uT": 1.0, "my_uT": 20.25, "mz_uT": -43.0})
        self.assertEqual((first["time"], second["time"]), (1772357401250000001, 1772357402750000000))


if __name__ == "__main__":
    unittest.main(verbosity=2)
