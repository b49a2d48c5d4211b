"""What makes the documentation's site: not part of the package."""
