"""Prometheus's text format, version 0.0.4: families of samples with labels. Pure."""

from collections.abc import Iterable, Mapping

Labels = Mapping[str, str]
Samples = Iterable[tuple[Labels, float]]
"""Values, each with its labels."""


def counts_by(
    label: str, counts: Mapping[str, float], names: Iterable[str] | None = None
) -> Samples:
    """Samples of one family, by the value of a label."""
    return [({label: name}, counts[name]) for name in (counts if names is None else names)]


def family(name: str, kind: str, doc: str, samples: Samples) -> str:
    """A family of samples: its name, its type, a sentence, and a line each."""
    lines = [f"# HELP gossamer_{name} {doc}", f"# TYPE gossamer_{name} {kind}"]
    lines += [f"gossamer_{name}{_labels(labels)} {_number(value)}" for labels, value in samples]
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return str(round(value, 6) if value % 1 else int(value))


def _labels(labels: Labels) -> str:
    told = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return f"{{{told}}}" if told else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
