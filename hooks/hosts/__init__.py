"""One package a host: everything that Compass knows of it."""
