"""A job on a cluster: WARC files to columns in Parquet, partitioned by host, in waves that are done or not.

Inputs are taken in waves. Of each, the pages are first written with their statements, which is the work that takes long
and is not done again; then the two tables; then a file that says so. A driver that died goes on behind the last of these.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from gossamer.columnar.job import how_read
from gossamer.columnar.manifest import summary
from gossamer.columnar.rows import ReadOptions
from gossamer.errors import ConfigError
from gossamer.spark.frames import BUCKETS, find_files, frames_of, raw_pages
from gossamer.spark.hadoop import EngineFile, EngineFiles

WAVE_BYTES: Final = 512 * 1024 * 1024  # of inputs, for each task that runs at the same time
DONE: Final = "_done"
RAW: Final = "_raw"
SETTINGS: Final = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",  # INT96 is read by few
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.sources.partitionOverwriteMode": "static",
}


@dataclass(slots=True)
class SparkReport:
    """What a job on a cluster has done."""

    done: int = 0  # inputs
    there: int = 0  # that were done before
    totals: dict[str, int] = field(default_factory=dict)
    broken: list[str] = field(
        default_factory=list
    )  # the first sentences about parts that cannot be read


def run_spark_job(
    spark: Any,  # noqa: ANN401 (a session)
    paths: Sequence[str],
    folder: str,
    options: ReadOptions,
    *,
    buckets: int = BUCKETS,
    wave_bytes: int | None = None,
    split_bytes: int | None = None,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> SparkReport:
    """Bring a folder of columns up to date; `tell` hears how many inputs of how many are done."""
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    files = EngineFiles(spark)
    folder = files.whole_name(folder)
    known = _done_waves(files, folder)
    mark = how_read(options)
    if any(wave["read"] != mark for wave in known.values()):
        raise ConfigError(
            f"{folder} has columns that were read otherwise: with other options, or by another version. Choose another folder."
        )
    if files.exists(f"{folder}/pages") and not known and _has_other_files(files, folder):
        raise ConfigError(f"{folder} has columns that one machine made. Choose another folder.")
    there = {(each["path"], each["bytes"]) for wave in known.values() for each in wave["inputs"]}
    found = find_files(spark, paths)
    wanted = [file for file in found if (file.path, file.size) not in there]
    report = SparkReport(there=len(found) - len(wanted))
    slots = max(1, spark.sparkContext.defaultParallelism)
    for wave in _waves(wanted, wave_bytes or WAVE_BYTES * slots):
        name = _name(wave, mark)
        told, broken = _run_wave(spark, files, folder, name, wave, options, buckets, split_bytes)
        known[name] = {**told, "read": mark}
        files.write_text(f"{folder}/{DONE}/{name}.json", json.dumps(known[name], sort_keys=True))
        files.remove(f"{folder}/{RAW}/{name}")
        report.done += len(wave)
        report.broken += broken
        tell(report.done, len(wanted))
    manifest = summary({name: _flat(told) for name, told in sorted(known.items())})
    manifest["totals"]["inputs"] = sum(len(wave["inputs"]) for wave in known.values())
    report.totals = manifest["totals"]
    text = json.dumps(manifest, indent=1, sort_keys=True)
    if files.read_text(f"{folder}/manifest.json") != text and known:
        files.write_text(f"{folder}/manifest.json", text)
    return report


def _run_wave(
    spark: Any,  # noqa: ANN401 (a session)
    files: EngineFiles,
    folder: str,
    name: str,
    wave: Sequence[EngineFile],
    options: ReadOptions,
    buckets: int,
    split_bytes: int | None,
) -> tuple[dict[str, Any], list[str]]:
    """Write the columns of a wave; what it came to, and what of it is broken."""
    raw_folder = f"{folder}/{RAW}/{name}"
    if not files.exists(f"{raw_folder}/_SUCCESS"):
        raw_pages(spark, wave, options, split_bytes).write.mode("overwrite").parquet(raw_folder)
    raw = spark.read.parquet(raw_folder)
    quads, pages = frames_of(raw)
    for table, frame, order in (
        ("quads", quads, ("page", "fetched")),
        ("pages", pages, ("url", "fetched", "offset")),
    ):
        bucket = f"pmod(hash(host), {buckets}) AS host_bucket"
        (
            frame.selectExpr("*", bucket)
            .repartition(buckets, "host_bucket")
            .sortWithinPartitions("host_bucket", *order)
            .write.mode("overwrite")
            .partitionBy("host_bucket")
            .parquet(f"{folder}/{table}/wave={name}")
        )
    counts = raw.selectExpr(
        "count(url) AS pages",
        "coalesce(sum(quads), 0) AS quads",
        "coalesce(sum(size(problems)) FILTER (WHERE url IS NOT NULL), 0) AS problems",
        "count(broken) AS broken",
    ).first()
    broken = [
        row[0] for row in raw.where("broken IS NOT NULL").select("broken").limit(20).collect()
    ]
    inputs = [{"path": file.path, "bytes": file.size} for file in wave]
    return {"inputs": inputs, **counts.asDict()}, broken


def _waves(wanted: Sequence[EngineFile], most: int) -> list[list[EngineFile]]:
    """Inputs in order, so many bytes together: the same again where a job goes on with what is left."""
    waves: list[list[EngineFile]] = []
    size = most
    for file in wanted:
        if size + file.size > most:
            waves.append([])
            size = 0
        waves[-1].append(file)
        size += file.size
    return waves


def _name(wave: Sequence[EngineFile], mark: str) -> str:
    told = json.dumps([mark, *([file.path, file.size] for file in wave)])
    return sha256(told.encode()).hexdigest()[:16]


def _done_waves(files: EngineFiles, folder: str) -> dict[str, dict[str, Any]]:
    waves = {}
    for name in files.names(f"{folder}/{DONE}"):
        text = files.read_text(f"{folder}/{DONE}/{name}")
        if name.endswith(".json") and not name.startswith(".") and text:
            waves[name.removesuffix(".json")] = json.loads(text)
    return waves


def _has_other_files(files: EngineFiles, folder: str) -> bool:
    return any(name.endswith(".parquet") for name in files.names(f"{folder}/pages"))


def _flat(told: dict[str, Any]) -> dict[str, Any]:
    return {**told, "bytes": sum(each["bytes"] for each in told["inputs"])}
