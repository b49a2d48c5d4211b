"""The transposition table: entries, replacement, growth, torn entries, what questions share."""

import random
from functools import cache

import numpy as np
import pytest

from zermelo.compiler.jit import kernel
from zermelo.kernel.bits import mix
from zermelo.search.common.table import (
    BUCKET_BYTES,
    BUCKET_WORDS,
    FIRST_BYTES,
    address_exact,
    address_hashed,
    aligned_words,
    bucket_of,
    state_hash,
)
from zermelo.search.depth_first.table import (
    GENERATIONS,
    INF,
    NARROW,
    WIDE,
    ProofTable,
    keep_narrow,
    keep_wide,
    keep_zoned,
    log_work,
    look_narrow,
    look_wide,
    look_zoned,
    reading,
)
from zermelo.search.reasons import LOST, NEVER, UNKNOWN, WON

NO_READINGS = np.zeros((GENERATIONS, 4), np.uint8)
KINDS = {"narrow": (look_narrow, keep_narrow, False, 4), "wide": (look_wide, keep_wide, True, 2),
         "zoned": (look_zoned, keep_zoned, False, 2)}
both = pytest.mark.parametrize("kind", KINDS)


@cache
def parts(kind):
    """(look, keep) as machine code, and how many entries a bucket holds."""
    look, keep, wide, slots = KINDS[kind]
    return kernel(look), kernel(keep), wide, slots


def words(rng, n):
    return [np.uint64(rng.getrandbits(64)) for _ in range(n)]


def numbers(rng, wide):
    """A pair as the table keeps it."""
    return (rng.random(), rng.random()) if wide else (rng.randint(0, INF), rng.randint(0, INF))


@both
def test_what_is_kept_is_found_bit_for_bit(kind):
    look, keep, wide, slots = parts(kind)
    rng = random.Random(1)
    for _ in range(300):
        table = np.zeros(BUCKET_WORDS, np.uint64)
        kept = []
        for check in words(rng, slots):
            a, b = numbers(rng, wide)
            status, generation = rng.choice((UNKNOWN, WON, LOST)), rng.randrange(GENERATIONS)
            assert not keep(table, 0, check, status, a, b, rng.randint(1, 63), generation)
            kept.append((check, generation, (True, status, a, b)))
        for check, generation, entry in kept:
            assert look(table, 0, check, generation, NO_READINGS) == entry
        assert not look(table, 0, np.uint64(rng.getrandbits(64)), 0, NO_READINGS)[0]


@both
def test_an_entry_is_written_over_by_the_same_position_and_by_no_other(kind):
    look, keep, wide, slots = parts(kind)
    rng = random.Random(2)
    table = np.zeros(BUCKET_WORDS, np.uint64)
    checks = words(rng, slots)
    for turn in range(100):
        for at, check in enumerate(checks):
            a, b = (turn / 128, at / 8) if wide else (turn, at)
            assert not keep(table, 0, check, UNKNOWN, a, b, 1 + turn % 60, turn % 3)
            assert look(table, 0, check, turn % 3, NO_READINGS) == (True, UNKNOWN, a, b)
    for check in checks:
        assert look(table, 0, check, 0, NO_READINGS)[0]


@both
def test_the_least_work_goes_and_past_questions_before_it(kind):
    look, keep, _, slots = parts(kind)
    rng = random.Random(3)
    for _ in range(200):
        table = np.zeros(BUCKET_WORDS, np.uint64)
        *checks, fresh = words(rng, slots + 1)
        works = rng.sample(range(64), slots)
        ages = [rng.choice((4, 4, 9)) for _ in checks]
        for check, work, generation in zip(checks, works, ages, strict=True):
            keep(table, 0, check, WON, 0, 0, work, generation)
        order = sorted(range(slots), key=lambda i: (ages[i] == 4, works[i]))
        live = keep(table, 0, fresh, LOST, 0, 0, 1, 4)
        assert live == (ages[order[0]] == 4)
        assert look(table, 0, fresh, 4, NO_READINGS)[:2] == (True, LOST)
        for i, check in enumerate(checks):
            assert look(table, 0, check, ages[i], NO_READINGS)[0] == (i != order[0])


@both
def test_no_entry_with_a_flipped_bit_is_found(kind):
    look, keep, wide, slots = parts(kind)
    rng = random.Random(4)
    for _ in range(20):
        table = np.zeros(BUCKET_WORDS, np.uint64)
        (check,) = words(rng, 1)
        keep(table, 0, check, WON, *numbers(rng, wide), 5, 3)
        for bit in range(64 * BUCKET_WORDS // slots):
            broken = table.copy()
            broken[bit // 64] ^= np.uint64(1) << np.uint64(bit % 64)
            assert not look(broken, 0, check, 3, NO_READINGS)[0]
        assert look(table, 0, check, 3, NO_READINGS)[0]


@both
def test_no_half_written_entry_is_found(kind):
    """Words of two writes mixed in every way: what is found was written as it stands."""
    look, keep, wide, slots = parts(kind)
    rng, size = random.Random(5), BUCKET_WORDS // slots
    seen = 0
    for _ in range(300):
        one, two = np.zeros(BUCKET_WORDS, np.uint64), np.zeros(BUCKET_WORDS, np.uint64)
        checks = words(rng, 2)
        checks[1] = checks[0] if rng.random() < 0.5 else checks[1]
        entries = []
        for table, check in zip((one, two), checks, strict=True):
            status = rng.choice((UNKNOWN, WON, LOST))
            a, b = numbers(rng, wide)
            keep(table, 0, check, status, a, b, rng.randint(1, 60), 2)
            entries.append((check, (True, status, a, b)))
        for mask in range(1 << size):
            mixed = one.copy()
            for i in range(size):
                if mask >> i & 1:
                    mixed[i] = two[i]
            for check in set(checks):
                found = look(mixed, 0, check, 2, NO_READINGS)
                seen += found[0]
                assert not found[0] or (check, found) in entries
    assert seen >= 600


@both
def test_other_questions_entries_are_read_or_not_there(kind):
    look, keep, _, _ = parts(kind)
    readings = NO_READINGS.copy()
    readings[3, WON], readings[3, LOST] = LOST, UNKNOWN
    for status, found in ((WON, True), (LOST, False), (UNKNOWN, False)):
        table = np.zeros(BUCKET_WORDS, np.uint64)
        keep(table, 0, np.uint64(77), status, 6, 0, 5, 3)
        assert look(table, 0, np.uint64(77), 8, readings)[0] is found
        if found:
            assert look(table, 0, np.uint64(77), 8, readings)[:3] == (True, LOST, 6)
        assert look(table, 0, np.uint64(77), 3, readings)[:2] == (True, status)


SCORES = range(-4, 5)


@pytest.mark.parametrize("step", [1, 2])
def test_readings_against_all_scores(step):
    """Whatever a status of one question says about another holds for every score left."""
    told = 0
    for player, gained, other, wanted in np.ndindex(2, 9, 2, 9):
        earlier, question = (player, gained - 4), (other, wanted - 4)
        for status in (WON, LOST):
            left = [score for score in SCORES if score % step == 0
                    and (answer(earlier, score) == status)]
            said = reading(earlier, question, status)
            truths = {answer(question, score) for score in left}
            assert said == UNKNOWN or truths <= {said}, (earlier, question, status)
            told += said != UNKNOWN
            if step == 1 and left:  # whole numbers: then it says all that can be said
                assert said == (truths.pop() if len(truths) == 1 else UNKNOWN) or edge(question)
    assert told > 300


def answer(question, score):
    """WON or LOST, the final score for the first player being ``score``."""
    player, threshold = question
    return WON if (score if player == 0 else -score) >= threshold else LOST


def edge(question):
    """At the end of the range all scores give one answer, which a reading can't know."""
    return question[1] in (-4, 4) or abs(question[1]) >= 4


def test_a_question_asked_again_goes_on_and_the_seventeenth_clears_the_table():
    table = ProofTable(1 << 12, NARROW, exact=True)
    table.words[:] = 1
    for n in range(GENERATIONS):
        assert table.begin(0, n)[0] == n
        assert table.begin(0, n)[0] == n
    assert table.words.all()
    assert table.begin(1, 0)[0] == 0
    assert not table.words.any()
    generation, readings = table.begin(0, 1)
    assert generation == 1
    assert readings[0].tolist() == [0, LOST, WON, 0]  # (1, 0) won: the other gets at most 0


def test_work_is_a_logarithm_that_never_falls():
    logs = [log_work(n) for n in range(1, 5_000)]
    assert logs == sorted(logs)
    assert (logs[0], log_work(1 << 20), log_work(1 << 62)) == (1, 40, 63)
    assert len(set(logs)) > 20


def entries_of(kind, exact, count, buckets, seed):
    """A table with ``count`` entries, and (hash, check, status, a, b) of all that are found."""
    look, keep, wide, _ = parts(kind)
    table = ProofTable(buckets * BUCKET_BYTES, kind, exact)
    table.words = aligned_words(buckets * BUCKET_WORDS)
    rng, kept = random.Random(seed), {}
    for _ in range(count):
        key, second = words(rng, 2)
        hash, check = address_exact(key) if exact else address_hashed(key, second)
        entry = (rng.choice((UNKNOWN, WON, LOST)), *numbers(rng, wide))
        keep(table.words, bucket_of(len(table.words), hash), check, *entry, 5, 2)
        kept[hash, check] = entry
    found = {
        (hash, check): entry for (hash, check), entry in kept.items()
        if look(table.words, bucket_of(len(table.words), hash), check, 2, NO_READINGS)[1:] == entry
    }
    return table, found


@pytest.mark.quick_cases("1000-65536-*", "1000-99991-narrow-True")
@pytest.mark.parametrize("exact", [True, False])
@both
@pytest.mark.parametrize(("count", "buckets"), [
    (1_000, 1 << 16), (1_000, 99_991), (4_000, 1 << 16), (4_000, 99_991)])
def test_growth_keeps_the_entries(kind, exact, count, buckets):
    look, keep, _, slots = parts(kind)
    table, found = entries_of(kind, exact, count, buckets, seed=buckets)
    assert len(found) > 0.975 * count
    for most in (8 * buckets, 11 * buckets + 5, 13 * buckets):
        table.most = most * BUCKET_BYTES
        table.grow()
        assert table.bytes == min(table.most, most * BUCKET_BYTES)
        lost = [
            entry for (hash, check), entry in found.items()
            if look(table.words, bucket_of(len(table.words), hash), check, 2, NO_READINGS)
            != (True, *entry)
        ]
        assert not lost
    size = BUCKET_WORDS // slots
    for hash, check in list(found)[:200]:  # an entry has one place, also after growth
        at = bucket_of(len(table.words), hash)
        keep(table.words, at, check, WON, 1, 0, 5, 2)
        bucket = table.words[at : at + BUCKET_WORDS].reshape(slots, size)
        assert sum(np.bitwise_xor.reduce(slot) == check and slot[-1] != 0 for slot in bucket) == 1


def test_the_table_begins_small_and_grows_up_to_its_memory():
    table = ProofTable(100 << 20, NARROW, exact=True)
    sizes = []
    while table.patience != NEVER:
        sizes.append(table.bytes)
        assert 0 < table.patience < table.bytes
        table.grow()
    assert sizes == [FIRST_BYTES, 8 * FIRST_BYTES]
    assert table.bytes == 100 << 20
    assert table.words.ctypes.data % BUCKET_BYTES == 0


@pytest.mark.parametrize(("memory", "size"), [(-5, 64), (1, 64), (64, 64), (200, 192),
                                              (65_536, 65_536), (65_600, 65_600)])
def test_small_tables_have_their_size_at_once(memory, size):
    table = ProofTable(memory, WIDE, exact=False)
    assert (table.bytes, table.patience) == (size, NEVER)


def test_buckets_are_used_evenly_and_exact_keys_have_checks_of_their_own():
    for buckets in (1, 2, 16, 1_000):
        counts, checks = np.zeros(buckets, int), set()
        for n in range(100 * buckets):
            hash, check = address_exact(np.uint64(n))
            checks.add(int(check))
            counts[bucket_of(8 * buckets, hash) // 8] += 1
        assert len(checks) == 100 * buckets
        assert counts.min() > 40
        assert counts.max() < 180


def test_the_second_hash_sees_every_bit_of_a_state():
    states = np.zeros(8, np.uint64)
    hashes = {int(state_hash(states, 2, 3))}
    for bit in range(3 * 64):
        changed = states.copy()
        changed[2 + bit // 64] = np.uint64(1) << np.uint64(bit % 64)
        hashes.add(int(state_hash(changed, 2, 3)))
    assert len(hashes) == 1 + 3 * 64
    for key in range(50):  # bucket and check together know 16 bits of the first hash
        hash, check = address_hashed(np.uint64(key), np.uint64(0xABCD))
        assert hash == mix(np.uint64(key))
        assert int(check) == 0xABCD | (int(hash) >> 32 & 0xFFFF) << 48


def test_checks_of_similar_keys_are_not_similar():
    """Else half of one entry and half of another could fit a third position's check."""
    rng = random.Random(9)
    for key in words(rng, 200):
        hash, check = address_exact(key)
        assert hash == check
        for bit in range(0, 64, 7):
            other = address_exact(key ^ np.uint64(1 << bit))[1]
            assert 8 <= int(check ^ other).bit_count() <= 56
