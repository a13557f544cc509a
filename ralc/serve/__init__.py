"""A server between an OpenAI client and any OpenAI-compatible server, whose answers are in calibrated words.

`ralc.serve.application.make_app` is the ASGI application; ``ralc serve`` runs it. The extra ``serve`` has its packages.
"""
