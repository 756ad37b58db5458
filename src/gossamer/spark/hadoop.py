"""Files as the engine sees them: local disks, HDFS, S3 and whatever else its Hadoop has a file system for.

The driver lists and writes small files over Py4J. Executors read ranges of bytes with a function of twenty lines of Java,
which Spark's own compiler (Janino) translates at run time: PySpark has no way to read a part of a binary file, and whole
archives do not fit into a row.
"""

import os
import re
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gossamer.errors import InputError

CLASS: Final = "gossamer.ReadRange"
READ_RANGE: Final = "gossamer_read_range"  # the function's name in SQL
_ARCHIVE: Final = re.compile(r"^[^._].*\.w?arc(?:\.gz)?$", re.IGNORECASE)  # of files in folders
_JAVA: Final = """
package gossamer;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.api.java.UDF3;

public class ReadRange implements UDF3 {
  public Object call(Object name, Object start, Object length) throws Exception {
    Path path = new Path((String) name);
    byte[] bytes = new byte[((Integer) length).intValue()];
    FSDataInputStream file = path.getFileSystem(SparkHadoopUtil.get().conf()).open(path);
    try {
      file.readFully(((Long) start).longValue(), bytes);
    } finally {
      file.close();
    }
    return bytes;
  }
}
"""


@dataclass(frozen=True, slots=True)
class EngineFile:
    """A file, as the engine names it."""

    path: str
    size: int

    @property
    def name(self) -> str:
        """The name without folders."""
        return self.path.rstrip("/").rpartition("/")[2]


class EngineFiles:
    """The file systems of a Spark session, from the driver."""

    def __init__(self, spark: Any) -> None:  # noqa: ANN401 (a session)
        self._jvm = spark._jvm
        self._conf = spark._jsc.hadoopConfiguration()

    def find(self, pattern: str) -> list[EngineFile]:
        """The files that a path or pattern means, those below a folder among them; raises `InputError` where there are none."""
        try:
            found = self._system(pattern).globStatus(self._path(pattern))
            files = [file for status in found or () for file in self._below(status)]
            files = [file for file in files if not self._is_being_written(file)]
        except Exception as error:
            raise InputError(f"{pattern} cannot be listed: {_reason(error)}") from None
        if not files:
            raise InputError(f"There is no file or folder {pattern}.")
        return sorted(files, key=lambda file: file.path)

    def read_text(self, path: str) -> str | None:
        """A small file; None where it is missing."""
        system, name = self._system(path), self._path(path)
        if not system.exists(name):
            return None
        stream = system.open(name)
        try:
            text = self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")
        finally:
            stream.close()
        return str(text)

    def write_text(self, path: str, text: str) -> None:
        """Write a small file, which appears when it is whole."""
        system = self._system(path)
        folder, _, name = path.rpartition("/")
        draft = self._path(f"{folder}/.{name}.tmp")
        stream = system.create(draft, True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()
        system.delete(self._path(path), False)
        system.rename(draft, self._path(path))

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        return bool(self._system(path).exists(self._path(path)))

    def names(self, folder: str) -> list[str]:
        """The names in a folder; none where it is missing."""
        system, path = self._system(folder), self._path(folder)
        if not system.exists(path):
            return []
        return sorted(each.getPath().getName() for each in system.listStatus(path))

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all that is in it."""
        self._system(path).delete(self._path(path), True)

    def whole_name(self, path: str) -> str:
        """A path with its file system."""
        return str(self._system(path).makeQualified(self._path(path)).toString())

    def _below(self, status: Any) -> Iterator[EngineFile]:  # noqa: ANN401 (Hadoop's)
        path = status.getPath()
        if not status.isDirectory():
            yield EngineFile(path.toString(), status.getLen())
            return
        each = path.getFileSystem(self._conf).listFiles(path, True)
        while each.hasNext():
            file = each.next()
            if _ARCHIVE.search(file.getPath().getName()):
                yield EngineFile(file.getPath().toString(), file.getLen())

    def _is_being_written(self, file: EngineFile) -> bool:
        """Whether a crawl on this machine, or on a disk that it shares, has not closed a file yet."""
        return file.path.startswith("file:") and self.exists(f"{file.path}.open")

    def _path(self, name: str) -> Any:  # noqa: ANN401 (Hadoop's)
        return self._jvm.org.apache.hadoop.fs.Path(_named(name))

    def _system(self, name: str) -> Any:  # noqa: ANN401 (Hadoop's)
        return self._path(name).getFileSystem(self._conf)


def register_read_range(spark: Any) -> None:  # noqa: ANN401 (a session)
    """Give a session the SQL function that reads a range of bytes of a file."""
    jvm = spark._jvm
    if spark.catalog.functionExists(READ_RANGE):
        return
    compiler = jvm.org.codehaus.janino.SimpleCompiler()
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    compiler.setParentClassLoader(loader)
    compiler.cook(_JAVA)
    code = compiler.getBytecodes()
    folder = Path(tempfile.mkdtemp(prefix="gossamer-"))  # Spark copies it from there to executors
    jar = folder / "gossamer-read-range.jar"
    with zipfile.ZipFile(jar, "w") as file:
        for name in code.keySet():
            file.writestr(f"{name.replace('.', '/')}.class", bytes(code.get(name)))
    spark.sql(f"ADD JAR '{jar}'")
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    function = loader.loadClass(CLASS).newInstance()
    binary = jvm.org.apache.spark.sql.types.DataTypes.BinaryType
    spark._jsparkSession.udf().register(READ_RANGE, function, binary)


def _named(name: str) -> str:
    """A path of this machine where no file system is named: that is what people mean on a laptop."""
    return name if "://" in name or name.startswith(("file:", "/")) else os.path.abspath(name)  # noqa: PTH100 (patterns too)


def _reason(error: Exception) -> str:
    java = getattr(error, "java_exception", None)
    text = str(error) if java is None else str(java.getMessage() or java)
    return (text.strip().splitlines() or [type(error).__name__])[0]
