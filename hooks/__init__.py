"""What hosts call: the hook client and one adapter per host."""
