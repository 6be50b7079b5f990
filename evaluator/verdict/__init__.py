"""From samples to a verdict: convergence, thresholds, when a check may end early."""
