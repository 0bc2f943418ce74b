"""Tensor lists: the values of variant tensors that the TensorList ops make."""
