"""Records as bytes with a checksum, so that damage is seen before anything is loaded."""

import zlib

_CHECKSUM_SIZE = 4


def sealed(magic: bytes, body: bytes) -> bytes:
    """A body with the magic of its kind and a checksum before it."""
    return magic + zlib.crc32(body).to_bytes(_CHECKSUM_SIZE, "little") + body


def unsealed(magic: bytes, data: bytes) -> bytearray:
    """The body of `sealed` bytes.

    Raises:
        ValueError: data of another kind or version, or damaged.
        TypeError: no bytes.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"What was saved is bytes, not {type(data).__name__}.")
    start = len(magic) + _CHECKSUM_SIZE
    if bytes(memoryview(data)[: len(magic)]) != magic or len(data) < start:
        raise ValueError(f"This is not what was saved: the bytes must begin with {magic!r}.")
    body = bytearray(data[start:])
    if zlib.crc32(body).to_bytes(_CHECKSUM_SIZE, "little") != data[len(magic) : start]:
        raise ValueError("The saved bytes are damaged: the checksum does not fit the content.")
    return body
