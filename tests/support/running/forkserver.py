"""A process that has imported Compass once and forks for every call: what `forked` starts, as a script.

Words: the entry's path, the socket's path, and `sdk` where the model SDK is to be imported too. It ends with its stdin.
"""

import asyncio
import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback

MAIN, ADDRESS, *SDK = sys.argv[1:]
LEFT_OUT = ("compass.__main__", "evaluator.service.api", "evaluator.service.tcp")
MODEL_SDK = ("evaluator.readers.anthropic_api",)
DESCRIPTORS = 3
UNUSED = range(DESCRIPTORS, 1024)


def preload():
    sys.path.append(os.path.dirname(os.path.dirname(MAIN)))
    importlib.import_module("compass.composition.effects").enable_packages()
    left_out = LEFT_OUT if SDK else (*LEFT_OUT, *MODEL_SDK)
    for name in ("hooks", "evaluator", "calibration", "compass"):
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            if found.name not in left_out:
                importlib.import_module(found.name)
    with tempfile.TemporaryDirectory() as folder:
        check_once(folder)
    tempfile.tempdir = None  # each call has a TMPDIR of its own
    if SDK:
        ask_once()
    gc.collect()
    gc.freeze()


def check_once(folder):
    """Fills what a first check leaves in memory: tables, expressions, packages. A fork would fill it anew each time."""
    wire = importlib.import_module("compass.composition.gate").wire
    pipeline = importlib.import_module("evaluator.gate.pipeline")
    keys = importlib.import_module("evaluator.settings.keys")
    model = importlib.import_module("evaluator.model")
    host = importlib.import_module("hooks.registry").default_host()
    transcript = f"{folder}/transcript.jsonl"
    said = model.Exchange(("Delete the old one, and create notes.txt with a greeting",), "There are two.")
    with open(transcript, "w", encoding="utf-8") as file:
        file.write(host.sessions().transcript(said, "s", "p"))
    settings = keys.Settings(enabled=True, evaluator=keys.EvaluatorSettings(backend="embedded"))
    gate = wire({"HOME": folder}, folder, folder, settings=settings, keep=False)
    session = {"session_id": "s", "prompt_id": "p", "cwd": folder, "transcript_path": transcript}
    for tool, given in (
        ("Write", {"file_path": f"{folder}/notes.txt", "content": "hello\n"}),
        ("Bash", {"command": "rm src/old_auth.py && ls | head"}),
    ):
        payload = {**session, "tool_name": tool, "tool_input": given, "tool_use_id": tool}
        pipeline.check(gate.parts, host.pending_write(payload, {}))
    gate.close()


def ask_once():
    """The same of a first request to the model, which nobody takes."""
    names = ("readers.kinds.anthropic", "ports", "state.store", "settings.keys")
    kind, ports, store, keys = (importlib.import_module(f"evaluator.{name}") for name in names)
    clock = importlib.import_module("compass.composition.gate").SystemClock()
    settings = keys.build({"evaluator.base_url": "http://127.0.0.1:9"})
    backend = kind.backend(settings, {"ANTHROPIC_API_KEY": "none"}, store.MemoryStore(), clock)
    request = ports.ReaderRequest("system", "user", {"type": "object"}, 100, 0.0, 1.0, "0" * 32)

    async def ask():
        with contextlib.suppress(importlib.import_module("evaluator.errors").ReaderError):
            await backend.ask(request)
        await backend.aclose()

    asyncio.run(ask())


def serve(listener):
    selector = selectors.DefaultSelector()
    wakes, woken = socket.socketpair()
    woken.setblocking(False)
    signal.set_wakeup_fd(woken.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for each in (listener, wakes, sys.stdin.buffer.raw):
        selector.register(each, selectors.EVENT_READ)
    callers = {}
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                caller = listener.accept()[0]
                pid = forked(caller, selector)
                if pid:
                    callers[pid] = caller
                    selector.register(caller, selectors.EVENT_READ, pid)
                else:
                    caller.close()
            elif key.fileobj is wakes:
                wakes.recv(4096)
                report(callers, selector)
            elif key.data:  # whoever asked has ended
                selector.unregister(key.fileobj)
                os.kill(key.data, signal.SIGKILL)
            else:
                return


def report(callers, selector):
    while callers:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with callers.pop(pid) as caller, contextlib.suppress(OSError, KeyError):  # whoever asked has left
            selector.unregister(caller)
            caller.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def forked(caller, selector):
    """The pid of a fork that does what the caller asks, None if nothing was asked."""
    data, streams, _, _ = socket.recv_fds(caller, 65536, DESCRIPTORS)
    while data and not data.endswith(b"\n") and (part := caller.recv(65536)):
        data += part
    if not data.endswith(b"\n"):
        return None  # whoever asked has left
    pid = os.fork()
    if pid:
        for stream in streams:
            os.close(stream)
        caller.sendall(b"%d\n" % pid)
        return pid
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    selector.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(UNUSED.start, UNUSED.stop)
    os._exit(run(**json.loads(data)))


def run(words, env, cwd, shift=0.0):
    """The exit code of the entry with those words, as the interpreter would end with it; its wall clock is moved."""
    wall, wall_ns = time.time, time.time_ns
    time.time, time.time_ns = lambda: wall() + shift, lambda: wall_ns() + int(shift * 1e9)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    sys.argv = [MAIN, *words]
    code = 0
    try:
        runpy.run_path(MAIN, run_name="__main__")
    except SystemExit as ended:
        code = ended.code
        if code is not None and not isinstance(code, int):
            print(code, file=sys.stderr)
            code = 1
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or 120
    return (code or 0) & 0xFF


if __name__ == "__main__":
    os.chdir(os.path.dirname(ADDRESS))
    preload()
    with socket.socket(socket.AF_UNIX) as at:
        at.bind(ADDRESS)
        at.listen(64)
        print("ready", flush=True)
        serve(at)
