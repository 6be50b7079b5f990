"""The page of the HTTP schema, as a service of this checkout serves it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cells import code, table, words

import compass

SECONDS = 30.0


def http() -> str:
    """Every path of the OpenAPI document, as a service of this checkout serves it."""
    found = _served()
    schemas: Mapping[str, Any] = found["components"]["schemas"]
    parts = [
        "# HTTP schema\n",
        f"Generated from `GET /openapi.json` (OpenAPI {found['openapi']}) of the service itself. See "
        "[the HTTP API](../http.md) for how to start and reach it.\n",
    ]
    for path, operations in found["paths"].items():
        for method, one in operations.items():
            parts.append(f"\n## {method.upper()} {path}\n")
            parts += [f"{words(text)}\n" for text in (one.get("summary"), one.get("description")) if text]
            parts.append("Requires the token.\n" if one.get("security") is None else "Requires no token.\n")
            given = [_parameter(row) for row in one.get("parameters", ())]
            if given:
                parts.append(table(("parameter", "in", "required", ""), given))
            if body := one.get("requestBody"):
                parts.append(f"Body: {_of(body)}.\n")
            answers = [
                (status, words(row.get("description", "")), _of(row))
                for status, row in one["responses"].items()
            ]
            parts.append(table(("status", "", "body"), answers))
    parts.append("\n## Documents\n")
    for name, schema in sorted(schemas.items()):
        parts += [f"\n### {name}\n", f"{words(schema.get('description', ''))}\n"]
        fields = [_field(name, held, schema) for name, held in schema.get("properties", {}).items()]
        if fields:
            parts.append(table(("field", "type", "required", ""), fields))
    return "\n".join(parts)


def _parameter(row: Mapping[str, Any]) -> tuple[str, ...]:
    told = row.get("description") or row.get("schema", {}).get("description") or ""
    return code(row["name"]), row["in"], "yes" if row.get("required") else "no", words(told)


def _field(name: str, held: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[str, ...]:
    required = "yes" if name in schema.get("required", ()) else "no"
    return code(name), _type(held), required, words(held.get("description", ""))


def _of(held: Mapping[str, Any]) -> str:
    return ", ".join(_type(one.get("schema", {})) for one in held.get("content", {}).values())


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return " or ".join(map(_type, several))
    if "enum" in schema or "const" in schema:
        return " or ".join(code(json.dumps(one)) for one in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))


def _served() -> dict[str, Any]:
    """Starts the service in a scratch home, asks it, and ends it. Raises RuntimeError if it does not come up."""
    with tempfile.TemporaryDirectory() as folder:
        env = {
            "PATH": os.environ["PATH"], "HOME": folder, "ONLOOKER_DIR": f"{folder}/state", "XDG_RUNTIME_DIR": folder,
            "COMPASS_HTTP_TOKEN": os.urandom(32).hex(),
        }  # fmt: skip
        command = [sys.executable, str(Path(compass.__file__).parent / "__main__.py"), "serve"]
        with subprocess.Popen(
            [*command, "--http", "--port", "0"], cwd=folder, env=env, stdout=subprocess.DEVNULL
        ) as service:
            try:
                address = _address([*command, "--status", "--json"], folder, env)
                token = {"Authorization": f"Bearer {env['COMPASS_HTTP_TOKEN']}"}
                asked = urllib.request.Request(f"{address}/openapi.json", headers=token)
                with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
                    return json.load(answer)
            finally:
                service.terminate()


def _address(command: Sequence[str], folder: str, env: Mapping[str, str]) -> str:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        told = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, check=False
        ).stdout
        if told and (address := json.loads(told).get("http")):
            return str(address)
        time.sleep(0.2)
    raise RuntimeError("the service did not come up")
