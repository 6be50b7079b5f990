"""From settings to a gate: the only place that knows every part."""
