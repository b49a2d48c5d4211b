"""Tests that take long and whose subject a shorter one touches too: `make test-long` runs them.

`make test` is for the one who waits, and CI runs both. Each is named with what stands in for it in
`make test`. A test that is long for what it needs, not for where it is used, is marked ``full``
where it stands.

A name that ends with ``.py`` stands for a file, one that ends with ``[`` for all cases of a test.
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
    "test_docs.py::test_page[docs/protocols.md]": "test_engine_*.py",
    "test_docs.py::test_page[docs/add-a-game.md]": "test_user_games.py",
    "test_docs.py::test_page[docs/add-a-search.md]": "test_driver.py",
    "test_docs.py::test_page[docs/searches/index.md]": "test_metadata.py",
    "test_docs.py::test_page[docs/searches/alpha-beta.md]": "test_minimax_values.py",
    "test_docs.py::test_page[docs/searches/deep-df-pn.md]": "test_depth_first_values.py",
    "test_docs.py::test_page[docs/searches/weak-df-pn.md]": "test_depth_first_values.py",
    "test_docs.py::test_page[docs/searches/cns.md]": "test_cns.py",
    "test_docs.py::test_page[docs/counting.md]": "test_brute_force.py",
    "test_docs.py::test_page[docs/open-spiel.md]": "test_open_spiel.py",
    "test_docs.py::test_page[docs/plain-python.md]": "test_plain_games.py",
    "test_docs.py::test_page[docs/own-values.md]": "test_evaluated.py",
    "test_docs.py::test_page[docs/replay.md]": "test_replay.py",
    "test_docs.py::test_page[docs/progress.md]": "test_progress.py",
    "test_docs.py::test_page[docs/games/k-in-a-row.md]": "test_k_in_a_row.py",
    "test_docs.py::test_page[docs/games/xiangqi.md]": "test_xiangqi.py",
    "test_docs.py::test_page[docs/games/lines-of-action.md]": "test_lines_of_action.py",
    "test_browser_pages.py": "test_browser_board.py",
    "test_browser_looks.py": "test_browser_board.py",
    "test_lab_jobs.py::test_a_run_that_is_killed_again_and_again_ends_with_the_same_tables[2]":
        "test_lab_tune.py::test_a_tuning_that_is_killed_goes_on_and_runs_no_job_twice",
    "test_lab_jobs.py::test_an_interrupt_keeps_what_there_is_and_ends_all_processes[2]":
        "test_match.py::test_a_request_to_end_keeps_what_is_played",
    "test_lab_jobs.py::test_rules_that_never_end_cost_a_worker_and_not_the_run":
        "test_lab_jobs.py::test_a_job_that_ends_badly_is_a_result_and_harms_no_other",
    "test_web_processes.py::test_who_watches_does_not_keep_the_server_from_stopping":
        "test_web_processes.py::test_no_process_outlives_the_server[2]",
    "test_web_processes.py::test_no_process_outlives_the_server[15]":
        "test_web_processes.py::test_no_process_outlives_the_server[2]",
    "test_engine_process.py::test_signals_end_an_engine[words1-15]":
        "test_engine_process.py::test_signals_end_an_engine[words1-2]",
    "test_depth_first_cycles.py::test_a_games_own_rule_for_repetitions[OddCyclesWin]":
        "test_depth_first_cycles.py::test_a_games_own_rule_for_repetitions[RepeaterLoses]",
    "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[df-ppn]":
        "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[df-pn]",
    "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[deep-df-pn]":
        "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[df-pn]",
    "test_depth_first_small_tables.py::test_a_key_of_eight_bits[df-ppn]":
        "test_depth_first_small_tables.py::test_a_key_of_eight_bits[df-pn]",
    "test_depth_first_small_tables.py::test_a_key_of_eight_bits[weak-df-pn]":
        "test_depth_first_small_tables.py::test_a_key_of_eight_bits[df-pn]",
    "test_depth_first_order.py::test_df_ppn_expands_what_ppn_expands_in_the_same_order[60-0.01]":
        "test_depth_first_order.py",
    "test_depth_first_order.py::test_df_ppn_expands_what_ppn_expands_in_the_same_order[5-0.01]":
        "test_depth_first_order.py",
    "test_depth_first_threads.py::test_the_same_values[df-pn-p-game-4]":
        "test_depth_first_threads.py::test_the_same_values[df-pn-p-game-2]",
    "test_evaluated.py::test_one_number_for_each_position_will_do": "test_evaluated.py",
    "test_famous.py::test_it_is_what_is_said_of_it[connect6-threats]": "test_vcdt.py",
    "test_famous.py::test_it_is_what_is_said_of_it[hex-5]": "test_hex.py",
    "test_k_in_a_row.py::test_lines_to_complete_and_to_stop[{'columns': 9, 'rows': 9, 'line': 5, 'overline': 'no-win'}]":  # noqa: E501
        "test_k_in_a_row.py::test_lines_to_complete_and_to_stop",
    "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[5x5-df-pn]":
        "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[3x3-df-pn]",
    "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[5x5-weak-df-pn]":
        "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[4x4, mover-weak-df-pn]",  # noqa: E501
    "test_mcts.py::test_all_children_at_once_agrees_with_brute_force[connect(4,3,3,2,1)-uct]":
        "test_mcts.py::test_all_children_at_once_agrees_with_brute_force[p-game-uct]",
    "test_minimax_values.py::test_random_graphs_in_other_searches[erps]":
        "test_minimax_values.py::test_random_graphs_in_other_searches[pvs]",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[uct-connect-four 5x4 line 3]":  # noqa: E501
        "test_replay.py",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[pn2-connect-four 5x4 line 3]":  # noqa: E501
        "test_replay.py",
    "test_threats.py::test_wins_are_found_and_hold_against_every_reply[(6, 6, 5, 2, True)]":
        "test_threats.py",
    "test_candidates.py::test_mates_by_checks": "test_candidates.py",
    "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[pn2]":
        "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[pn]",
    "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[mcts]":
        "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[pn]",
    "test_hex.py::test_playouts_end_like_uniformly_random_moves[9]": "test_conformance.py",
    "test_hex.py::test_playouts_end_like_uniformly_random_moves[11]": "test_conformance.py",
    "test_browser_live.py": "test_browser_board.py",
    "test_browser_tree.py": "test_browser_board.py",
    "test_web_processes.py::test_the_next_free_port_is_taken_and_the_board_opened":
        "test_web_processes.py::test_no_process_outlives_the_server[2]",
    "test_famous.py::test_seven_turns_and_nine_plies": "test_vcdt.py",
    "test_engine_before.py::test_perpetual_check[draw-0]":
        "test_engine_before.py::test_perpetual_check[perpetual-check-loses--1]",
    "test_engine_process.py::test_signals_end_an_engine[words0-15]":
        "test_engine_process.py::test_signals_end_an_engine[words1-2]",
    "test_engine_nboard.py::test_without_a_score_there_are_wins_and_losses":
        "test_engine_nboard.py::test_hints_by_looking_ahead",
    "test_lab_jobs.py::test_two_runs_at_once_share_the_work":
        "test_lab_jobs.py::test_a_job_that_ends_badly_is_a_result_and_harms_no_other",
    "test_lab_plans.py::test_compiled_kernels_give_the_same_rows_in_a_child": "test_lab_jobs.py",
    "test_cache.py::test_two_processes_compile_a_kernel_once": "test_cache.py",
    "test_notations_time.py::test_reading_a_file_takes_time_in_proportion_to_it[hex]":
        "test_notations_time.py",
    "test_depth_first_cycles.py::test_long_cycles_grow_the_path": "test_depth_first_cycles.py",
    "test_depth_first_threads.py::test_the_same_values[weak-df-pn-othello 4x4-2]":
        "test_depth_first_threads.py",
    "test_depth_first_slices.py::test_any_cuts_give_the_same_search_bit_for_bit[weak-df-pn {'quick': 2}]":  # noqa: E501
        "test_depth_first_slices.py",
    "test_certify.py::test_every_search_gives_certificates[df-ppn]":
        "test_certify.py::test_every_search_gives_certificates[pn]",
    "test_check_game.py::test_built_in_games_pass[connect-four-{}]":
        "test_check_game.py::test_built_in_games_pass[tic-tac-toe-{}]",
    "test_check_game.py::test_built_in_games_pass[lines-of-action-{'size': 5}]":
        "test_check_game.py::test_built_in_games_pass[tic-tac-toe-{}]",
    "test_check_game.py::test_built_in_games_pass[hex-{'size': 3}]":
        "test_check_game.py::test_built_in_games_pass[tic-tac-toe-{}]",
    "test_knowledge.py::test_against_the_bare_rules[hex 5x5]":
        "test_knowledge.py::test_against_the_bare_rules[hex 4x4]",
    "test_knowledge.py::test_against_the_twin[4x4 line 3 exactly]":
        "test_knowledge.py::test_against_the_twin",
    "test_othello_endgame.py::test_the_endgame_knows_every_score[6-8-25]":
        "test_othello_endgame.py::test_the_endgame_knows_every_score[8-8-25]",
    "test_minimax_values.py::test_lines_of_action_agrees_with_retrograde_analysis[5x5]":
        "test_minimax_values.py::test_lines_of_action_agrees_with_retrograde_analysis",
}
# Every check of the conformance tests on these: other sizes of the same games are quicker.
LONG_SUBJECTS = (
    "hex", "k-in-a-row-columns9-rows9-line5-overlineno-win", "othello-size6-no_moveloses",
    "connect-four-columns8-rows7", "connect-four-columns4-rows4", "othello-size4",
    "k-in-a-row-columns6-rows5-line4-stones2", "lines-of-action-size5",
    "lines-of-action-size6-simultaneousmover-no_moveloses", "p-game-branching8-depth8-seed7",
)


def names(key: str, id: str) -> bool:
    """Whether ``key`` stands for this test; ``id`` as pytest gives it, without the folder."""
    return id == key or (key.endswith((".py", "[")) and id.startswith(key))


def is_long(id: str) -> bool:
    """Whether ``make test`` leaves this test to ``make test-long``."""
    return any(names(key, id) for key in LONG) or (
        id.startswith("test_conformance.py::test_conformance[")
        and id.rstrip("]").partition("-")[2] in LONG_SUBJECTS)
