"""BERT-base as JAX alone trains it, a yardstick for benchmarks.gpu: dropout, clipping and decay as there."""

import functools
import math

import jax
import jax.numpy as jnp

LAYERS, WIDTH, HEADS, INNER, WORDS, POSITIONS = 12, 768, 12, 3072, 30522, 512
KEPT, DECAY, RATE = 0.9, 0.01, 1e-4


def parameters(key):
    """The weights of the network by name."""
    key, words, positions, types = jax.random.split(key, 4)
    return {"words": _normal(words, WORDS, WIDTH), "positions": _normal(positions, POSITIONS, WIDTH),
            "types": _normal(types, 2, WIDTH), "norm": _norm(),
            "layers": [_layer_parameters(each) for each in jax.random.split(key, LAYERS)]}


def _layer_parameters(key):
    shapes = {"query": (WIDTH, WIDTH), "key": (WIDTH, WIDTH), "value": (WIDTH, WIDTH), "mixed": (WIDTH, WIDTH),
              "inner": (WIDTH, INNER), "outer": (INNER, WIDTH)}
    keys = jax.random.split(key, len(shapes))
    dense = {name: {"kernel": _normal(each, *shape), "bias": jnp.zeros(shape[1])}
             for (name, shape), each in zip(shapes.items(), keys, strict=True)}
    return dense | {"norm_1": _norm(), "norm_2": _norm()}


def _normal(key, *shape):
    return 0.02 * jax.random.truncated_normal(key, -2.0, 2.0, shape)


def _norm():
    return {"scale": jnp.ones(WIDTH), "shift": jnp.zeros(WIDTH)}


def _normalized(x, norm):
    centered = x.astype(jnp.float32) - x.astype(jnp.float32).mean(-1, keepdims=True)
    unit = centered * jax.lax.rsqrt((centered * centered).mean(-1, keepdims=True) + 1e-12)
    return (unit * norm["scale"] + norm["shift"]).astype(x.dtype)


def _dropped(key, x):
    return jnp.where(jax.random.bernoulli(key, KEPT, x.shape), x / KEPT, jnp.zeros((), x.dtype))


def _dense(x, layer):
    return x @ layer["kernel"].astype(x.dtype) + layer["bias"].astype(x.dtype)


def _layer(x, layer, key):
    batch, length, _ = x.shape
    keys = jax.random.split(key, 3)
    query, of, value = (_dense(x, layer[name]).reshape(batch, length, HEADS, -1) for name in ("query", "key", "value"))
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, of) / math.sqrt(WIDTH // HEADS)
    weights = _dropped(keys[0], jax.nn.softmax(scores.astype(jnp.float32)).astype(x.dtype))
    mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, value).reshape(batch, length, WIDTH)
    x = _normalized(x + _dropped(keys[1], _dense(mixed, layer["mixed"])), layer["norm_1"])
    inner = _dense(jax.nn.gelu(_dense(x, layer["inner"]), approximate=True), layer["outer"])
    return _normalized(x + _dropped(keys[2], inner), layer["norm_2"])


def _loss(weights, ids, key, dtype):
    key, first = jax.random.split(key)
    x = weights["words"][ids] + weights["positions"][:ids.shape[1]] + weights["types"][0]
    x = _dropped(first, _normalized(x.astype(dtype), weights["norm"]))
    for layer, each in zip(weights["layers"], jax.random.split(key, LAYERS), strict=True):
        x = _layer(x, layer, each)
    logits = (x.reshape(-1, WIDTH) @ weights["words"].T.astype(dtype)).astype(jnp.float32)
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), ids.reshape(-1, 1), 1)
    return -chosen.mean()


def _updated(weight, first, second):
    return weight - RATE * (first / (jnp.sqrt(second) + 1e-6) + DECAY * weight)


def trainer(ids, dtype):
    """A function without arguments that makes one step and returns its loss."""
    key = jax.random.key(0)
    weights = parameters(key)
    state = [weights, *(jax.tree.map(jnp.zeros_like, weights) for _ in range(2)), key]

    @functools.partial(jax.jit, donate_argnums=(0, 1, 2))
    def step(weights, first, second, key):
        key, drop = jax.random.split(key)
        loss, gradients = jax.value_and_grad(_loss)(weights, ids, drop, dtype)
        norm = jnp.sqrt(sum((g * g).sum() for g in jax.tree.leaves(gradients)))
        gradients = jax.tree.map(lambda g: g / jnp.maximum(norm, 1.0), gradients)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
        weights = jax.tree.map(_updated, weights, first, second)
        return weights, first, second, key, loss

    def run():
        *state[:], loss = step(*state)
        return float(loss)

    return run
