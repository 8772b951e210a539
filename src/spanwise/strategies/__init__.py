"""Named ways to chunk: one file for each, the registry that finds them by name, and the chunker that runs them.

strategy.py     what a strategy is: a plan of rungs, packer and rules
registry.py     names to strategies
spec.py         the frozen choices for one collection
chunker.py      a strategy with its budget and counter, ready to run
"""
