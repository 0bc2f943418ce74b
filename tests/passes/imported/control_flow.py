"""Conditionals and loops as TensorFlow 1 builds them: of Switch and Merge, and of frames."""

import evergraph as tf
from evergraph.graph.registry import lookup


def cond(predicate, if_true, if_false, x):
    """A conditional as TensorFlow 1 builds it: `x` reaches each side through a Switch."""
    switch = lookup("Switch")(x, tf.identity(predicate))
    merge = lookup("Merge")([if_false(switch.output_false), if_true(switch.output_true)])
    return merge.output


def while_loop(test, body, start, constants=(), name="loop"):
    """A loop as TensorFlow 1 builds it; gives back the Exits."""
    enter, merge, switch = lookup("Enter"), lookup("Merge"), lookup("Switch")
    fixed = [(lookup("RefEnter") if each.dtype._is_ref_dtype else enter)(each, frame_name=name, is_constant=True)
             for each in constants]
    merges = [merge([first, first]).output for first in [enter(each, frame_name=name) for each in start]]
    goes_on = lookup("LoopCond")(test(*merges, *fixed))
    switches = [switch(each, goes_on) for each in merges]
    after = body(*(tf.identity(each.output_true) for each in switches), *fixed)
    for each, value in zip(merges, after):
        each.op._update_input(1, lookup("NextIteration")(value))
    return [lookup("Exit")(each.output_false) for each in switches]
