"""What a journal says when it is opened again: all that was paid for, and nothing about questions
that are not asked any more."""

import json
import sqlite3
from contextlib import closing

from cases import cases
from crews import Liar, distributed, paid_twice, rows_of, with_one

import zermelo


def test_what_is_withdrawn_was_paid_for_too(tmp_path):
    journal, position = tmp_path / "journal", cases("hex 3x3")[26][0]
    with distributed(position, crew=with_one(Liar), journal=journal) as solver:
        result = solver.run()
        assert solver.master.work.expelled == 1
        assert result.nodes == solver.visits
    with distributed(position, journal=journal) as solver:
        assert solver.run().nodes == result.nodes


def test_answers_to_a_question_that_is_not_asked_any_more(tmp_path):
    """Which score is asked for depends on the answer of before. If that was a lie, what was said
    about the next question is not about the one that follows from the truth."""
    journal, position = tmp_path / "journal", zermelo.game("othello", size=4).start()
    with distributed(position, goal="score", journal=journal) as solver:
        result = solver.run()
        assert len(solver.trees) > 2
        asked = [tree.question for tree in solver.trees]
    with closing(sqlite3.connect(journal)) as db:
        opposite = json.dumps([asked[1][0], -asked[1][1]])
        db.execute("update notes set value = ? where name = 'subgoal 1'", (opposite,))
        db.execute("delete from notes where name = 'line'")
        db.commit()
    with distributed(position, goal="score", journal=journal) as solver:
        assert len(solver.trees) == 2  # the second question is to be answered anew
        assert solver.trees[1].root.children is None
        again = solver.run()
        assert (again.score, [tree.question for tree in solver.trees]) == (result.score, asked)
        assert again.nodes == solver.visits > result.nodes


def test_what_is_known_about_a_later_question_is_used(tmp_path):
    """The first one is open again, since a worker lied; what others said of the second stands."""
    journal = tmp_path / "journal"
    position = zermelo.game("connect-four", columns=4, rows=4).start()
    with distributed(position, journal=journal) as solver:
        assert solver.run().value == "draw"
    with closing(sqlite3.connect(journal)) as db:
        db.execute("update results set withdrawn = 1 where subgoal = 0")
        db.commit()
    with distributed(position, journal=journal) as solver:
        assert len(solver.trees) == 1
        assert solver.run().value == "draw"
    assert paid_twice([row for row in rows_of(journal) if row[0] == 1]) == 0
