"""What is said to the words process arrives as it was said."""

from gossamer.index.words.asked import Search
from gossamer.index.words.messages import DONE, JOBS, STATES, Done, Job, State


def test_messages_travel_unchanged() -> None:
    search = Search(text="ada", types=("Person",), since="2024", form="page")
    job = Job("search", search=search, segments=(1, 2), everything=True)
    assert JOBS.loads(JOBS.dumps(job)) == job
    state = State("ada", later=3, fault="no")
    assert STATES.loads(STATES.dumps(state)) == state
    done = Done(state, record="{}", fault="why", asker=True)
    assert DONE.loads(DONE.dumps(done)) == done
