"""Record a terminal: a crawl of the demo web and two questions about it, as an animated SVG.

`python tools/recording.py` writes `docs/images/terminal.svg`. The commands run in a real terminal of 80
columns, in an empty folder, and nothing is drawn that they did not write; pauses are made shorter.
"""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World

ROOT: Final = Path(__file__).resolve().parent.parent
WORLD: Final = World(seed=3, pages=240, hosts=9)
COLUMNS, LINES = 80, 26
PRICES: Final = """SELECT ?price ?product ?page {
  GRAPH ?page { ?it a schema:Product ; schema:name ?n ; schema:offers ?offer .
                ?offer schema:price ?p ; schema:priceCurrency ?c }
  BIND (CONCAT(STR(?p), " ", STR(?c)) AS ?price) BIND (STR(?n) AS ?product)
} ORDER BY xsd:decimal(STR(?p)) LIMIT 6"""
SESSION: Final = (
    "gossamer crawl www.site0.test --scope any",
    "gossamer search letters coast --limit 2",
    f"gossamer query '{PRICES}'",
)
FRAME_SECONDS: Final = 1.0  # of real time, between two pictures of a screen that is redrawn
SHOWN_SECONDS: Final = 0.7  # that such a picture stays
READ_SECONDS: Final = 4.0  # that the end of a command stays
TYPED_SECONDS: Final = 0.9
_STEP: Final = re.compile(r"\x1b\[([\d;]*)([A-Za-z])|\r|\n|[^\x1b\r\n]+|\x1b", re.DOTALL)
COLOURS: Final = {
    "1": "b",
    "2": "f",
    "31": "bad",
    "32": "good",
    "33": "warn",
    "36": "accent",
}

Cell = tuple[str, str]  # a character and the class of its style


@dataclass(slots=True)
class Terminal:
    """What would be seen, as far as our own output needs a terminal."""

    lines: list[list[Cell]] = field(default_factory=lambda: [[]])
    row: int = 0
    column: int = 0
    style: str = ""

    def feed(self, text: str) -> None:
        """Take what a program writes."""
        for step in _STEP.finditer(text):
            match step[2], step[0]:
                case "A", _:
                    self.row = max(0, self.row - int(step[1] or 1))
                case "J", _:
                    self.lines[self.row :] = [self.lines[self.row][: self.column]]
                case "K", _:
                    self.lines[self.row] = self.lines[self.row][: self.column]
                case "m", _:
                    self.style = COLOURS.get(step[1].split(";")[-1], "")
                case _, "\r":
                    self.column = 0
                case _, "\n":
                    self.row += 1
                    self.column = 0
                    self.lines += [[] for _ in range(self.row + 1 - len(self.lines))]
                case None, words:
                    self._put(words)

    def _put(self, words: str) -> None:
        for character in words:
            if self.column >= COLUMNS:
                self.feed("\n")
            line = self.lines[self.row]
            line += [(" ", "")] * (self.column + 1 - len(line))
            line[self.column] = (character, self.style)
            self.column += 1

    def seen(self) -> tuple[tuple[Cell, ...], ...]:
        """The lines in sight."""
        return tuple(map(tuple, self.lines[-LINES:]))


def record(
    environment: dict[str, str], folder: str
) -> Iterator[tuple[tuple[tuple[Cell, ...], ...], float]]:
    """Each picture of the terminal, and how long it stays."""
    terminal = Terminal()
    for command in SESSION:
        terminal.style = "accent"
        terminal.feed("$ ")
        terminal.style = "b"
        terminal.feed(command.replace("\n", "\r\n"))
        terminal.style = ""
        yield terminal.seen(), TYPED_SECONDS
        terminal.feed("\r\n")
        for words in run(command, environment, folder):
            before = terminal.seen()
            terminal.feed(words)
            if terminal.seen() != before:
                yield terminal.seen(), SHOWN_SECONDS
        yield terminal.seen(), READ_SECONDS
        terminal.feed("\r\n")


def run(command: str, environment: dict[str, str], folder: str) -> Iterator[str]:
    """What a command writes to its terminal, in a few pieces."""
    head, tail = pty.openpty()
    fcntl.ioctl(tail, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    with subprocess.Popen(
        command, shell=True, stdout=tail, stderr=tail, stdin=tail, env=environment, cwd=folder
    ):
        os.close(tail)
        decoder, held, since = codecs.getincrementaldecoder("utf-8")(), "", time.monotonic()
        while True:
            ready, _, _ = select.select([head], [], [], FRAME_SECONDS)
            try:
                held += decoder.decode(os.read(head, 65536)) if ready else ""
            except OSError:  # how Linux says that the other end is closed
                break
            if held and time.monotonic() - since >= FRAME_SECONDS and not ready:
                yield held
                held = ""
            elif held and time.monotonic() - since >= FRAME_SECONDS:
                # Whole drawings only: each begins where the cursor goes up.
                cut = held.rfind("\r\x1b[")
                if cut > 0:
                    yield held[:cut]
                    held, since = held[cut:], time.monotonic()
        yield held
    os.close(head)


def drawn(pictures: Sequence[tuple[tuple[tuple[Cell, ...], ...], float]]) -> str:
    """The SVG: one group a picture, each in sight for its time."""
    width, height, line = COLUMNS * 8.43 + 32, LINES * 18 + 56, 18
    whole = sum(seconds for _, seconds in pictures)
    style = [STYLE, f"g.p{{visibility:hidden;animation:{whole:.2f}s step-end infinite}}"]
    groups = []
    at = 0.0
    for number, (lines, seconds) in enumerate(pictures):
        begin, end = 100 * at / whole, 100 * (at + seconds) / whole
        steps = f"{begin:.3f}%{{visibility:visible}}"
        if begin > 0:
            steps = "0%{visibility:hidden}" + steps
        if end < 99.999:
            steps += f"{end:.3f}%{{visibility:hidden}}"
        style.append(f"@keyframes k{number}{{{steps}}}#p{number}{{animation-name:k{number}}}")
        rows = "".join(
            f'<text y="{56 + line * place}">{_row(row)}</text>'
            for place, row in enumerate(lines)
            if row
        )
        groups.append(f'<g class="p" id="p{number}">{rows}</g>')
        at += seconds
    # Where nothing may move, the last picture is in sight.
    style.append(
        "@media(prefers-reduced-motion:reduce){g.p{animation:none}g.p:last-of-type{visibility:visible}}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" '
        f'aria-label="A terminal: a crawl, a search and a query"><style>{"".join(style)}</style>'
        f'<rect width="100%" height="100%" rx="10" fill="#131716"/>'
        '<circle cx="20" cy="18" r="5" fill="#3c4744"/><circle cx="38" cy="18" r="5" fill="#3c4744"/>'
        f'<circle cx="56" cy="18" r="5" fill="#3c4744"/>{"".join(groups)}</svg>\n'
    )


STYLE: Final = (
    "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#e6e9e4;"
    "white-space:pre}.b{font-weight:700}.f{fill:#8b968f}.good{fill:#8fd19e}.warn{fill:#e3b55f}"
    ".bad{fill:#ef8a80}.accent{fill:#7fd1c4}"
)


def _row(row: Sequence[Cell]) -> str:
    spans: list[tuple[str, str]] = []
    for character, style in row:
        if spans and spans[-1][1] == style:
            spans[-1] = (spans[-1][0] + character, style)
        else:
            spans.append((character, style))
    made, place = [], 0
    for text, style in spans:
        if text.strip():
            cls = f' class="{style}"' if style else ""
            # Each span has its own place: fonts differ, columns must not.
            long = f' textLength="{len(text) * 8.43:.1f}"' if len(text) > 1 else ""
            made.append(f'<tspan x="{16 + place * 8.43:.1f}"{long}{cls}>{escape(text)}</tspan>')
        place += len(text)
    return "".join(made)


def main() -> None:
    """Record, and write the file."""
    with DemoServer(WORLD) as server, tempfile.TemporaryDirectory(prefix="gossamer-") as folder:
        environment = {
            **{name: value for name, value in os.environ.items() if "GOSSAMER" not in name},
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "TERM": "xterm",
            "GOSSAMER_FETCH_CONNECT_TO": server.connect_to,
            "GOSSAMER_POLITENESS_CONTACT": "you@example.org",
            "GOSSAMER_POLITENESS_DELAY": "0.1",
            "GOSSAMER_POLITENESS_BACKOFF_FIRST": "0.5",  # as in `gossamer demo`
        }
        pictures = list(record(environment, folder))
    file = ROOT / "docs" / "images" / "terminal.svg"
    file.write_text(drawn(pictures), encoding="utf-8")
    print(f"{file}: {len(pictures)} pictures, {file.stat().st_size:,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
