"""Makes a program that shows a difference smaller, as long as the difference stays."""

import dataclasses

from tests.random_graphs.program import Step, source, used

LITERALS = {"bool": True, "string": "a"}


def shrink(program, shows):
    """The smallest program found.

    Args:
        program: shows the difference.
        shows: whether a program still shows it; called dozens of times.
    """
    tried = {source(program)}

    def smaller(candidate):
        text = source(candidate)
        if text in tried:
            return False
        tried.add(text)
        return shows(candidate)

    while True:
        before = program
        for part in (_fewer_results, _fewer_steps):
            program = part(program, smaller)
        if program == before:
            return program


def _fewer_results(program, smaller):
    """Drops gradients and fetches: all but one at first, then one after another."""
    alone = [dataclasses.replace(program, fetches=(number,), gradients=()) for number in program.fetches]
    alone += [dataclasses.replace(program, fetches=(), gradients=(each,)) for each in program.gradients]
    found = next((each for each in map(tidied, alone) if smaller(each)), program)
    for at in reversed(range(len(found.fetches))):
        found = _taken(found, smaller, [dataclasses.replace(found, fetches=_without(found.fetches, at))])
    for at in reversed(range(len(found.gradients))):
        y, xs, second = found.gradients[at]
        less = [(), ((y, xs, False),), *(((y, (x,), second),) for x in xs)]
        found = _taken(found, smaller, [dataclasses.replace(
            found, gradients=(*found.gradients[:at], *each, *found.gradients[at + 1:])) for each in less])
    return found


def _fewer_steps(program, smaller):
    """Replaces steps, the last first; those that nothing needs any more go with them."""
    for number in reversed([step.number for step in program.steps]):
        at = next((at for at, step in enumerate(program.steps) if step.number == number), None)
        if at is not None:
            program = _taken(program, smaller, (dataclasses.replace(program, steps=each)
                                                for each in _less(program.steps, at)))
    return program


def _taken(program, smaller, candidates):
    """The first candidate that still shows the difference; the program itself if none does."""
    return next((each for each in map(tidied, candidates) if smaller(each)), program)


def tidied(program):
    """The program without steps that nothing needs."""
    roots = {*program.fetches, *(number for y, xs, _ in program.gradients for number in (y, *xs))}
    steps = _needed(program.steps, roots)
    held = {step.number for step in steps}
    return dataclasses.replace(program, steps=steps, feeds=tuple(each for each in program.feeds if each[0] in held))


def _needed(steps, roots):
    kept, needed = [], set(roots)
    for step in reversed(steps):
        if step.number in needed:
            bodies = tuple(dataclasses.replace(body, steps=_needed(body.steps, body.results)) for body in step.bodies)
            kept.append(dataclasses.replace(step, bodies=bodies))
            needed |= used(kept[-1:])
    return tuple(reversed(kept))


def _without(items, at):
    return (*items[:at], *items[at + 1:])


def _less(steps, at):
    """The steps with one of them replaced: by an earlier value of its kind, a constant, or one that waits for none."""
    step = steps[at]
    if step.after is not None:
        yield (*steps[:at], dataclasses.replace(step, after=None), *steps[at + 1:])
    if step.kind is not None:
        for earlier in steps[:at]:
            if earlier.kind == step.kind and earlier.number in used((step,)):
                yield (*steps[:at], *_renamed(steps[at + 1:], step.number, earlier.number))
        if step.kind[1] is not None and step.inputs:
            yield (*steps[:at], Step(step.number, _literal(*step.kind), kind=step.kind), *steps[at + 1:])
    for place, body in enumerate(step.bodies):
        for inner in reversed(range(len(body.steps))):
            for less in _less(body.steps, inner):
                bodies = (*step.bodies[:place], dataclasses.replace(body, steps=less, results=_results(body, less)),
                          *step.bodies[place + 1:])
                yield (*steps[:at], dataclasses.replace(step, bodies=bodies), *steps[at + 1:])


def _results(body, steps):
    """The results of a body from which a step may have gone: what took its place is the last of its kind."""
    held = {*body.params, *(step.number for step in steps)}
    gone = {step.number: step for step in body.steps}
    outside = [number for number in body.results if number not in held and number not in gone]
    names = []
    for number in body.results:
        if number in held or number in outside:
            names.append(number)
        else:
            alike = [each.number for each in steps if each.kind == gone[number].kind]
            names.append((alike or [steps[-1].number])[-1])
    return tuple(names)


def _literal(dtype, shape):
    return f"tf.fill({list(shape)}, tf.constant({LITERALS.get(dtype, 1)!r}, tf.{dtype}))"


def _renamed(steps, old, new):
    return tuple(_rename(step, old, new) for step in steps)


def _rename(step, old, new):
    swap = lambda numbers: tuple(new if number == old else number for number in numbers)
    bodies = tuple(dataclasses.replace(body, steps=_renamed(body.steps, old, new), results=swap(body.results))
                   for body in step.bodies)
    after = new if step.after == old else step.after
    return dataclasses.replace(step, inputs=swap(step.inputs), after=after, bodies=bodies)
