"""A server that stands between an OpenAI client and any OpenAI-compatible server, and calibrates what is said.

`ralc.serve.routes.make_app` is the ASGI application, ``ralc serve`` runs it. A chat completion becomes several samples
of the upstream, their majority, its calibrated confidence, and the majority's answer in words that say it.
What cannot be calibrated passes as it is, and the object ``ralc`` of the reply says why. The extra ``serve``
holds what it needs.
"""
