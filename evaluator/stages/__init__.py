"""Pure steps of a check: values in, values out, no I/O."""
