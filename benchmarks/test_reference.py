"""The yardstick of benchmarks that have no reference of their own: plain work of the interpreter."""

import json

ROW = {"name": "src/app.py", "lines": list(range(40)), "nested": {"a": [True, None, 1.5, "text" * 8]}}


def test_reference_work(benchmark):
    def work():
        text = json.dumps([ROW] * 20, sort_keys=True)
        words = {}
        for word in text.split():
            words[word] = words.get(word, 0) + 1
        return len(words)

    assert benchmark(work) > 10
