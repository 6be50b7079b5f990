"""Runs in the environment that `test_llama_server.py` makes: llama.cpp's server with one model, until stdin ends.

python llama_serve.py MODEL.gguf SLOTS     prints its address once it listens
"""

import sys

import xllamacpp


def main() -> None:
    model, slots = sys.argv[1], int(sys.argv[2])
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = slots
    params.n_ctx = 8192 * slots
    params.n_gpu_layers = 0
    # More than one would wait for each other at every step of a machine that has something else to do.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.ui = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


main()
