"""The built-in games, one folder each: rules, notation, pictures. No file here knows a search."""
