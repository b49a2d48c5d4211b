"""The built-in games, one file each: rules, notation, pictures. No file here knows a search."""
