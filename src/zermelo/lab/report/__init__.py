"""Reports of experiments: tables, figures, claims."""
