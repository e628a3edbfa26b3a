"""The examples run as they stand, in the environments of their libraries."""
