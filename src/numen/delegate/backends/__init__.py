"""Who can do the work: one file a backend."""
