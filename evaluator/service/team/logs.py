"""The log: one JSON object a line, of known fields alone. No text of an exchange, token, path or name stands in it."""

from __future__ import annotations

import json
import logging
import os
import time
import traceback
from typing import IO, Final, cast

LOGGER: Final = logging.getLogger("compass.team")
FRAMES_MAX: Final = 5


def tell(level: int, event: str, /, **fields: object) -> None:
    """Fields that are None are left out."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, event, extra={"told": fields})


def set_up(stream: IO[str]) -> None:
    """For all of the process: other programs' records are told by their constant text, without what they fill in."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(logging.INFO)
    # It tells of its own start, and of a fault that the guard has told already.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)


def where(fault: BaseException) -> str:
    """The innermost lines of code that a fault came through, without what it says: that may quote anything."""
    frames = traceback.extract_tb(fault.__traceback__)[-FRAMES_MAX:]
    return " < ".join(f"{os.path.basename(one.filename)}:{one.lineno}" for one in reversed(frames))


class Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        ours = record.name == LOGGER.name
        moment = time.gmtime(record.created)
        found: dict[str, object] = {
            "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', moment)}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.msg if ours else "log",
        }
        if not ours:
            found |= {"logger": record.name, "text": str(record.msg)}
        if record.exc_info and record.exc_info[1] is not None:
            fault = record.exc_info[1]
            found |= {"fault": type(fault).__name__, "at": where(fault)}
        told = getattr(record, "told", None)
        if isinstance(told, dict):
            fields = cast(dict[str, object], told)
            found |= {name: value for name, value in fields.items() if value is not None}
        return json.dumps(found, default=str)
