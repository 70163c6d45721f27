import conv2d
import numpy as np


def my_db(dy):
    """A program of your own, which takes the mean over the images."""
    return dy.sum(axis=(1, 2)).mean(axis=0)


def test_db():
    dy = np.arange(4 * 6 * 6 * 3, dtype=np.float32).reshape(4, 6, 6, 3) % 7
    conv2d.check(dy=dy, db=my_db(dy))
