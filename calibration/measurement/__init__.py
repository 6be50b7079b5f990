"""Cases judged, kept and turned into a result."""
