"""One command over a folder of recordings, on all machines of a Spark cluster.

    spark-submit recordings.py FOLDER RESULTS calibrate
    spark-submit recordings.py FOLDER RESULTS heading --profile /boat.json --at 48.2,16.37

The folder and the command `lodestone` must be at the same path on each machine; LODESTONE names another path of the command.
Each recording becomes a row of RESULTS: its file, the exit code, and what came of it, or the error and what to do.
"""

import glob
import os
import shlex
import sys

from pyspark.sql import SparkSession

folder, results, *command = sys.argv[1:]
lodestone = os.environ.get("LODESTONE", "lodestone")
spark = SparkSession.builder.appName("lodestone").getOrCreate()
names = sorted(glob.glob(os.path.join(folder, "*.csv")))
parts = min(len(names), 4 * spark.sparkContext.defaultParallelism) or 1
files = spark.sparkContext.parallelize(names, parts)
answers = files.pipe(shlex.join([lodestone, "batch", *command, "--jobs", "1", "--quiet"]), checkCode=True)
answers.saveAsTextFile(results)

rows = spark.read.json(results)
print(f"{rows.count()} recordings, {rows.where('exit != 0').count()} of them failed")
