"""`python -m experiments` is the command line `longcards`."""

from experiments.cli import main

if __name__ == "__main__":
    main()
