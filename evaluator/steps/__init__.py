"""The steps of a check, each one deciding or passing on. They know ports and stages, no implementation."""
