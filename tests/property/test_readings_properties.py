"""Agreement and clusters: order does not matter, merging never lowers, and one reader alone agrees with nobody."""

from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import ACTIONS, EXTENTS, Exchange, Reading, Sample
from evaluator.verdict.readings import agreement, clusters, reading_choices, target_key

SIZES = st.lists(st.integers(1, 9), min_size=1, max_size=8)
EXCHANGE = Exchange(("Fix the retry in src/http/client.py, not lib/server.py",), "Shall I look at Session?")
TARGETS = st.sampled_from(
    ["client.py", "src/http/client.py", "`client.py`", "server.py", "Session", "session", "the retry", ""]
)
SAMPLES = st.lists(
    st.builds(
        lambda action, target, extent, rival, valid: Sample(
            "", 0.5 if valid else None, "none", "", Reading(action, target, extent), rival, error=None if valid else "x"
        ),
        st.sampled_from(ACTIONS[:3]), TARGETS, st.sampled_from(EXTENTS[:2]),
        st.none() | st.sampled_from(["change lib/server.py", "answer the question"]), st.booleans(),
    ),
    max_size=9,
).map(lambda found: [replaced(sample, f"reader-{number}") for number, sample in enumerate(found)])  # fmt: skip


def replaced(sample, reader):
    return Sample(**{**{name: getattr(sample, name) for name in sample.__match_args__}, "reader": reader})


@given(SIZES)
def test_agreement_is_a_chance_and_does_not_depend_on_the_order(sizes):
    found = agreement(sizes)
    if sum(sizes) < 2:
        assert found is None
        return
    assert 0.0 <= found <= 1.0
    assert agreement(sizes[::-1]) == found
    assert (found == 1.0) == (len(sizes) == 1)


@given(SIZES.filter(lambda sizes: len(sizes) > 1))
def test_merging_two_clusters_never_lowers_agreement(sizes):
    merged = agreement([sizes[0] + sizes[1], *sizes[2:]])
    assert merged >= agreement(sizes)


@given(SAMPLES, st.randoms())
def test_clusters_do_not_depend_on_the_order_of_the_samples(samples, random):
    mixed = list(samples)
    random.shuffle(mixed)
    assert clusters(mixed, "/p", EXCHANGE) == clusters(samples, "/p", EXCHANGE)
    assert reading_choices(mixed, "/p", EXCHANGE) == reading_choices(samples, "/p", EXCHANGE)


@given(SAMPLES)
def test_every_valid_reader_stands_in_exactly_one_cluster(samples):
    found = clusters(samples, "/p", EXCHANGE)
    held = [reader for cluster in found for reader in cluster.readers]
    assert sorted(held) == sorted(sample.reader for sample in samples if sample.valid)
    assert [len(cluster.readers) for cluster in found] == sorted(
        (len(cluster.readers) for cluster in found), reverse=True
    )


@given(st.text(max_size=60))
def test_a_key_is_stable(target):
    once = target_key(target, "/p", {})
    assert target_key(once, "/p", {}) == once
