"""Makes small noisy images of the ten digits: the data of several examples."""

import numpy as np

# Three columns by five rows for each digit, from 0 to 9.
FONT = """
    ### .#. ### ### #.# ### ### ### ### ###
    #.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
    #.# .#. ### .## ### ### ### .#. ### ###
    #.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
    ### ### ### ### ..# ### ### .#. ### ###
"""
SIZE = 12


def glyphs():
    """The digits as an array [10, 10, 6], each pixel of the font drawn two by two."""
    rows = [line.split() for line in FONT.split("\n") if line.strip()]
    small = np.array([[[pixel == "#" for pixel in row[digit]] for row in rows] for digit in range(10)], np.float32)
    return small.repeat(2, axis=1).repeat(2, axis=2)


def make(count, seed, noise=0.2):
    """Images [count, 12, 12] with values in [0, 1], every digit at a random place, and their labels [count]."""
    random = np.random.RandomState(seed)
    labels = random.randint(10, size=count)
    images = np.zeros([count, SIZE, SIZE], np.float32)
    shapes = glyphs()
    for image, label in zip(images, labels):
        top, left = random.randint(0, 3), random.randint(1, 6)
        image[top : top + 10, left : left + 6] = shapes[label]
    images += random.normal(scale=noise, size=images.shape)
    return images.clip(0, 1).astype(np.float32), labels.astype(np.int32)


def batches(images, labels, size, seed):
    """Endless random batches of the images and their labels."""
    random = np.random.RandomState(seed)
    while True:
        chosen = random.choice(len(images), size, replace=False)
        yield images[chosen], labels[chosen]


def show(images):
    """Prints images side by side."""
    for rows in zip(*images):
        print("  ".join("".join(" .:#"[int(3.99 * pixel)] for pixel in row) for row in rows))
