"""Tests that take long and whose subject a shorter one touches too: `make test-full` runs them.

Each is named with what stands in for it in `make test`. A test that is long for what it needs, not
for where it is used, is marked ``full`` where it stands.
"""

LONG = {
    "test_docs.py::test_page[docs/searches/vcdt.md]": "test_vcdt.py",
    "test_docs.py::test_page[docs/searches/zones.md]": "test_zones.py",
    "test_docs.py::test_page[docs/searches/rps.md]": "test_minimax_values.py",
    "test_docs.py::test_page[docs/tune.md]": "test_lab_tune.py",
    "test_docs.py::test_page[docs/estimate-probabilities.md]": "test_categories.py",
    "test_docs.py::test_page[docs/read-a-report.md]": "test_lab.py",
    "test_docs.py::test_page[docs/lab.md]": "test_lab.py",
    "test_docs.py::test_page[docs/match.md]": "test_match.py",
    "test_docs.py::test_page[docs/show.md]": "test_show.py",
    "test_lab_jobs.py::test_an_interrupt_keeps_what_there_is_and_ends_all_processes[15]":
        "test_match.py::test_a_request_to_end_keeps_what_is_played",
    "test_lab_tune.py::test_sigkill_and_ctrl_c_keep_what_there_is":
        "test_lab_tune.py::test_a_tuning_that_is_killed_goes_on_and_runs_no_job_twice",
    "test_tactical_suite.py::test_from_games_to_a_suite": "test_lab_plans.py",
    "test_kernels.py::test_rules_that_make_arrays_are_kept_too":
        "test_user_games.py::test_rules_may_make_arrays_of_their_own",
    "test_kernels.py::test_200_p_games_compile_once":
        "test_kernels.py::test_options_of_a_search_compile_once",
    "test_certify.py::test_a_chain_of_hex_is_made_solid": "test_hex.py",
    "test_certify.py::test_random_positions_are_proved_to_the_checker[othello]":
        "test_certify.py::test_random_positions_are_proved_to_the_checker",
    "test_hex_swap.py::test_no_certificate_holds_a_swap": "test_hex_swap.py",
    "test_worth.py::test_lengths_along_a_record[connect(4,3,3,2,1)]":
        "test_worth.py::test_lengths_along_a_record[connect-four 4x4]",
    "test_worth.py::test_lengths_of_every_move[connect(4,3,3,2,1)]":
        "test_worth.py::test_lengths_of_every_move[connect-four 4x4]",
    "test_k_in_a_row.py::test_lines_to_complete_and_to_stop[{'columns': 9, 'rows': 9, 'line': 4}]":
        "test_k_in_a_row.py::test_lines_to_complete_and_to_stop",
}
# Every check of the conformance tests on these: other sizes of the same games are quicker.
LONG_SUBJECTS = ("hex", "k-in-a-row-columns9-rows9-line5-overlineno-win",
                 "othello-size6-no_moveloses")


def is_long(id: str) -> bool:
    """Whether ``make test`` leaves this test out; ``id`` as pytest gives it, without the folder."""
    return id in LONG or (id.startswith("test_conformance.py::test_conformance[")
                          and id.rstrip("]").partition("-")[2] in LONG_SUBJECTS)
