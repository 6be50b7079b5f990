"""The hold on destruction (`sanction`): it passes only by the user's own words that order it and name every target."""
