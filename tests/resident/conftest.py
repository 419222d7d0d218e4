"""What the tests of the resident can use."""
