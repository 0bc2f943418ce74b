"""What programs of 2015 to 2019 expect of NumPy, SciPy and Python, lent to the one program that asks for it."""
