"""One module a view: what is kept, as HTML."""
