import pycurl

from gossamer.fetch.causes import CAUSES, cause_of
from gossamer.model import Cause


def test_each_error_of_curl_has_one_cause() -> None:
    assert cause_of(pycurl.E_COULDNT_CONNECT) is Cause.CONNECT
    assert cause_of(pycurl.E_PEER_FAILED_VERIFICATION) is Cause.CERTIFICATE
    assert cause_of(pycurl.E_PARTIAL_FILE) is Cause.TRUNCATED


def test_an_error_we_never_met_is_worth_another_attempt() -> None:
    assert cause_of(12345) is Cause.OTHER
    assert cause_of(12345).transient


def test_no_error_of_curl_is_blamed_on_our_own_rules() -> None:
    ours = {Cause.REFUSED_ADDRESS, Cause.RESERVED_NAME, Cause.STOPPED, Cause.OTHER}
    assert not ours & set(CAUSES.values())
