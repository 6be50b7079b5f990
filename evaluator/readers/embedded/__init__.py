"""The evaluator that needs no network: named readers over explicit features."""
