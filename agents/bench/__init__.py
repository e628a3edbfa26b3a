"""How fast the parts of this package are: `razz bench`, and the timing that `benchmarks` uses."""
