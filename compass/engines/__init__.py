"""Where bulk work runs: processes of this machine, or a Ray cluster, each as an executor of `concurrent.futures`."""
