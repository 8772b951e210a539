"""How is a collection chunked? The file, the environment, which of them holds, and the registry of chunkers."""

from __future__ import annotations

from spanwise.settings.environment import layer_of_environment, spec_from_environment, verbosity_from_environment
from spanwise.settings.file import SettingsFile, read_settings_file
from spanwise.settings.registry import ChunkerRegistry
from spanwise.settings.resolve import Resolved, resolve, spec_of

__all__ = [
    "ChunkerRegistry",
    "Resolved",
    "SettingsFile",
    "layer_of_environment",
    "read_settings_file",
    "resolve",
    "spec_from_environment",
    "spec_of",
    "verbosity_from_environment",
]
