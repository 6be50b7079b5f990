"""The page that `compass ui` opens: what is kept, shown. Nothing here releases a write or changes a setting."""
