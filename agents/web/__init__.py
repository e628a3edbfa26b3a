"""Razz in a browser: `razz web` and `razz replay FILE --web`.

The server draws; the page shows what it is sent and sends back which button was pressed. Everything
that leaves the server is made from a `Scene`, a list of choices, the dealer's sentences or a hand
record from which the unseen cards were taken: never from the hand in play.
"""
