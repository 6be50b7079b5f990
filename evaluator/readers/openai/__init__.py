"""The `openai` backend: what is asked, how it is asked again, what came back."""
