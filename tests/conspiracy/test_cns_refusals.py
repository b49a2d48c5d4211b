"""Options of conspiracy number search that are refused."""

import pytest
from command import call

import zermelo
from zermelo.search.best_first.cns import CNS


@pytest.mark.parametrize(("options", "message"), [
    ({"bins": 0}, "cns: bins='0' is not valid; it is a whole number from 1 to 64"),
    ({"bins": 2.5}, "cns: bins='2.5' is not valid"),
    ({"conspirators": -1}, "conspirators='-1' is not valid; it is a whole number from 0"),
    ({"conspirators": 1}, "conspirators=1 is not valid: one is what every other value needs"),
    ({"thresholds": "a/b"}, "thresholds='a/b' is not valid; it is up to 63 whole numbers that "
     "rise"),
    ({"thresholds": "3/3"}, "thresholds='3/3' is not valid"),
    ({"thresholds": "0/1000001"}, "none further from 0 than 1,000,000"),
    ({"thresholds": "/".join(map(str, range(64)))}, "is not valid; it is up to 63"),
    ({"aim": "high"}, "aim='high' is not valid; it is one of far, near"),
    ({"tie": "deepest"}, "tie='deepest' is not valid; it is one of value, left"),
])
def test_options_that_are_not_valid(options, message):
    with pytest.raises(zermelo.BadOption) as caught:
        CNS(**options)
    assert message in str(caught.value)
    words = [word for name, value in options.items() for word in ("-p", f"{name}={value}")]
    done = call("solve", "connect-four", "start", "-s", "cns", *words)
    assert (done.status, done.out) == (2, "")
    assert "is not valid" in done.err
