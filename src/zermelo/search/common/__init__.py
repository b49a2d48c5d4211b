"""What several wings of the searches share."""
