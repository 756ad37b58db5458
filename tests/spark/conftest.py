"""A real Spark on this machine, from an environment of its own, or a skip that says why there is none."""

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLAIN = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "4",
    "spark.default.parallelism": "2",
    # A file system of Hadoop's that is none of this machine: `viewfs://test/disk/…`
    "spark.hadoop.fs.viewfs.mounttable.test.link./disk": "file:///",
}
MASTER = "local[2,4]"  # two tasks at a time, each tried four times


@pytest.fixture(scope="session")
def spark_environment() -> dict[str, str]:
    """Variables with which programs find PySpark, and tasks this Python."""
    found = sorted((ROOT / ".venv-spark").glob("lib/python*/site-packages"))
    if not found or shutil.which("java") is None:
        pytest.skip("needs spark: `make spark` sets up PySpark and Java (a minute, 450 MB)")
    paths = [str(found[0]), str(ROOT / "src"), str(ROOT)]
    return {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


@pytest.fixture(scope="session")
def spark(spark_environment: dict[str, str]) -> Iterator[Any]:
    """One session for all tests: it takes longer to start than any of them."""
    os.environ.update(spark_environment)
    sys.path.append(spark_environment["PYTHONPATH"].partition(os.pathsep)[0])
    from pyspark.sql import SparkSession

    warnings.simplefilter("ignore", FutureWarning)
    builder = SparkSession.builder.master(MASTER).appName("tests")
    for name, value in PLAIN.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
