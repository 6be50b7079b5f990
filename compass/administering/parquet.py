"""Rows as Parquet, a row group at a time. The only importer of pyarrow."""

# pyright: basic, reportMissingTypeStubs=false
# pyarrow has no types.

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import IO, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

GROUP: Final = 2_000

SCHEMA: Final = pa.schema(
    [
        ("evaluation_id", pa.string()),
        ("at", pa.timestamp("us", tz="UTC")),
        ("person", pa.string()),
        ("repository", pa.string()),
        ("session", pa.string()),
        ("operation_class", pa.string()),
        ("backend", pa.string()),
        ("model", pa.string()),
        ("prompt", pa.string()),
        ("mean", pa.float64()),
        ("stddev", pa.float64()),
        ("valid", pa.int32()),
        ("cost_usd", pa.float64()),
        ("duration_ms", pa.int64()),
        ("samples", pa.string()),
        ("evidence", pa.string()),
    ]
)
"""Samples and evidence are JSON text: their shape may grow, and a reader of the file picks what it wants."""


def write(rows: Iterable[Mapping[str, object]], out: IO[bytes]) -> None:
    left = iter(rows)
    with pq.ParquetWriter(out, SCHEMA, compression="zstd") as writer:
        while group := list(islice(left, GROUP)):
            writer.write_table(pa.Table.from_pylist([_row(row) for row in group], schema=SCHEMA))


def _row(row: Mapping[str, Any]) -> dict[str, object]:
    found: dict[str, object] = {name: row.get(name) for name in SCHEMA.names}
    found["at"] = None if row.get("at") is None else round(row["at"] * 1_000_000)
    for name in ("samples", "evidence"):
        found[name] = None if row.get(name) is None else json.dumps(row[name])
    return found
