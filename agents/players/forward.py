"""A network's forward pass without PyTorch, the same numbers for a row in any company.

A matrix product of a library adds numbers up in an order that depends on how many rows there are
and where they lie. Here every row is worked out alone, its inputs in their order, so its scores are
the same bits in a batch of one and of a thousand; with relu they are the same on every machine that
rounds as IEEE 754 says, as products are not fused with sums. Inputs that are 0, nine of ten in an
observation, cost nothing, which makes up for the products that a library would do faster.
"""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel

Floats: TypeAlias = NDArray[np.float32]
Layer: TypeAlias = tuple[Floats, Floats]
"""A linear layer: weight float32[out, in] and bias float32[out]."""

ACTIVATIONS = ("relu", "tanh")


class Forward:
    """Linear layers with an activation between them.

    Attributes:
        layers: as they were given.
        activation: between them.
    """

    def __init__(self, layers: list[Layer], activation: str) -> None:
        """A network ready to be asked.

        Args:
            layers: the last one gives the scores.
            activation: "relu" or "tanh".
        """
        self.layers, self.activation = layers, activation
        self._widths = np.array([layers[0][0].shape[1], *(len(bias) for _, bias in layers)])
        pieces = [part.ravel() for weight, bias in layers for part in (weight.T, bias)]
        self._parameters = np.concatenate(pieces, dtype=np.float32)

    def __call__(self, inputs: Floats) -> Floats:
        """Scores float32[K, out] of inputs float32[K, in]."""
        rows = np.ascontiguousarray(inputs, np.float32)
        widest = int(self._widths.max())
        values, sums = np.empty(widest, np.float32), np.empty(widest, np.float32)
        places = np.empty(widest + 1, np.int64)
        scores = np.empty((len(rows), int(self._widths[-1])), np.float32)
        tanh = self.activation == "tanh"
        _run(rows, self._parameters, self._widths, tanh, values, sums, places, scores)
        return scores


@kernel
def _run(
    inputs: Floats,
    parameters: Floats,
    widths: NDArray[np.int64],
    tanh: bool,
    values: Floats,
    sums: Floats,
    places: NDArray[np.int64],
    scores: Floats,
) -> None:
    """`values`, `sums` float32[widest] and `places` int64[widest + 1] are room to work in."""
    last = len(widths) - 2
    for row in range(len(inputs)):
        for i in range(widths[0]):
            values[i] = inputs[row, i]
        start = 0
        for layer in range(last + 1):
            wide, narrow = widths[layer], widths[layer + 1]
            _linear(values, wide, parameters, start, sums[:narrow], places)
            start += (wide + 1) * narrow
            for j in range(narrow):
                values[j] = sums[j] if layer == last else _activated(sums[j], tanh)
        for j in range(widths[last + 1]):
            scores[row, j] = values[j]


@kernel
def _activated(value: Any, tanh: bool) -> Any:
    if tanh:
        return np.float32(math.tanh(value))
    return max(value, np.float32(0))


@kernel
def _linear(
    values: Floats,
    wide: int,
    parameters: Floats,
    start: int,
    sums: Floats,
    places: NDArray[np.int64],
) -> None:
    """The layer whose parameters begin at `start`, [in, out] and the bias, into `sums` [out].

    Four inputs at a time, added one after the other: so sums are fetched and stored less often.
    """
    narrow = len(sums)
    bias = parameters[start + wide * narrow : start + (wide + 1) * narrow]
    for j in range(narrow):
        sums[j] = bias[j]
    columns = parameters[start : start + wide * narrow].reshape((wide, narrow))
    count = _nonzero(values, wide, places)
    k = 0
    while k + 4 <= count:
        p0, p1, p2, p3 = places[k], places[k + 1], places[k + 2], places[k + 3]
        v0, v1, v2, v3 = values[p0], values[p1], values[p2], values[p3]
        w0, w1, w2, w3 = columns[p0], columns[p1], columns[p2], columns[p3]
        for j in range(narrow):
            sums[j] = (((sums[j] + v0 * w0[j]) + v1 * w1[j]) + v2 * w2[j]) + v3 * w3[j]
        k += 4
    while k < count:
        v0, w0 = values[places[k]], columns[places[k]]
        for j in range(narrow):
            sums[j] += v0 * w0[j]
        k += 1


@kernel
def _nonzero(values: Floats, wide: int, places: NDArray[np.int64]) -> int:
    """The places of the values that are not 0, in order; how many there are."""
    count = 0
    for i in range(wide):
        places[count] = i
        count += values[i] != 0
    return count
