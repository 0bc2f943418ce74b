"""Pure functions over graphs: what to run, in which order, in which stages."""
