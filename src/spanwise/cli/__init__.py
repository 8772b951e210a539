"""The command `spanwise`: one file per command, and what they share in showing text."""
