"""What produces samples: the backends and the sampling around them."""
