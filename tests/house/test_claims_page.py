"""claims.md: every claim of the experiments has its row, with the verdict of a report."""

import pytest

from tools import claims
from zermelo.lab.experiment import experiment, experiment_names

REPORT = """# a-name: A title

| arm | jobs |
|---|--:|
| PN | 3 |

**Claims**

| claim | source | verdict of that time | by today's test | measured |
|---|---|---|---|---|
| one | section 1 | holds | undecided: no interval | 3 |
| two | ours | not judged | not judged | - |

Text.

| claim | source | verdict | measured | test, fixed beforehand |
|---|---|---|---|---|
| three | section 1 | does not hold | 3 | a count |
"""


def test_the_page_is_up_to_date():
    """``python -m tools.claims --write`` writes it."""
    assert claims.page() == claims.PAGE.read_text("utf-8")


def test_every_claim_has_a_row_of_its_own():
    """The claim is the key by which its verdict is found."""
    for name in experiment_names():
        texts = [claim.text for claim in experiment(name).claims]
        assert len(set(texts)) == len(texts), name
        assert not [text for text in texts if "|" in text], name


def test_verdicts_are_read_from_reports(tmp_path, monkeypatch):
    monkeypatch.setattr(claims, "ROOT", tmp_path)
    for folder, text in (("a", REPORT), ("b", REPORT.replace("not judged | - ", "holds | - "))):
        (tmp_path / "results" / folder).mkdir(parents=True)
        (tmp_path / "results" / folder / "report.md").write_text(text)
    newer = REPORT.partition("Text.")[2].replace("three", "one").replace("does not hold", "holds")
    (tmp_path / "results" / "c").mkdir()
    (tmp_path / "results" / "c" / "report.md").write_text(f"# a-name: A title\n{newer}")
    assert claims.told_by_reports() == {
        ("a-name", "one"): ("holds", "c"), ("a-name", "two"): ("holds", "b"),
        ("a-name", "three"): ("does not hold", "a")}


def test_a_word_that_is_no_verdict_is_refused():
    with pytest.raises(StopIteration):
        claims.verdict_of({"verdict": "perhaps"})
