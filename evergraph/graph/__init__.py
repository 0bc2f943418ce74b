"""The waist of the house: operations, tensors and graphs, and how an op is declared."""
