"""The Python surface: `judge` and `Gate`. Only what `compass` exports of it is promised."""
