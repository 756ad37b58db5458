"""What a data folder knows beside its archive that reports need: the robots.txt of the hosts that have pages."""

from gossamer.frontier.robots import RobotsStore
from gossamer.frontier.store import Store
from gossamer.politeness.robots.record import Meaning
from gossamer.site_report.store import ReportStore


def keep_robots(store: ReportStore, frontier: Store) -> None:
    """Have a report know the rules of the hosts of its pages."""
    robots = RobotsStore(frontier)
    for host, _ in store.hosts():
        for record in robots.of_host(host):
            if record.meaning is Meaning.RULES and record.body is not None:
                store.keep_robots(record.origin, record.body)
