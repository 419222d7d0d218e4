"""Measurements that anyone can run on their own repositories. They are in no wheel."""
