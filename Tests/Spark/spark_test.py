"""A cluster's answers are those of one machine: `python spark_test.py PATH_OF_LODESTONE`."""

import glob
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import pyspark

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ".build/debug/lodestone"
HERE = os.path.dirname(os.path.abspath(__file__))
SPARK = os.path.dirname(pyspark.__file__)
COUNT = 200


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """A master and two workers with a core each, on this machine."""

    def __init__(self, folder, environment):
        self.url = f"spark://127.0.0.1:{free_port()}"
        self.processes = []
        self.environment = {**environment, "SPARK_WORKER_DIR": os.path.join(folder, "work")}
        self.log = open(os.path.join(folder, "cluster.log"), "w+")
        self.start("master.Master", "--host", "127.0.0.1", "--port", self.url.rsplit(":", 1)[1], "--webui-port", "0")
        self.wait_for("I have been elected leader")
        for _ in range(2):
            self.start("worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "-c", "1", "-m", "1g", self.url)
        self.wait_for("Registering worker", 2)

    def start(self, name, *arguments):
        self.processes.append(
            subprocess.Popen(
                [f"{SPARK}/bin/spark-class", "org.apache.spark.deploy." + name, *arguments],
                env=self.environment, stdout=self.log, stderr=self.log,
            )
        )

    def wait_for(self, words, count=1, seconds=120):
        end = time.monotonic() + seconds
        while True:
            with open(self.log.name) as log:
                text = log.read()
            if text.count(words) >= count:
                return
            if time.monotonic() > end:
                raise AssertionError(f"no '{words}':\n{text}")
            time.sleep(0.2)

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(60)
        self.log.close()


class SparkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.home.cleanup)
        cls.folder = os.path.join(cls.home.name, "sweeps")
        os.mkdir(cls.folder)
        cls.environment = {
            **os.environ, "LODESTONE": PROGRAM, "XDG_DATA_HOME": cls.home.name, "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": cls.home.name, "PYSPARK_PYTHON": sys.executable,
        }
        examples = sorted(glob.glob(os.path.join(HERE, "../../Calibration/examples/*.csv")))
        texts = []
        for example in examples:
            with open(example) as file:
                texts.append(file.read())
        for number in range(COUNT):
            # Sweeps that calibrate, sweeps that are refused, and files with nothing of use in them.
            text = texts[number % len(texts)] if number % 10 else "nothing of use\n"
            with open(f"{cls.folder}/{number:03}.csv", "w") as file:
                file.write(text)

    def plain(self, *command):
        names = sorted(glob.glob(f"{self.folder}/*.csv"))
        run = subprocess.run(
            [PROGRAM, "batch", *command], input="\n".join(names), capture_output=True, text=True, env=self.environment
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        return [json.loads(line) for line in run.stdout.splitlines()]

    def spark(self, master, *command):
        results = tempfile.mkdtemp(dir=self.home.name) + "/results"
        run = subprocess.run(
            [f"{SPARK}/bin/spark-submit", "--master", master, "--conf", "spark.ui.enabled=false", "--driver-memory",
             "1g", f"{HERE}/recordings.py", self.folder, results, *command],
            capture_output=True, text=True, env=self.environment, timeout=600,
        )
        self.assertEqual(run.returncode, 0, run.stderr[-4000:])
        rows = []
        for part in sorted(glob.glob(f"{results}/part-*")):
            with open(part) as file:
                rows += [json.loads(line) for line in file]
        return rows, run.stdout

    def check(self, master, *command):
        expected = self.plain(*command)
        rows, words = self.spark(master, *command)
        self.assertEqual(len(rows), COUNT)
        self.assertEqual(rows, expected)
        failed = sum(row["exit"] != 0 for row in expected)
        self.assertGreaterEqual(failed, COUNT // 10)
        self.assertLess(failed, COUNT)
        self.assertIn(f"{COUNT} recordings, {failed} of them failed", words)

    def test_on_one_machine(self):
        self.check("local[2]", "calibrate")

    def test_on_a_cluster_of_two_workers(self):
        cluster = Cluster(self.home.name, self.environment)
        self.addCleanup(cluster.stop)
        self.check(cluster.url, "heading", "--profile", "none")


if __name__ == "__main__":
    unittest.main(verbosity=2)
