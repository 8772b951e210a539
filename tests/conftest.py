"""What pytest must not look for tests in."""

collect_ignore = ["data"]
