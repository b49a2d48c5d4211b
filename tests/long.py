"""Tests that take long and whose subject a shorter one touches too: `make test-long` runs them.

`make test` is for the one who waits, and CI runs both. Each is named with what stands in for it in
`make test`. A test that is long for what it needs, not for where it is used, is marked ``full``
where it stands.

A name that ends with ``.py`` stands for a file, one that ends with ``[`` or ``-`` for all cases of
a test that begin so.
"""

from collections.abc import Iterable

LONG = {
    "test_faults.py::test_every_command[": "test_faults.py::test_short_commands",
    "test_oldest.py::test_the_smoke_set_finds_the_same":
        "test_oldest.py::test_every_floor_is_tried",
    "test_keys.py::test_random_edits[500]": "test_keys.py::test_random_edits[9]",
    "test_lines_of_action_search.py::test_a_line_costs_little_beside_its_proof":
        "test_lines_of_action_search.py",
    "test_cluster_cycles.py::test_lines_of_action[weak-df-pn]":
        "test_cluster.py::test_values_and_certificates[2]",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[vcdt]":
        "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[weak-df-pn]",
    "test_lab_archive.py::test_results_of_other_code_are_rebuilt_too":
        "test_lab_archive.py::test_a_run_of_some_arms_is_rebuilt_as_that",
    "test_zones_of_proofs.py::test_rivals_matter":
        "test_zones_of_proofs.py::test_boards_of_k_in_a_row",
    "test_docs.py::test_page[docs/several-workers.md]": "test_cluster.py",
    "test_cluster_faults.py::test_workers_that_are_killed_or_hang[":
        "test_cluster_faults.py::test_a_master_that_is_killed_goes_on",
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
    "test_docs.py::test_page[docs/searches/widening-df-pn.md]": "test_depth_first_values.py",
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
    "test_working_directory.py::test_every_other_command":
        "test_working_directory.py::test_commands_that_start_processes",
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
    "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[mopns]":
        "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[pn]",
    "test_mopns.py::test_all_256_positions_of_the_paper": "test_mopns.py",
    "test_mopns.py::test_without_draws_it_is_pn": "test_mopns.py",
    "test_docs.py::test_page[docs/searches/mopns.md]": "test_mopns.py",
    "test_docs.py::test_page[docs/searches/ews.md]": "test_ews.py",
    "test_docs.py::test_page[docs/searches/pn-mcts.md]": "test_pn_mcts.py",
    "test_docs.py::test_page[docs/searches/gpn-mcts.md]": "test_pn_mcts.py",
    "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[mcts]":
        "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[pn]",
    "test_hex.py::test_playouts_end_like_uniformly_random_moves[9]": "test_conformance.py",
    "test_hex.py::test_playouts_end_like_uniformly_random_moves[11]": "test_conformance.py",
    "test_browser_live.py": "test_browser_board.py",
    "test_browser_tree.py": "test_browser_board.py",
    "test_web_processes.py::test_the_next_free_port_is_taken_and_the_board_opened":
        "test_web_processes.py::test_no_process_outlives_the_server[2]",
    "test_famous.py::test_seven_turns_and_nine_plies": "test_vcdt.py",
    "test_engine_before.py::test_perpetual_check[": "test_engine_before.py",
    "test_engine_process.py::test_signals_end_an_engine[words0-15]":
        "test_engine_process.py::test_signals_end_an_engine[words1-2]",
    "test_engine_nboard.py::test_without_a_score_there_are_wins_and_losses":
        "test_engine_nboard.py::test_hints_by_looking_ahead",
    "test_lab_jobs.py::test_two_runs_at_once_share_the_work":
        "test_lab_jobs.py::test_a_job_that_ends_badly_is_a_result_and_harms_no_other",
    "test_lab_plans.py::test_compiled_kernels_give_the_same_rows_in_a_child": "test_lab_jobs.py",
    "test_cache.py::test_two_processes_compile_a_kernel_once": "test_cache.py",
    "test_notations_time.py": "test_notations.py",
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
        "test_knowledge.py::test_against_the_bare_rules[hex 3x3]",
    "test_knowledge.py::test_against_the_twin[4x4 line 3 exactly]":
        "test_knowledge.py::test_against_the_twin",
    "test_othello_endgame.py::test_the_endgame_knows_every_score[6-8-25]":
        "test_othello_endgame.py::test_the_endgame_knows_every_score[8-8-25]",
    "test_minimax_values.py::test_lines_of_action_agrees_with_retrograde_analysis[5x5]":
        "test_minimax_values.py::test_lines_of_action_agrees_with_retrograde_analysis",
    "test_vcdt_certificates.py::test_wins_and_losses_on_small_boards[{'columns': 7, 'rows': 6, 'line': 5, 'overline': 'no-win'}]":  # noqa: E501
        "test_vcdt_certificates.py::test_wins_and_losses_on_small_boards",
    "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[5x5-pn]":
        "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[3x3-pn]",
    "test_standing_alone.py::test_numbas_settings_and_version_are_known_before_it_is_loaded":
        "test_standing_alone.py",
    "test_depth_first_order.py::test_df_ppn_expands_what_ppn_expands_in_the_same_order[1-1e-12]":
        "test_depth_first_order.py",
    "test_depth_first_order.py::test_df_ppn_expands_what_ppn_expands_in_the_same_order[2-0.4]":
        "test_depth_first_order.py",
    "test_depth_first_copy.py::test_the_copy_is_searched_alike[":
        "test_depth_first_copy.py::test_the_default_search_compiled_solves_it_alike",
    "test_evaluated.py::test_batches_are_filled_and_prove_what_is_true[PPN(shuffle=False, theta=0.01, pr=None, playouts=64)]":  # noqa: E501
        "test_evaluated.py",
    "test_evaluated.py::test_the_values_of_playouts_make_the_search_with_playouts[win-MCPN(shuffle=False, theta=0.01, playouts=64)]":  # noqa: E501
        "test_evaluated.py",
    "test_brute_force.py::test_agrees_with_brute_force[p-game-pn2 {'a': 20.0, 'b': 10.0, 'N': 300}]":  # noqa: E501
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[p-game-pn {'tie': 'deepest'}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[othello 4x4 loses-pn {}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[hex 4x4-pn {}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[p-game-pp {}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[p-game-mcts {}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[p-game-deep-pn {}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[connect-four 5x4 line 3-pn {'tie': 'deepest'}]":  # noqa: E501
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{'backup': 'max', 'leaf': 'unit', 'quick': 6, 'fold': 0}-knowing-connect-four 5x4 line 3]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force",
    "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{'backup': 'max', 'leaf': 'playouts', 'playouts': 3, 'quick': 6, 'fold': 8}-knowing-hex 3x3]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force",
    "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{'backup': 'sum', 'quick': 0, 'fold': 8}-knowing-othello 4x4]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force",
    "test_depth_first_values.py::test_agrees_with_brute_force[deep-df-pn-{'E': 0, 'D': 1}-plain-connect-four 5x4 line 3]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force",
    "test_user_games.py::test_graphs_of_all_shapes":
        "test_user_games.py::test_a_small_graph_with_every_search",
    "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[ppn]":
        "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[pn]",
    "test_user_games.py::test_a_copy_of_connect_four_gives_the_same_nodes[ppn]":
        "test_user_games.py::test_a_copy_of_connect_four_gives_the_same_nodes[pn]",
    "test_user_games.py::test_chomp_against_brute_force[mcts]":
        "test_user_games.py::test_chomp_against_brute_force[pn]",
    "test_user_games.py::test_chomp_against_brute_force[ppn]":
        "test_user_games.py::test_chomp_against_brute_force[pn]",
    "test_driver.py::test_any_cuts_give_the_same_tree_bit_for_bit[ppn {'playouts': 5}]":
        "test_driver.py::test_any_cuts_give_the_same_tree_bit_for_bit",
    "test_driver.py::test_any_cuts_give_the_same_tree_bit_for_bit[pn {'tie': 'deepest'}]":
        "test_driver.py::test_any_cuts_give_the_same_tree_bit_for_bit",
    "test_driver.py::test_any_cuts_give_the_same_tree_bit_for_bit[deep-pn {}]":
        "test_driver.py::test_any_cuts_give_the_same_tree_bit_for_bit",
    "test_driver.py::test_any_cuts_give_the_same_tree_bit_for_bit[mcts {'playouts': 3}]":
        "test_driver.py::test_any_cuts_give_the_same_tree_bit_for_bit",
    "test_replay.py::test_the_frames_are_the_tree[pn2-connect-four 5x4 line 3]":
        "test_replay.py::test_the_frames_are_the_tree",
    "test_replay.py::test_the_frames_are_the_tree[uct-connect-four 5x4 line 3]":
        "test_replay.py::test_the_frames_are_the_tree",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[cns-connect(4,3,3,2,1)]":
        "test_replay.py",
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[mcpn-connect(4,3,3,2,1)]":
        "test_trees.py::test_looking_shows_the_truth_and_changes_nothing",
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[df-ppn-connect(4,3,3,2,1)]":
        "test_trees.py::test_looking_shows_the_truth_and_changes_nothing",
    "test_mcts.py::test_all_children_at_once_agrees_with_brute_force[connect(4,3,3,2,1)-mcts]":
        "test_mcts.py::test_all_children_at_once_agrees_with_brute_force[p-game-mcts]",
    "test_certify.py::test_games_with_cycles_get_ranks": "test_certify.py",
    "test_certify.py::test_a_table_that_has_lost_nearly_everything": "test_certify.py",
    "test_knowledge.py::test_plain_python_knows_the_same": "test_knowledge.py",
    "test_knowledge.py::test_against_the_twin[connect-four 5x5]":
        "test_knowledge.py::test_against_the_twin",
    "test_knowledge.py::test_estimates_count_the_moves_worth_trying[connect-four 5x5]":
        "test_knowledge.py::test_estimates_count_the_moves_worth_trying",
    "test_plain_games.py::test_searches_agree_with_brute_force[True-ppn]":
        "test_plain_games.py::test_searches_agree_with_brute_force[False-ppn]",
    "test_plain_games.py::test_searches_agree_with_brute_force[True-alpha-beta]":
        "test_plain_games.py::test_searches_agree_with_brute_force[False-ppn]",
    "test_progress.py::test_games_have_progress[xiangqi]":
        "test_progress.py::test_games_have_progress",
    "test_notations.py::test_odd_texts_get_a_sentence_and_nothing_else[xiangqi]":
        "test_notations.py::test_odd_texts_get_a_sentence_and_nothing_else",
    "test_notations.py::test_odd_texts_get_a_sentence_and_nothing_else[connect6]":
        "test_notations.py::test_odd_texts_get_a_sentence_and_nothing_else",
    "test_papers.py::test_plans_have_the_published_sizes[deep-pn-othello]":
        "test_papers.py",
    "test_papers.py::test_p_games_from_trees_to_a_report": "test_papers.py",
    "test_candidates.py::test_only_wins_are_answers[": "test_candidates.py",
    "test_cns.py::test_the_numbers_are_the_least_numbers_of_leaves_that_must_change": "test_cns.py",
    "test_scn.py::test_with_pruning_it_is_alpha_beta_with_leaves_where_it_cuts[": "test_scn.py",
    "test_jit_off.py::test_plain_python_expands_the_same_nodes": "test_knowledge.py",
    "test_tables_seen.py::test_what_is_shown_is_what_the_table_holds[": "test_tables_seen.py",
    "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[connect-four 7x6]":
        "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[hex]",
    "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[connect-four 7x6]":  # noqa: E501
        "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[hex]",
    "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[othello 4x4]":
        "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[hex]",
    "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[othello 4x4]":
        "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[hex]",
    "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[othello 6x6]":
        "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[hex]",
    "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[othello 6x6]":
        "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[hex]",
    "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[othello 8x8]":
        "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[hex]",
    "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[othello 8x8]":
        "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[hex]",
    "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[connect-four 4x4, a draw]":  # noqa: E501
        "test_proof_compiled.py::test_changed_certificates_get_the_same_reports[hex]",
    "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[connect-four 4x4, a draw]":  # noqa: E501
        "test_proof_compiled.py::test_nothing_is_left_to_the_plain_checker_that_is_right[hex]",
    "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{}-knowing-hex 3x3]":
        "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{}-plain-p-game]":
        "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{}-plain-othello 4x4]":
        "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{}-knowing-connect-four 5x4 line 3]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{'best': 'order'}-plain-hex 3x3]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force[widening-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[widening-df-pn]":
        "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[df-pn]",
    "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[widening-df-pn]":
        "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[df-pn]",
    "test_lines_of_action_search.py::test_newer_searches_agree_with_retrograde_analysis[":
        "test_depth_first_cycles.py",
    "test_candidates.py::test_mates_in_newer_searches[": "test_candidates.py",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[cns]":
        "test_checkpoints.py",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[erps]":
        "test_checkpoints.py",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[widening-df-pn]":
        "test_checkpoints.py",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[mopns]":
        "test_checkpoints.py",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[ews]":
        "test_checkpoints.py",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[df-ppn]":
        "test_checkpoints.py",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[uct]":
        "test_checkpoints.py",
    "test_depth_first_values.py::test_agrees_with_brute_force[tca-df-pn-{}-knowing-hex 3x3]":
        "test_depth_first_values.py::test_agrees_with_brute_force[tca-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[tca-df-pn-{}-plain-p-game]":
        "test_depth_first_values.py::test_agrees_with_brute_force[tca-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[tca-df-pn-{}-plain-othello 4x4]":
        "test_depth_first_values.py::test_agrees_with_brute_force[tca-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[tca-df-pn-{}-knowing-connect-four 5x4 line 3]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force[tca-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[shared-df-pn-{}-knowing-hex 3x3]":
        "test_depth_first_values.py::test_agrees_with_brute_force[shared-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[shared-df-pn-{}-plain-p-game]":
        "test_depth_first_values.py::test_agrees_with_brute_force[shared-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[shared-df-pn-{}-plain-othello 4x4]":
        "test_depth_first_values.py::test_agrees_with_brute_force[shared-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[shared-df-pn-{}-knowing-connect-four 5x4 line 3]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force[shared-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[shared-df-pn]":
        "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[df-pn]",
    "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[shared-df-pn]":
        "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[df-pn]",
    "test_docs.py::test_page[docs/searches/tca-df-pn.md]": "test_depth_first_values.py",
    "test_docs.py::test_page[docs/searches/shared-df-pn.md]": "test_depth_first_values.py",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[tca-df-pn-connect(4,3,3,2,1)]":
        "test_replay.py",
    "test_depth_first_values.py::test_agrees_with_brute_force[pds-pn-{}-knowing-hex 3x3]":
        "test_depth_first_values.py::test_agrees_with_brute_force[pds-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[pds-pn-{}-plain-p-game]":
        "test_depth_first_values.py::test_agrees_with_brute_force[pds-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[pds-pn-{}-plain-othello 4x4]":
        "test_depth_first_values.py::test_agrees_with_brute_force[pds-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[pds-pn-{}-knowing-connect-four 5x4 line 3]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force[pds-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[pds-pn]":
        "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[df-pn]",
    "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[pds-pn]":
        "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[df-pn]",
    "test_docs.py::test_page[docs/searches/pds-pn.md]": "test_depth_first_values.py",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[pds-pn-connect(4,3,3,2,1)]":
        "test_replay.py",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[tca-df-pn]":
        "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[shared-df-pn]":
        "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[pds-pn]":
        "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[gpn-mcts]":
        "test_checkpoints.py",
    "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-othello]":
        "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-hex]",
    "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[false-conclusions]":
        "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-hex]",
    "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[connect6-deep-df-pn]":
        "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-hex]",
    "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[p-games]":
        "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-hex]",
    "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[cns-moves]":
        "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-hex]",
    "test_papers.py::test_plans_have_the_published_sizes[false-conclusions]":
        "test_papers.py::test_plans_have_the_published_sizes",
    "test_zones.py::test_zones_are_those_of_the_definition[(6, 6, 5, 2, 'no-win')]":
        "test_zones.py::test_zones_are_those_of_the_definition",
    "test_zones.py::test_wins_by_zones_are_wins": "test_zones.py",
    "test_docs.py::test_page[docs/zones-of-proofs.md]": "test_zones_of_proofs.py",
    "test_docs.py::test_page[docs/solve-something-hard.md]": "test_checkpoint_cli.py",
    "test_docs.py::test_page[docs/searches/scn.md]": "test_scn.py",
    "test_engine_before.py::test_a_move_that_wins_by_the_rule_is_played":
        "test_engine_before.py::test_a_win_is_not_given_away_by_repetition",
    "test_lab_archive.py::test_reports_are_the_same_from_the_archive":
        "test_lab_archive.py::test_results_of_other_code_are_rebuilt_too",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[zones]":
        "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[score]":
        "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same",
    "test_checkpoint_cli.py::test_after_a_kill_it_goes_on_and_ends_the_same":
        "test_checkpoint_cli.py::test_ctrl_c_writes_a_last_checkpoint_and_says_how_to_go_on",
    "test_web_processes.py::test_no_process_outlives_the_server[9]":
        "test_web_processes.py::test_no_process_outlives_the_server[2]",
    "test_cns.py::test_agrees_with_brute_force": "test_cns.py",
    "test_depth_first_cycles.py::test_a_rule_for_repetitions_is_not_folded":
        "test_depth_first_cycles.py::test_a_games_own_rule_for_repetitions[RepeaterLoses]",
    "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[deep-df-pn]":
        "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries",
    "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[tca-df-pn]":
        "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[df-pn]",
    "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{}-knowing-hex 3x3]":
        "test_depth_first_values.py::test_agrees_with_brute_force",
    "test_depth_first_values.py::test_agrees_with_brute_force[df-ppn-{'playouts': 5}-plain-p-game]":
        "test_depth_first_values.py::test_agrees_with_brute_force",
    "test_depth_first_values.py::test_every_search_backup_and_leaf_is_there":
        "test_depth_first_values.py::test_agrees_with_brute_force",
    "test_depth_first_order.py::test_deep_df_pn_that_is_flat_visits_what_df_pn_visits":
        "test_depth_first_order.py",
    "test_certify.py::test_every_search_gives_certificates[mcts]":
        "test_certify.py::test_every_search_gives_certificates[pn]",
    "test_candidates.py::test_running_out_of_checks_is_unknown": "test_candidates.py",
    "test_scn.py::test_the_numbers_are_those_of_the_definition": "test_scn.py",
    "test_standing_alone.py::test_numba_loads_as_a_compiler_whatever_the_switch_says":
        "test_standing_alone.py",
    "test_standing_alone.py::test_arrays_of_every_layout_are_read_as_numba_reads_them":
        "test_standing_alone.py",
    "test_lab_figures.py::test_every_kind_is_drawn[cactus]":
        "test_lab_figures.py::test_every_kind_is_drawn",
    "test_lab_figures.py::test_every_kind_is_drawn[by arm]":
        "test_lab_figures.py::test_every_kind_is_drawn[lines]",
    "test_lab_figures.py::test_every_kind_is_drawn[bands]":
        "test_lab_figures.py::test_every_kind_is_drawn",
    "test_soak.py::test_the_whole_of_it_runs": "test_soak.py",
    "test_evaluated.py::test_the_values_of_playouts_make_the_search_with_playouts[value-MCPN(shuffle=False, theta=0.01, playouts=64)]":  # noqa: E501
        "test_evaluated.py",
    "test_evaluated.py::test_batches_are_filled_and_prove_what_is_true[MCPN(shuffle=False, theta=0.01, playouts=64)]":  # noqa: E501
        "test_evaluated.py",
    "test_newest.py::test_the_seed_decides[gpn-mcts]": "test_newest.py::test_the_seed_decides",
    "test_newest.py::test_the_seed_decides[mopns]": "test_newest.py::test_the_seed_decides",
    "test_newest.py::test_certificates_of_wins_draws_and_losses[pn-mcts]":
        "test_newest.py::test_certificates_of_wins_draws_and_losses",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[pn-mcts-tic-tac-toe]":
        "test_replay.py::test_the_frames_are_the_tree",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[gpn-mcts-tic-tac-toe]":
        "test_replay.py::test_the_frames_are_the_tree",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[mopns-tic-tac-toe]":
        "test_replay.py::test_the_frames_are_the_tree",
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[uct-connect-four 5x4 line 3]":
        "test_trees.py::test_looking_shows_the_truth_and_changes_nothing",
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[gpn-mcts-tic-tac-toe]":
        "test_trees.py::test_looking_shows_the_truth_and_changes_nothing",
    "test_brute_force.py::test_agrees_with_brute_force[connect-four 5x4 line 3-mcpn {}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[connect-four 5x4 line 3-pp {}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[p-game-uct {}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[hex 3x3-deep-pn {}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[hex 3x3-pn {'tie': 'deepest'}]":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_brute_force.py::test_agrees_with_brute_force[hex 3x3-pn2 {'a': 20.0, 'b': 10.0, 'N': 300}]":  # noqa: E501
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_lines_of_action.py::test_any_board_against_the_twin":
        "test_lines_of_action.py::test_agrees_with_openspiel",
    "test_lab.py::test_traces_labels_and_error_rates": "test_lab.py",
    "test_hex.py::test_perft[11-counts3]": "test_hex.py::test_perft",
    "test_minimax_values.py::test_random_graphs_with_cycles_draws_included":
        "test_minimax_values.py::test_random_graphs_in_other_searches[pvs]",
    "test_soak.py::test_right_answers_are_no_differences": "test_soak.py",
    "test_signature.py::test_every_count_is_as_it_was[most]":
        "test_signature.py::test_every_count_is_as_it_was[some]",
    # The same with more games or more entries.
    "test_brute_force.py::test_agrees_on_the_other_positions[":
        "test_brute_force.py::test_agrees_with_brute_force",
    "test_depth_first_values.py::test_agrees_on_the_other_positions[":
        "test_depth_first_values.py::test_agrees_with_brute_force",
    "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-wide-True]":
        "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-narrow-True]",
    "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-wide-False]":
        "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-narrow-True]",
    "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-narrow-False]":
        "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-narrow-True]",
    "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-zoned-True]":
        "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-narrow-True]",
    "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-zoned-False]":
        "test_depth_first_table.py::test_growth_keeps_the_entries[1000-99991-narrow-True]",
    "test_depth_first_table.py::test_growth_keeps_the_entries[4000-":
        "test_depth_first_table.py::test_growth_keeps_the_entries[1000-65536-narrow-True]",
    "test_othello.py::test_agrees_with_openspiel[500]":
        "test_othello.py::test_agrees_with_openspiel[100]",
    "test_hex.py::test_agrees_with_openspiel[1.0]": "test_hex.py::test_agrees_with_openspiel[0.2]",
    "test_connect_four.py::test_agrees_with_openspiel[7-6-4-1000]":
        "test_connect_four.py::test_agrees_with_openspiel[7-6-4-200]",
    "test_lines_of_action.py::test_agrees_with_openspiel[60]":
        "test_lines_of_action.py::test_agrees_with_openspiel[15]",
    "test_connect_four.py::test_who_cannot_win[size1]":
        "test_connect_four.py::test_who_cannot_win[size0]",
    "test_connect_four.py::test_who_cannot_win[size2]":
        "test_connect_four.py::test_who_cannot_win[size0]",
    "test_cluster.py::test_values_and_certificates[5]":
        "test_cluster.py::test_values_and_certificates[2]",
    "test_depth_first_cycles.py::test_more_graphs_against_retrograde_analysis[":
        "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[df-pn]",
    "test_depth_first_cycles.py::test_a_games_own_rule_on_more_graphs[":
        "test_depth_first_cycles.py::test_a_games_own_rule_for_repetitions[RepeaterLoses]",
    "test_minimax_values.py::test_more_graphs_in_other_searches[":
        "test_minimax_values.py::test_random_graphs_in_other_searches[pvs]",
    "test_minimax_values.py::test_a_games_own_rule_on_more_graphs":
        "test_minimax_values.py::test_a_games_own_rule_for_repetitions",
    "test_goals.py::test_more_scores_of_othello_4x4": "test_goals.py::test_scores_of_othello_4x4",
    "test_k_in_a_row.py::test_connect6_agrees_with_the_twin_in_more_games":
        "test_k_in_a_row.py::test_connect6_agrees_with_the_twin",
    "test_checkpoint_files.py::test_many_arrays_come_back_as_they_were":
        "test_checkpoint_files.py::test_arrays_come_back_as_they_were",
    "test_checkpoint_files.py::test_many_arrays_that_make_no_sense_are_refused":
        "test_checkpoint_files.py::test_arrays_that_make_no_sense_are_refused",
    "test_bulk.py::test_many_values_alone_are_those_of_solve":
        "test_bulk.py::test_values_alone_are_those_of_solve[options0]",
    "test_recognise.py::test_nothing_breaks_it_in_many_trials":
        "test_recognise.py::test_nothing_breaks_it",
    "test_lines_of_action_search.py::test_values_get_certificates[weak-df-pn]":
        "test_lines_of_action_search.py::test_ranks_are_needed_and_checked",
    "test_xiangqi.py::test_protected_pawns_along_many_games":
        "test_xiangqi.py::test_protected_pawns_along_games",
    # A page in a browser costs seconds: of each page some uses are quick.
    "test_browser_start.py::test_two_readings_are_offered":
        "test_browser_start.py::test_a_file_is_dropped_anywhere",
    "test_browser_start.py::test_what_no_game_reads_is_refused_in_a_sentence":
        "test_browser_board.py::test_a_bad_position_gets_a_sentence",
    "test_browser_start.py::test_a_certificate_dropped_anywhere_is_checked":
        "test_browser_start.py::test_a_file_is_dropped_anywhere",
    "test_browser_start.py::test_a_link_of_another_explorer_is_a_position":
        "test_browser_start.py::test_a_pasted_position_is_recognised_and_said",
    "test_browser_board.py::test_a_game_of_ones_own_has_its_diagram_and_a_list_of_moves":
        "test_browser_board.py::test_values_appear_on_every_move_and_the_answer_in_words",
    "test_browser_board.py::test_lengths_that_took_too_long_are_looked_for_again":
        "test_browser_board.py::test_values_appear_on_every_move_and_the_answer_in_words",
    "test_browser_board.py::test_positions_and_pictures_are_taken_away":
        "test_browser_board.py::test_clicks_move_and_back_is_undo",
    "test_browser_board.py::test_tab_and_arrows_reach_the_moves":
        "test_browser_board.py::test_keys_alone_are_enough",
    "test_browser_board.py::test_a_position_is_edited[game=tic-tac-toe-b2-O]":
        "test_browser_board.py::test_a_position_is_edited",
    "test_browser_start.py::test_games_and_famous_positions_lead_to_boards":
        "test_browser_start.py::test_a_pasted_position_is_recognised_and_said",
    "test_browser_board.py::test_scores_are_shown_where_the_link_asks_for_them":
        "test_browser_board.py::test_values_appear_on_every_move_and_the_answer_in_words",
    "test_browser_board.py::test_the_machine_plays_a_proved_move_and_says_so":
        "test_browser_board.py::test_clicks_move_and_back_is_undo",
    "test_browser_board.py::test_the_line_is_previewed_and_walked":
        "test_browser_board.py::test_values_appear_on_every_move_and_the_answer_in_words",
    "test_browser_board.py::test_pieces_are_picked_up_and_put_down":
        "test_browser_board.py::test_clicks_move_and_back_is_undo",
    "test_browser_board.py::test_a_lost_move_among_open_ones_says_nothing":
        "test_browser_board.py::test_values_appear_on_every_move_and_the_answer_in_words",
    # A search that agrees on one set of positions is quick; on further sets it is long.
    "test_brute_force.py::test_agrees_with_brute_force[othello 4x4-mcpn {}]":
        "test_brute_force.py::test_agrees_with_brute_force[hex 3x3-mcpn {}]",
    "test_brute_force.py::test_agrees_with_brute_force[othello 4x4-uct {}]":
        "test_brute_force.py::test_agrees_with_brute_force[hex 3x3-uct {}]",
    "test_brute_force.py::test_agrees_with_brute_force[hex 3x3-mcts {}]":
        "test_brute_force.py::test_agrees_with_brute_force[connect(4,3,3,2,1)-mcts {}]",
    "test_brute_force.py::test_agrees_with_brute_force[othello 4x4-ppn {}]":
        "test_brute_force.py::test_agrees_with_brute_force[connect(4,3,3,2,1)-ppn {}]",
    "test_brute_force.py::test_agrees_with_brute_force[othello 4x4-pn {'tie': 'deepest'}]":
        "test_brute_force.py::test_agrees_with_brute_force[connect(4,3,3,2,1)-pn {'tie': 'deepest'}]",  # noqa: E501
    "test_brute_force.py::test_agrees_with_brute_force[connect-four 4x4-pn {}]":
        "test_brute_force.py::test_agrees_with_brute_force[connect-four 5x4 line 3-pn {}]",
    "test_brute_force.py::test_agrees_with_brute_force[tic-tac-toe-pn {}]":
        "test_brute_force.py::test_agrees_with_brute_force[connect(4,3,3,2,1)-pn {}]",
    "test_depth_first_values.py::test_agrees_with_brute_force[df-pn-{'epsilon': 0.0}-plain-p-game]":
        "test_depth_first_threads.py::test_the_same_values[df-pn-p-game-2]",
    "test_depth_first_values.py::test_agrees_with_brute_force[df-pn-{'epsilon': 0.0}-plain-othello 4x4]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{}-knowing-othello 4x4]",  # noqa: E501
    "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{'quick': 2}-knowing-connect-four 4x4]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{}-knowing-connect-four 5x4 line 3]",  # noqa: E501
    "test_knowledge.py::test_against_the_bare_rules[connect-four 5x5]":
        "test_knowledge.py::test_against_the_bare_rules[connect-four 4x4]",
    "test_knowledge.py::test_estimates_count_the_moves_worth_trying[hex 5x5]":
        "test_knowledge.py::test_estimates_count_the_moves_worth_trying",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[ews-tic-tac-toe]":
        "test_replay.py::test_the_frames_are_the_tree",
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[ews-tic-tac-toe]":
        "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[ews]",
    # Another size, option or search of what stays: its kernels are compiled for nothing else.
    "test_zones_attacked.py::test_replies_that_zones_leave_out_lose_to_threats[(6, 6, 5, 2, True)]":
        "test_zones_attacked.py::test_replies_that_zones_leave_out_lose_to_threats[(6, 6, 5, 2, False)]",  # noqa: E501
    "test_categories.py::test_connect_four[7-6-4]":
        "test_categories.py::test_connect_four[5-4-3]",
    "test_categories.py::test_lines_of_action[8]":
        "test_categories.py::test_lines_of_action[5]",
    "test_depth_first_small_tables.py::test_tables_of_a_few_entries_end_with_the_right_values[df-ppn-p-game-":
        "test_depth_first_small_tables.py::test_tables_of_a_few_entries_end_with_the_right_values[df-ppn-connect(4,3,3,2,1)-",
    "test_cluster.py::test_values_and_certificates[1]":
        "test_cluster.py::test_values_and_certificates[2]",
    "test_knowledge.py::test_against_the_bare_rules[hex 4x4]":
        "test_knowledge.py::test_against_the_bare_rules[hex 3x3]",
    "test_knowledge.py::test_against_the_twin[hex 4x4]":
        "test_knowledge.py::test_against_the_twin[hex 3x3]",
    "test_knowledge.py::test_estimates_count_the_moves_worth_trying[hex 4x4]":
        "test_knowledge.py::test_estimates_count_the_moves_worth_trying[hex 3x3]",
    "test_knowledge.py::test_remaining_bounds_the_rest_of_a_game[hex 4x4]":
        "test_knowledge.py::test_remaining_bounds_the_rest_of_a_game[hex 3x3]",
    "test_knowledge.py::test_remaining_bounds_the_rest_of_a_game[hex 5x5]":
        "test_knowledge.py::test_remaining_bounds_the_rest_of_a_game[hex 3x3]",
    "test_knowledge.py::test_remaining_bounds_the_rest_of_a_game[connect-four 5x5]":
        "test_knowledge.py::test_remaining_bounds_the_rest_of_a_game[connect-four 4x4]",
    "test_knowledge.py::test_against_the_bare_rules[connect-four 5x4 line 3]":
        "test_knowledge.py::test_against_the_bare_rules[connect-four 4x4]",
    "test_knowledge.py::test_against_the_twin[connect-four 5x4 line 3]":
        "test_knowledge.py::test_against_the_twin[connect-four 4x4]",
    "test_knowledge.py::test_estimates_count_the_moves_worth_trying[connect-four 5x4 line 3]":
        "test_knowledge.py::test_estimates_count_the_moves_worth_trying[connect-four 4x4]",
    "test_knowledge.py::test_remaining_bounds_the_rest_of_a_game[connect-four 5x4 line 3]":
        "test_knowledge.py::test_remaining_bounds_the_rest_of_a_game[connect-four 4x4]",
    "test_check_game.py::test_built_in_games_pass[othello-{'size': 4}]":
        "test_check_game.py::test_built_in_games_pass[tic-tac-toe-{}]",
    "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[tca-df-pn]":
        "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[df-pn]",
    "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[df-ppn]":
        "test_depth_first_cycles.py::test_random_graphs_with_tables_of_a_few_entries[df-pn]",
    "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[mcpn]":
        "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[ppn]",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[deep-pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[pn-connect-four 4x4]",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[mcpn-connect-four 5x4 line 3]":  # noqa: E501
        "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[pn-connect-four 4x4]",
    "test_user_games.py::test_chomp_against_brute_force[pvs]":
        "test_user_games.py::test_chomp_against_brute_force[pn]",
    "test_user_games.py::test_a_small_graph_with_every_search[ppn]":
        "test_user_games.py::test_a_small_graph_with_every_search[pn]",
    "test_driver.py::test_a_games_own_rule_for_repetitions[search1]":
        "test_driver.py::test_a_games_own_rule_for_repetitions[search0]",
    "test_driver.py::test_a_games_own_rule_for_repetitions[search2]":
        "test_driver.py::test_a_games_own_rule_for_repetitions[search0]",
    "test_driver.py::test_forced_moves_narrow_the_tree_unless_plain[uct]":
        "test_driver.py::test_forced_moves_narrow_the_tree_unless_plain[pn]",
    "test_newest.py::test_certificates_of_wins_draws_and_losses[gpn-mcts]":
        "test_newest.py::test_certificates_of_wins_draws_and_losses[ews]",
    "test_annotate.py::test_agrees_with_brute_force[othello 4x4]":
        "test_annotate.py::test_agrees_with_brute_force[hex 3x3]",
    "test_brute_force.py::test_agrees_with_brute_force[connect-four 5x4 line 3-ppn {}]":
        "test_brute_force.py::test_agrees_with_brute_force[connect(4,3,3,2,1)-ppn {}]",
    "test_depth_first_threads.py::test_the_same_values[weak-df-pn-othello 4x4-4]":
        "test_depth_first_threads.py::test_the_same_values[weak-df-pn-connect-four 5x4 line 3-4]",
    "test_depth_first_threads.py::test_the_same_values[df-pn-connect-four 5x4 line 3-4]":
        "test_depth_first_threads.py::test_the_same_values[df-pn-connect-four 5x4 line 3-2]",
    "test_depth_first_threads.py::test_the_same_values[df-ppn-connect(4,3,3,2,1)-4]":
        "test_depth_first_threads.py::test_the_same_values[df-ppn-connect(4,3,3,2,1)-2]",
    "test_depth_first_threads.py::test_the_same_values[deep-df-pn-connect(4,3,3,2,1)-4]":
        "test_depth_first_threads.py::test_the_same_values[deep-df-pn-connect(4,3,3,2,1)-2]",
    "test_depth_first_threads.py::test_the_same_values[widening-df-pn-connect(4,3,3,2,1)-4]":
        "test_depth_first_threads.py::test_the_same_values[widening-df-pn-connect(4,3,3,2,1)-2]",
    "test_depth_first_threads.py::test_the_same_values[tca-df-pn-connect(4,3,3,2,1)-4]":
        "test_depth_first_threads.py::test_the_same_values[tca-df-pn-connect(4,3,3,2,1)-2]",
    "test_depth_first_threads.py::test_the_same_values[shared-df-pn-connect(4,3,3,2,1)-4]":
        "test_depth_first_threads.py::test_the_same_values[shared-df-pn-connect(4,3,3,2,1)-2]",
    "test_depth_first_threads.py::test_the_same_values[pds-pn-connect(4,3,3,2,1)-4]":
        "test_depth_first_threads.py::test_the_same_values[pds-pn-connect(4,3,3,2,1)-2]",
    "test_carriers.py::test_no_false_zone_is_believed[150]":
        "test_carriers.py::test_no_false_zone_is_believed[40]",
    "test_check_game_compiled.py::test_fields_by_name_and_as_arrays":
        "test_check_game_compiled.py::test_a_step_with_fields_by_name_and_as_arrays",
    # Further sizes, searches and options of what a case that stays is about.
    "test_cli.py::test_what_games_prints_as_valid_is_valid[connect6]":
        "test_cli.py::test_what_games_prints_as_valid_is_valid[k-in-a-row]",
    "test_cli.py::test_what_games_prints_as_valid_is_valid[gomoku]":
        "test_cli.py::test_what_games_prints_as_valid_is_valid[k-in-a-row]",
    "test_problem_descent.py::test_leaves_are_those_of_a_walk_from_the_root[deep-pn-3]":
        "test_problem_descent.py::test_leaves_are_those_of_a_walk_from_the_root[deep-pn-1]",
    "test_problem_descent.py::test_leaves_are_those_of_a_walk_from_the_root[PN(shuffle=True, tie='left')-3]":  # noqa: E501
        "test_problem_descent.py::test_leaves_are_those_of_a_walk_from_the_root[PN(shuffle=True, tie='left')-1]",  # noqa: E501
    "test_problem_descent.py::test_leaves_are_those_of_a_walk_from_the_root[pn-1]":
        "test_problem_descent.py::test_leaves_are_those_of_a_walk_from_the_root[pn-3]",
    "test_proof_rules.py::test_open_spiel_plays_by_the_same_rules[gomoku-parameters6]":
        "test_proof_rules.py::test_open_spiel_plays_by_the_same_rules[k-in-a-row-parameters4]",
    "test_conformance.py::test_conformance[perft-othello]":
        "test_othello.py::test_perft_from_the_start",
    "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[othello 8x8]":
        "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[othello 4x4]",
    "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[othello 6x6]":
        "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[othello 4x4]",
    "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[connect-four 7x6]":
        "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[connect-four 5x4]",
    "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[ring]":
        "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[chase]",
    "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[connect-four 4x4, a draw]":
        "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[connect-four 4x4, a win]",  # noqa: E501
    "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[xiangqi protected=black]":
        "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[xiangqi]",
    "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[lines-of-action size=6 simultaneous=mover no_move=loses]":  # noqa: E501
        "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[lines-of-action size=5]",
    "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[othello size=4]":
        "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[othello]",
    "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[connect-four columns=4 rows=4]":
        "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[connect-four columns=5 rows=4 line=3]",  # noqa: E501
    "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[connect-four columns=8 rows=7]":
        "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[connect-four]",
    "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[hex size=4]":
        "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[hex]",
    "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[p-game branching=8 depth=8 seed=7]":  # noqa: E501
        "test_proof_rules.py::test_agrees_with_the_game_and_its_twin[p-game seed=42]",
    "test_papers.py::test_plans_have_the_published_sizes[all-searches]":
        "test_papers.py::test_plans_have_the_published_sizes",
    "test_papers.py::test_plans_have_the_published_sizes[connect6-deep-df-pn]":
        "test_papers.py::test_plans_have_the_published_sizes",
    "test_papers.py::test_plans_have_the_published_sizes[p-games]":
        "test_papers.py::test_plans_have_the_published_sizes",
    "test_papers.py::test_plans_have_the_published_sizes[cns-moves]":
        "test_papers.py::test_plans_have_the_published_sizes",
    "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[all-searches]":
        "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-hex]",
    "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[othello-boards]":
        "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-hex]",
    "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[othello-stages]":
        "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-hex]",
    "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[loa-tactics]":
        "test_papers.py::test_an_empty_store_makes_tables_and_no_verdicts[deep-pn-hex]",
    "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[pn2]":
        "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[pn]",
    "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[pp]":
        "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[ppn]",
    "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[mopns]":
        "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[pn]",
    "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[deep-pn]":
        "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[pn]",
    "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[gpn-mcts]":
        "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[pn-mcts]",
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[mopns-tic-tac-toe]":
        "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[df-pn-connect(4,3,3,2,1)]",
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[pn2-connect(4,3,3,2,1)]":
        "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[df-pn-connect(4,3,3,2,1)]",
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[pp-connect(4,3,3,2,1)]":
        "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[df-pn-connect(4,3,3,2,1)]",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[pn-connect-four 4x4]",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[pp-connect(4,3,3,2,1)]":
        "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[ppn-connect(4,3,3,2,1)]",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[widening-df-pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[df-pn-connect(4,3,3,2,1)]",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[shared-df-pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[df-pn-connect(4,3,3,2,1)]",
    "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[deep-df-pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_the_last_frame_is_that_of_an_undisturbed_run[df-pn-connect(4,3,3,2,1)]",
    "test_replay.py::test_cycles[pn]":
        "test_replay.py::test_cycles[df-pn]",
    "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[tca-df-pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[df-pn-connect(4,3,3,2,1)]",
    "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[shared-df-pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[df-pn-connect(4,3,3,2,1)]",
    "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[pds-pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[df-pn-connect(4,3,3,2,1)]",
    "test_depth_first_cycles.py::test_random_graphs_against_retrograde_analysis[pn]":
        "test_user_games.py::test_random_cyclic_graphs_against_retrograde_analysis[pn]",
    "test_k_in_a_row.py::test_perft_is_the_twins[parameters1-3]":
        "test_k_in_a_row.py::test_perft_is_the_twins[parameters0-4]",
    "test_k_in_a_row.py::test_agrees_with_openspiel[gomoku(size=7,connect=4)-parameters3-200]":
        "test_k_in_a_row.py::test_agrees_with_openspiel[mnk(m=5,n=4,k=4)-parameters1-200]",
    "test_k_in_a_row.py::test_agrees_with_openspiel[mnk(m=9,n=10,k=5)-parameters2-100]":
        "test_k_in_a_row.py::test_agrees_with_openspiel[mnk(m=5,n=4,k=4)-parameters1-200]",
    "test_k_in_a_row.py::test_agrees_with_the_twin[{'columns': 26, 'rows': 3, 'line': 3, 'stones': 2, 'overline': 'no-win'}]":  # noqa: E501
        "test_k_in_a_row.py::test_agrees_with_the_twin[{'columns': 7, 'rows': 5, 'line': 3, 'stones': 2, 'first': 2, 'overline': 'no-win'}]",  # noqa: E501
    "test_k_in_a_row.py::test_agrees_with_the_twin[{'columns': 9, 'rows': 8, 'line': 4, 'stones': 3, 'first': 2, 'overline': 'no-win'}]":  # noqa: E501
        "test_k_in_a_row.py::test_agrees_with_the_twin[{'columns': 7, 'rows': 5, 'line': 3, 'stones': 2, 'first': 2, 'overline': 'no-win'}]",  # noqa: E501
    "test_k_in_a_row.py::test_symmetry_maps_moves[{'columns': 9, 'rows': 8, 'line': 4, 'stones': 3, 'first': 2, 'overline': 'no-win'}]":  # noqa: E501
        "test_k_in_a_row.py::test_symmetry_maps_moves[{'columns': 6, 'rows': 6, 'line': 4, 'stones': 2}]",  # noqa: E501
    "test_k_in_a_row.py::test_playouts_are_uniform[{'columns': 9, 'rows': 8, 'line': 4, 'stones': 3, 'first': 2, 'overline': 'no-win'}]":  # noqa: E501
        "test_k_in_a_row.py::test_playouts_are_uniform[{'columns': 7, 'rows': 5, 'line': 3, 'stones': 2, 'first': 2, 'overline': 'no-win'}]",  # noqa: E501
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[shortest]":
        "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[weak-df-pn]",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[df-pn]":
        "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[weak-df-pn]",
    "test_bulk.py::test_values_alone_are_those_of_solve[options1]":
        "test_bulk.py::test_values_alone_are_those_of_solve[options0]",
    "test_bulk.py::test_values_alone_are_those_of_solve[options3]":
        "test_bulk.py::test_values_alone_are_those_of_solve[options0]",
    "test_goals.py::test_shortest_wins[connect-four 5x4 line 3]":
        "test_goals.py::test_shortest_wins[connect-four 4x4]",
    "test_othello.py::test_four_by_four_is_a_win_for_the_second_player":
        "test_goals.py::test_scores_of_othello_4x4",
    "test_bad_input.py::test_a_long_text_takes_no_longer_than_it_must[gomoku]":
        "test_bad_input.py::test_a_long_text_takes_no_longer_than_it_must[k-in-a-row]",
    "test_bad_input.py::test_a_long_text_takes_no_longer_than_it_must[connect6]":
        "test_bad_input.py::test_a_long_text_takes_no_longer_than_it_must[k-in-a-row]",
    "test_bad_input.py::test_a_long_text_takes_no_longer_than_it_must[tic-tac-toe]":
        "test_bad_input.py::test_a_long_text_takes_no_longer_than_it_must[k-in-a-row]",
    "test_evaluated.py::test_the_values_of_playouts_make_the_search_with_playouts[value-PPN(shuffle=False, theta=0.01, pr=1e-06, playouts=64)]":  # noqa: E501
        "test_evaluated.py::test_the_values_of_playouts_make_the_search_with_playouts[win-PPN(shuffle=False, theta=0.01, pr=1e-06, playouts=64)]",  # noqa: E501
    "test_evaluated.py::test_the_values_of_playouts_make_the_search_with_playouts[value-PPN(shuffle=False, theta=0.01, pr=None, playouts=64)]":  # noqa: E501
        "test_evaluated.py::test_the_values_of_playouts_make_the_search_with_playouts[win-PPN(shuffle=False, theta=0.01, pr=1e-06, playouts=64)]",  # noqa: E501
    "test_evaluated.py::test_the_values_of_playouts_make_the_search_with_playouts[win-PPN(shuffle=False, theta=0.01, pr=None, playouts=64)]":  # noqa: E501
        "test_evaluated.py::test_the_values_of_playouts_make_the_search_with_playouts[win-PPN(shuffle=False, theta=0.01, pr=1e-06, playouts=64)]",  # noqa: E501
    "test_engine_process.py::test_signals_end_an_engine[words0-2]":
        "test_engine_process.py::test_signals_end_an_engine[words1-2]",
    "test_cli_process.py::test_ctrl_c_keeps_the_partial_result[15]":
        "test_cli_process.py::test_ctrl_c_keeps_the_partial_result[2]",
    "test_cli_process.py::test_ctrl_c_keeps_the_finished_rows[1]":
        "test_cli_process.py::test_ctrl_c_keeps_the_finished_rows[2]",
    "test_progress.py::test_games_have_progress[lines-of-action]":
        "test_progress.py::test_games_have_progress[connect-four]",
    "test_lab_figures.py::test_every_kind_is_drawn[dots]":
        "test_lab_figures.py::test_every_kind_is_drawn[lines]",
    "test_zones_attacked.py::test_replies_that_zones_leave_out_lose_to_threats[(7, 6, 4, 1, False)]":  # noqa: E501
        "test_zones_attacked.py::test_replies_that_zones_leave_out_lose_to_threats[(6, 6, 5, 2, False)]",  # noqa: E501
    "test_zones_attacked.py::test_replies_that_zones_leave_out_lose_to_threats[(7, 7, 6, 2, False)]":  # noqa: E501
        "test_zones_attacked.py::test_replies_that_zones_leave_out_lose_to_threats[(6, 6, 5, 2, False)]",  # noqa: E501
    "test_depth_first_values.py::test_agrees_with_brute_force[df-pn-{'epsilon': 0.0}-plain-connect-four 5x4 line 3]":  # noqa: E501
        "test_depth_first_threads.py::test_the_same_values[df-pn-connect-four 5x4 line 3-2]",
    "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{}-knowing-tic-tac-toe]":
        "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{}-knowing-othello 4x4]",  # noqa: E501
    "test_brute_force.py::test_agrees_with_brute_force[p-game-pn {}]":
        "test_brute_force.py::test_agrees_with_brute_force[connect(4,3,3,2,1)-pn {}]",
    "test_brute_force.py::test_agrees_with_brute_force[othello 4x4-pn {}]":
        "test_brute_force.py::test_agrees_with_brute_force[connect(4,3,3,2,1)-pn {}]",
    "test_cns.py::test_the_leaf_expanded_is_in_a_smallest_conspiracy[far]":
        "test_cns.py::test_the_leaf_expanded_is_in_a_smallest_conspiracy[near]",
    "test_notations.py::test_odd_texts_get_a_sentence_and_nothing_else[gomoku]":
        "test_notations.py::test_odd_texts_get_a_sentence_and_nothing_else",
    "test_knowledge.py::test_against_the_twin[connect-four 7x6]":
        "test_knowledge.py::test_against_the_twin[connect-four 4x4]",
    "test_vcdt_certificates.py::test_wins_and_losses_on_small_boards[{'columns': 5, 'rows': 5, 'line': 4}]":  # noqa: E501
        "test_vcdt_certificates.py::test_wins_and_losses_on_small_boards[{'columns': 6, 'rows': 5, 'line': 4, 'stones': 2}]",  # noqa: E501
    "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[4x4, mover-pn]":
        "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[4x4, mover-df-pn]",
    "test_annotate.py::test_agrees_with_brute_force[connect-four 4x4]":
        "test_annotate.py::test_agrees_with_brute_force[hex 3x3]",
    "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[all-searches]":
        "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[deep-pn-hex]",
    "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[false-conclusions]":
        "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[deep-pn-hex]",
    "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[deep-pn-othello]":
        "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[deep-pn-hex]",
    "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[p-games]":
        "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[deep-pn-hex]",
    "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[cns-moves]":
        "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[deep-pn-hex]",
    "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[connect6-deep-df-pn]":
        "test_papers.py::test_what_is_published_belongs_to_arms_and_sets_that_exist[deep-pn-hex]",
    "test_papers.py::test_plans_have_the_published_sizes[othello-stages]":
        "test_papers.py::test_plans_have_the_published_sizes[deep-pn-hex]",
    "test_papers.py::test_plans_have_the_published_sizes[loa-tactics]":
        "test_papers.py::test_plans_have_the_published_sizes[deep-pn-hex]",
    "test_zones_of_proofs.py::test_a_game_that_says_too_little_is_noticed[ending without a square]":
        "test_zones_of_proofs.py::test_a_game_that_says_too_little_is_noticed[a move has no square]",  # noqa: E501
    "test_soak.py::test_a_line_or_a_paste_on_which_something_fails_is_noticed":
        "test_soak.py::test_a_parser_that_raises_is_noticed",
    "test_soak.py::test_a_wrong_answer_is_noticed[<lambda>-not 77-numbers4]":
        "test_soak.py::test_a_wrong_answer_is_noticed[<lambda>-the score is-numbers3]",
    "test_tables_seen.py::test_a_poor_key_is_told_apart":
        "test_depth_first_small_tables.py::test_a_key_of_eight_bits[df-pn]",
    "test_lines_of_action.py::test_all_eight_images_have_one_representative":
        "test_conformance.py::test_conformance[symmetry-lines-of-action]",
    "test_othello.py::test_all_eight_images_have_one_representative":
        "test_conformance.py::test_conformance[symmetry-othello]",
    "test_xiangqi_evaluation.py::test_one_ply_of_it_beats_chance":
        "test_lines_of_action_evaluation.py::test_one_ply_of_it_beats_chance",
    "test_plain_playouts.py::test_positions_of_random_games_are_not_kept[ppn]":
        "test_plain_playouts.py::test_positions_of_random_games_are_not_kept[ews]",
    "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[3x3-weak-df-pn]":
        "test_lines_of_action_search.py::test_agrees_with_retrograde_analysis[4x4, mover-weak-df-pn]",  # noqa: E501
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[pn-connect-four 5x4 line 3]":
        "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[ppn-connect-four 5x4 line 3]",  # noqa: E501
    "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[pn-mcts-tic-tac-toe]":
        "test_trees.py::test_looking_shows_the_truth_and_changes_nothing[mcts-connect(4,3,3,2,1)]",
    "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[mcts]":
        "test_trees.py::test_the_marked_children_lead_to_the_next_leaf[uct]",
    "test_zones.py::test_every_search_that_narrows_runs_on_zones[ews]":
        "test_zones.py::test_every_search_that_narrows_runs_on_zones[pn]",
    "test_zones.py::test_every_search_that_narrows_runs_on_zones[mcpn]":
        "test_zones.py::test_every_search_that_narrows_runs_on_zones[pn]",
    "test_zones.py::test_every_search_that_narrows_runs_on_zones[ppn]":
        "test_zones.py::test_every_search_that_narrows_runs_on_zones[pn]",
    "test_zones.py::test_every_search_that_narrows_runs_on_zones[mcts]":
        "test_zones.py::test_every_search_that_narrows_runs_on_zones[pn]",
    "test_zones.py::test_every_search_that_narrows_runs_on_zones[df-ppn]":
        "test_zones.py::test_every_search_that_narrows_runs_on_zones[df-pn]",
    "test_replay.py::test_the_frames_are_the_tree[pp-connect(4,3,3,2,1)]":
        "test_replay.py::test_the_frames_are_the_tree[pn-connect(4,3,3,2,1)]",
    "test_replay.py::test_the_frames_are_the_tree[mcpn-connect-four 5x4 line 3]":
        "test_replay.py::test_the_frames_are_the_tree[pn-connect(4,3,3,2,1)]",
    "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[widening-df-pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[df-pn-connect(4,3,3,2,1)]",
    "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[deep-df-pn-connect(4,3,3,2,1)]":
        "test_replay.py::test_visits_have_thresholds_and_lead_where_they_say[df-pn-connect(4,3,3,2,1)]",
    "test_knowledge.py::test_against_the_bare_rules[4x4 line 3 exactly]":
        "test_knowledge.py::test_against_the_bare_rules[connect-four 4x4]",
    "test_proof.py::test_searches_take_the_place_of_records[k-in-a-row columns=4 rows=3 stones=2]":
        "test_proof.py::test_searches_take_the_place_of_records[connect-four]",
    "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[two steps a turn]":
        "test_proof_mutations.py::test_no_mutant_is_believed_without_reason[chase]",
    "test_published.py::test_connect_four[2]":
        "test_published.py::test_connect_four[0]",
    "test_lines_of_action_evaluation.py::test_agrees_with_the_twin[8-1]":
        "test_lines_of_action_evaluation.py::test_agrees_with_the_twin[5-12]",
    "test_hex.py::test_random_games_agree_with_the_twin[16]":
        "test_hex.py::test_random_games_agree_with_the_twin[8]",
    "test_depth_first_values.py::test_agrees_with_brute_force[df-pn-{'epsilon': 0.0}-plain-connect(4,3,3,2,1)]":  # noqa: E501
        "test_depth_first_values.py::test_agrees_with_brute_force[shared-df-pn-{}-plain-connect(4,3,3,2,1)]",
    "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{}-knowing-connect(4,3,3,2,1)]":
        "test_depth_first_values.py::test_agrees_with_brute_force[weak-df-pn-{}-knowing-othello 4x4]",  # noqa: E501
    "test_depth_first_small_tables.py::test_tables_of_a_few_entries_end_with_the_right_values[df-pn-p-game-2 buckets]":  # noqa: E501
        "test_depth_first_small_tables.py::test_tables_of_a_few_entries_end_with_the_right_values[df-pn-othello 4x4-2 buckets]",  # noqa: E501
    "test_depth_first_small_tables.py::test_tables_of_a_few_entries_end_with_the_right_values[df-pn-p-game-16 buckets]":  # noqa: E501
        "test_depth_first_small_tables.py::test_tables_of_a_few_entries_end_with_the_right_values[df-pn-othello 4x4-16 buckets]",  # noqa: E501
    "test_depth_first_small_tables.py::test_tables_of_a_few_entries_end_with_the_right_values[df-pn-p-game-64 KB]":  # noqa: E501
        "test_depth_first_small_tables.py::test_tables_of_a_few_entries_end_with_the_right_values[df-pn-othello 4x4-64 KB]",  # noqa: E501
    "test_minimax_values.py::test_lines_of_action_agrees_with_retrograde_analysis[4x4, mover]":
        "test_minimax_values.py::test_lines_of_action_agrees_with_retrograde_analysis[3x3]",
    "test_conformance.py::test_conformance[play_writes_everything-lines-of-action]":
        "test_conformance.py::test_conformance[play_writes_everything-othello]",
    "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[pn2]":
        "test_checkpoints.py::test_saved_at_any_moments_it_ends_the_same[pn]",
}
# The newest best-first searches: `make test` has them on one small game, for which commands have
# them compiled anyway.
NEWEST = ["ews", "mopns", "pn-mcts", "gpn-mcts"]
NEWEST_ON = "tic-tac-toe"
BRUTE_FORCE = "test_brute_force.py::test_agrees_with_brute_force["
# Every check of the conformance tests on these: other sizes of the same games are quicker.
LONG_SUBJECTS = (
    "hex", "k-in-a-row-columns9-rows9-line5-overlineno-win", "othello-size6-no_moveloses",
    "connect-four-columns8-rows7", "connect-four-columns4-rows4", "othello-size4",
    "k-in-a-row-columns6-rows5-line4-stones2", "lines-of-action-size5",
    "lines-of-action-size6-simultaneousmover-no_moveloses", "p-game-branching8-depth8-seed7",
)
# Thousands of tests are asked about: the names of many by how they begin, the others at once.
BEGINNINGS = tuple(key for key in LONG if key.endswith((".py", "[", "-")))


def unknown(ids: Iterable[str]) -> list[str]:
    """The names that stand for none of these tests."""
    left = LONG.keys() - set(ids)
    ids = [id for id in ids if id.startswith(BEGINNINGS)]
    return [key for key in LONG if key in left and not (
        key in BEGINNINGS and any(id.startswith(key) for id in ids))]


def is_long(id: str) -> bool:
    """Whether ``make test`` leaves this test to ``make test-long``.

    ``id`` is what pytest gives, without the folder.
    """
    if id.startswith(BRUTE_FORCE) and any(f"-{search} " in id for search in NEWEST):
        return not id.startswith(f"{BRUTE_FORCE}{NEWEST_ON}-")
    return id in LONG or id.startswith(BEGINNINGS) or (
        id.startswith("test_conformance.py::test_conformance[")
        and id.rstrip("]").partition("-")[2] in LONG_SUBJECTS)
