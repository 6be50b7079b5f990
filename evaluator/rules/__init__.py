"""What the user's own words forbid outright (`bans`), and losses that nobody ordered (`losses`): no more."""
