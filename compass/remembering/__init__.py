"""What `compass memory` does with precedents: finds, checks, edits, imports and exports them."""
