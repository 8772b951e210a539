"""Pumps, by their number."""

import functools
import json
from dataclasses import dataclass

LIMIT = 7


# What a pump is.
@dataclass(
    frozen=True,
)
class Pump:
    """One pump."""

    number: int
    größe: float = 1.0


class Store:
    """Keeps pumps."""

    def __init__(self):
        self.pumps = {}

    @functools.lru_cache(maxsize=None)
    def get(self, number):
        """Give a pump."""

        def missing(number):
            return Pump(number)

        text = """
def not_a_function():
    pass
"""
        return self.pumps.get(number) or missing(len(text))

    async def put(self, pump):  # replaces it
        self.pumps[pump.number] = pump


if __name__ == "__main__":
    print(json.dumps(Store().get(1)))
