"""The Python surface: `judge` and `Gate`, and their async forms. Only what `compass` exports of it is promised."""
