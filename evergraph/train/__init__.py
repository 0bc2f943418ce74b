"""Training: optimizers, learning rate schedules, moving averages, the global step."""
