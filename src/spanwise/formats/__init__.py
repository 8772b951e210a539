"""In which format was a text written, and what did its author build?"""
