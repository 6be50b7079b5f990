"""A JSON settings file as a host would load it. Reads only."""

from __future__ import annotations

import json
from typing import cast

MAX_BYTES = 4 * 1024 * 1024


def read_object(path: str) -> dict[str, object] | str | None:
    """The file's object, None if there is no file, or in words why it does not load."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            return f"larger than {MAX_BYTES} bytes"
        if not raw.strip():
            return {}
        value = cast(object, json.loads(raw.decode("utf-8-sig")))
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {str(error)[:100]}"
    return cast(dict[str, object], value) if isinstance(value, dict) else "not a JSON object"
