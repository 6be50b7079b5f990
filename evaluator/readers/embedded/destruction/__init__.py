"""The hold on destruction: it passes only by the user's own words that order it and name every target."""
