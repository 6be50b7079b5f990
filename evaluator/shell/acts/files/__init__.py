"""Programs that work on files and text, where a row cannot say what they do."""
