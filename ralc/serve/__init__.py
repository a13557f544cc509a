"""``ralc serve``: a server between an OpenAI client and any OpenAI-compatible server, in calibrated words."""
