"""Solve the smallest Razz with OpenSpiel: CFR+ on `kuhn`, how exploitable its average is."""

import pyspiel
from open_spiel.python.algorithms.gambit import export_gambit

import razz_env.openspiel  # noqa: F401 - registers the game

game = pyspiel.load_game("razz(rules=kuhn,chance=ranks)")
# A game written in Python is walked once; on the tree that OpenSpiel then holds, CFR is quick.
tree = pyspiel.load_efg_game(export_gambit(game))
solver = pyspiel.CFRPlusSolver(tree)
for iteration in range(1, 61):
    solver.evaluate_and_update_policy()
    if iteration % 20 == 0:
        nash_conv = pyspiel.nash_conv(tree, solver.average_policy())
        print(f"{iteration} iterations: {nash_conv:.6f} big bets a hand")
