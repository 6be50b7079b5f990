"""JSON as Gemini CLI reads it: its comments are spaces, all else is as strict as JSON."""

from __future__ import annotations

import json
import re
from typing import cast

_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
MAX_BYTES = 4 * 1024 * 1024


def stripped(text: str) -> str:
    return _STRING_OR_COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else " ", text)


def read_object(path: str) -> dict[str, object] | str | None:
    """The file's object, None if there is no file, or in words why the client does not load it."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            return f"larger than {MAX_BYTES} bytes"
        found = cast(object, json.loads(stripped(raw.decode("utf-8", "replace").removeprefix("\ufeff"))))
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {str(error)[:100]}"
    return cast(dict[str, object], found) if isinstance(found, dict) else "not a JSON object"
