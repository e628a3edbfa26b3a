"""A table where people and players meet, hand after hand, without any interface.

`Table` plays; `choices` are the legal actions of a seat in words and amounts; `Dealer` announces
what everyone may know; `FinishedHand` is what can be looked up; `hint` tells equity and odds. The
terminal and the browser are two faces of it.
"""
