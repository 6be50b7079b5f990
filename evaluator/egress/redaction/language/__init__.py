"""How people speak of secrets, by language: labels, and which words only go on with a sentence."""
