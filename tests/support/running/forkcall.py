"""Stands for an interpreter that starts Compass: a fork does, with this process's streams, folder and environment.

Words: the fork server's socket, then the entry's words. It ends as the fork does, which is sent what it is sent.
"""

import json
import os
import signal
import socket
import sys


def main():
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(sys.argv[1])
        asked = {"words": sys.argv[2:], "env": dict(os.environ), "cwd": os.getcwd()}
        raw = json.dumps(asked).encode() + b"\n"
        line.sendall(raw[socket.send_fds(line, [raw], [0, 1, 2]) :])
        answers = line.makefile("rb")
        pid = int(answers.readline())
        for sent in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(sent, lambda number, _: os.kill(pid, number))
        for stream in (0, 1, 2):
            os.close(stream)
        code = int(answers.readline())
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


main()
