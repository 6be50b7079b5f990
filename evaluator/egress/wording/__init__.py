"""What readers are told besides the evidence: whole, short, and for those who are not shown the write."""
