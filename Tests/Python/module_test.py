"""The module lodestone_compass as it is installed: readings, calibrations, errors; and pandas reads the command's CSV."""

import io
import math
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import tty
import unittest
from unittest import mock

import numpy
import pandas

import lodestone_compass
from lodestone_compass import _command

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "Calibration" / "examples"
STILL = "sim:?motion=still&heading=100&hard=0&soft=0&misalignment=0&noise=0&accel-noise=0&speed=max"


def sweep(count=600):
    """A field of 48 µT in all directions, past a known hard and soft iron: b = S (m - o), so m = S⁻¹ b + o."""
    steps = numpy.arange(count)
    z = 1 - 2 * (steps + 0.5) / count
    turn = steps * math.pi * (3 - math.sqrt(5))  # a spiral with even steps
    r = numpy.sqrt(1 - z * z)
    field = 48 * numpy.column_stack([r * numpy.cos(turn), r * numpy.sin(turn), z])
    offset, soft = numpy.array([12.0, -30.0, 5.0]), numpy.diag([1.05, 0.98, 1.0])
    noise = numpy.random.default_rng(7).normal(0, 0.1, (count, 3))
    return field @ numpy.linalg.inv(soft).T + offset + noise, field, offset


class ModuleTest(unittest.TestCase):
    def test_headings_come_one_by_one(self):
        readings = lodestone_compass.headings(STILL, at=(48.2, 16.37), date="2026.9", profile="none", count=5)
        readings = list(readings)
        self.assertEqual(len(readings), 5)
        for reading in readings:
            self.assertAlmostEqual(reading.magnetic_heading_deg, 100, delta=0.2)
            # 5.4° east in Vienna, by the World Magnetic Model 2025.
            self.assertAlmostEqual(reading.true_heading_deg, 105.4, delta=0.2)
        without = next(lodestone_compass.headings(STILL, profile="none"))
        self.assertIsNone(without.true_heading_deg)

    def test_a_stream_can_be_left(self):
        stream = lodestone_compass.headings("sim:", profile="none")
        self.assertIsNotNone(next(stream).magnetic_heading_deg)
        stream.close()

    def test_a_stream_of_a_silent_device_can_be_left(self):
        ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for what it begins in the background
        board, port = os.openpty()
        tty.setraw(port)
        is_silent = threading.Event()

        def speak():
            while not is_silent.wait(0.02):
                os.write(board, b"$HCHDM,101.1,M*28\r\n")

        speaker = threading.Thread(target=speak)
        try:
            stream = lodestone_compass.headings(os.ttyname(port), profile="none")
            speaker.start()
            self.assertEqual(next(stream).magnetic_heading_deg, 101.1)
            is_silent.set()
            leaver = threading.Thread(target=stream.close, daemon=True)
            leaver.start()
            leaver.join(10)
            self.assertFalse(leaver.is_alive())
        finally:
            is_silent.set()
            speaker.join()
            signal.signal(signal.SIGINT, ignored)
            os.close(port)
            os.close(board)

    def test_the_field_is_that_beside_the_zero_point(self):
        readings = list(lodestone_compass.teslameter(STILL, profile="none", count=10))
        self.assertEqual(len(readings), 10)
        self.assertLess(abs(readings[-1].dx_uT), 1)
        self.assertGreater(math.hypot(readings[-1].bx_uT, readings[-1].by_uT, readings[-1].bz_uT), 20)

    def test_arrays_are_calibrated_and_corrected(self):
        samples, field, offset = sweep()
        profile = lodestone_compass.calibrate(samples, force=True)
        numpy.testing.assert_allclose(profile.hard_iron, offset, atol=0.2)
        lengths = numpy.linalg.norm(profile.correct(samples), axis=1)
        self.assertLess(lengths.std() / lengths.mean(), 0.01)
        self.assertEqual(profile.correct(samples[0]).shape, (3,))
        # Lists give what arrays give, and milligauss what microtesla give.
        again = lodestone_compass.calibrate((samples * 10).tolist(), unit="mG", force=True)
        numpy.testing.assert_allclose(again.hard_iron, profile.hard_iron, atol=0.01)

    def test_a_recording_is_calibrated_saved_and_loaded(self):
        profile = lodestone_compass.calibrate(EXAMPLES / "figure-eight.csv")
        self.assertEqual(profile.verdict, "good")
        self.assertLess(profile.heading_error_deg, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "board.json"
            profile.save(path)
            loaded = lodestone_compass.Profile.load(path)
            self.assertEqual(loaded.content, profile.content)
            self.assertEqual(len(list(lodestone_compass.headings(STILL, profile=path, count=2))), 2)
            path.write_text("{}")
            with self.assertRaises(lodestone_compass.BadData):
                lodestone_compass.Profile.load(path)

    def test_a_profile_is_written_whole_or_not_at_all(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "board.json"
            profile = lodestone_compass.calibrate(EXAMPLES / "figure-eight.csv")
            profile.content["field_uT"] = 48
            profile.save(path)
            before = path.read_text()
            profile.content["field_uT"] = object()
            with self.assertRaises(TypeError):
                profile.save(path)
            self.assertEqual(path.read_text(), before)
            self.assertEqual([one.name for one in pathlib.Path(folder).iterdir()], ["board.json"])
            path.chmod(0o640)
            profile.content["field_uT"] = 48
            profile.save(path)
            self.assertEqual(path.stat().st_mode & 0o777, 0o640)
            self.assertEqual(lodestone_compass.Profile.load(path).field_uT, 48)

    def test_errors_have_the_commands_words_and_hint(self):
        with self.assertRaises(lodestone_compass.NotFound) as caught:
            next(lodestone_compass.headings("/dev/ttyNOWHERE"))
        self.assertIn("/dev/ttyNOWHERE", caught.exception.message)
        self.assertIn("lodestone devices", caught.exception.hint)
        self.assertEqual(caught.exception.exit_code, 66)
        with self.assertRaises(lodestone_compass.BadData) as caught:
            lodestone_compass.calibrate(numpy.ones((200, 3)))
        self.assertTrue(caught.exception.hint)
        with self.assertRaises(lodestone_compass.UsageError):
            list(lodestone_compass.headings(STILL, rate=-1))
        with self.assertRaises(ValueError):
            lodestone_compass.calibrate([[1, 2, 3, 4]])

    def test_readings_are_in_microtesla_whatever_is_set(self):
        with mock.patch.dict(os.environ, {"LODESTONE_UNIT": "mG"}):
            reading = next(lodestone_compass.headings(STILL, profile="none"))
        self.assertGreater(reading.field_uT, 20)
        self.assertLess(reading.field_uT, 70)
        self.assertAlmostEqual(math.hypot(reading.bx_uT, reading.by_uT, reading.bz_uT), reading.field_uT, delta=0.1)
        for stream in (lodestone_compass.headings, lodestone_compass.teslameter):
            with self.assertRaises(lodestone_compass.UsageError) as caught:
                stream(STILL, unit="mT")
            self.assertIn("unit='mT'", caught.exception.message)
            with self.assertRaises(lodestone_compass.UsageError) as caught:
                stream(STILL, format="csv")
            self.assertIn("format='csv'", caught.exception.message)

    def test_arrays_need_a_rate_and_a_unit(self):
        samples = sweep()[0]
        for rate in (0, -50, math.inf):
            with self.assertRaises(lodestone_compass.UsageError) as caught:
                lodestone_compass.calibrate(samples, rate=rate)
            self.assertIn("rate", caught.exception.message)
        with self.assertRaises(lodestone_compass.UsageError) as caught:
            lodestone_compass.calibrate(samples, unit="furlong")
        self.assertIn("mG", caught.exception.message)
        for rate in (numpy.float32(50), numpy.int64(50)):  # as len(times) / duration gives it
            self.assertTrue(lodestone_compass.calibrate(samples, rate=rate, force=True).hard_iron)

    def test_no_row_of_an_array_is_lost_without_a_word(self):
        samples = sweep()[0].tolist()
        samples[300] = samples[300][:2]
        with self.assertRaises(ValueError) as caught:
            lodestone_compass.calibrate(samples, force=True)
        self.assertIn("row 300", str(caught.exception))
        with self.assertRaises(ValueError) as caught:
            lodestone_compass.calibrate([12.0, -4.5, 38.1])
        self.assertIn("row 0", str(caught.exception))
        for nothing in ([], numpy.zeros((0, 3)), numpy.full((200, 3), numpy.nan)):
            with self.assertRaises(lodestone_compass.BadData) as caught:
                lodestone_compass.calibrate(nothing)
            self.assertIn("array", caught.exception.message)  # and not the name of a file that nobody gave

    def test_a_field_in_the_noise_has_a_bound(self):
        still = "sim:?motion=still&noise=0.3&seed=7&speed=max"
        reading = next(lodestone_compass.teslameter(still, profile="none"))
        self.assertIn("below-noise", reading.flags)
        self.assertGreater(reading.at_most_uT, 0)
        self.assertIsNone(reading.at_least_uT)

    def test_a_list_gives_an_option_for_each_of_its_values(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("one.json", "two.json")]
            publish = [f"file:{path}" for path in paths]
            list(lodestone_compass.headings(STILL, profile="none", count=3, publish=publish))
            self.assertEqual([len(path.read_text().splitlines()) for path in paths], [3, 3])

    def test_a_profile_that_the_command_refuses_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "board.json"
            with self.assertRaises(lodestone_compass.NotFound) as caught:
                lodestone_compass.Profile.load(path)
            self.assertIn(str(path), caught.exception.message)
            newer = '{"format": "lodestone-profile", "version": 2}'
            lacking = '{"format": "lodestone-profile", "version": 1}'
            for text in (newer, lacking, "[]", "{", "{}"):
                path.write_text(text)
                with self.assertRaises(lodestone_compass.BadData) as caught:
                    lodestone_compass.Profile.load(path)
                self.assertEqual(caught.exception.exit_code, 65)
                self.assertTrue(caught.exception.hint)

    def test_pandas_reads_the_tables(self):
        command = [_command.program(), "heading", "--device", STILL, "--profile", "none", "--count", "20"]
        table = pandas.read_csv(io.StringIO(subprocess.check_output(command + ["--format", "csv"], text=True)))
        self.assertEqual(len(table), 20)
        self.assertTrue(pandas.api.types.is_numeric_dtype(table.magnetic_heading_deg))
        self.assertTrue(table.true_heading_deg.isna().all())


if __name__ == "__main__":
    unittest.main()
