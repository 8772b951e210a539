"""`python -m spanwise` is the command `spanwise`."""

from spanwise.cli.main import main

if __name__ == "__main__":
    main()
