"""Draws the diagrams of the lessons: `python -m website.diagrams` writes docs/pictures/*.svg.

A diagram is a text. A line `name [row column] text` is a box, with `(...)` for a round one; `a -> b: text` is an arrow
from box to box, `a => b` a dashed one. Rows and columns may be fractions.
"""

import re
import sys
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH, HEIGHT, COLUMN, ROW = 156, 46, 206, 92
BOX = re.compile(r"(\w+) ([\[(])([\d.]+) ([\d.]+)[\])] (.+)")
ARROW = re.compile(r"(\w+) ([-=])> (\w+)(?:: (.+))?")
STYLE = """
  .box { fill: #eef3fb; stroke: #3f6db5; stroke-width: 1.5 }
  .round { fill: #fdf3e1; stroke: #b9822a; stroke-width: 1.5 }
  .arrow { fill: none; stroke: #5a6270; stroke-width: 1.5; marker-end: url(#head) }
  .dashed { stroke-dasharray: 5 4 }
  .page { fill: #ffffff }
  text { font: 14px system-ui, sans-serif; text-anchor: middle; fill: #1d2530 }
  .label { font-size: 12px; fill: #5a6270; paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
"""

DIAGRAMS = {
    "graph_and_session": """
        program [0 0] your program
        graph [0 1.6] graph|a, b -> sum
        session [1.2 1.6] session|devices, variables
        result [1.2 0] result|a NumPy array
        program -> graph: adds nodes
        program -> session: run(sum, feeds)
        graph -> session: is asked for nodes
        session -> result: values
    """,
    "order_of_a_step": """
        feeds (0 0) feeds
        prune [0 1] prune|what fetches need
        before [0 2] reads|values from before
        updates [0 3] updates|one order
        after [1 3] reads that depend|on an update
        commit [1 2] commit|all or nothing
        fetches (1 1) fetches
        feeds -> prune
        prune -> before
        before -> updates
        updates -> after
        after -> commit
        commit -> fetches
    """,
    "variables": """
        variable [0 1] variable|a node of the graph
        initializer [0 0] initializer|a node that assigns
        session [1 0.4] session 1|w = 0.3
        other [1 1.6] session 2|w = 7.0
        file (2 1) checkpoint|a file
        initializer -> variable
        variable => session
        variable => other: has values in
        session -> file: save
        file -> other: restore
    """,
    "optimizers": """
        variables [0 0] variables
        model [0 1] model
        loss [0 2] loss
        gradients [1 2] gradients|d loss / d variable
        apply [1 1] apply_gradients
        slots (1 0) slots|Adam's m and v
        variables -> model
        model -> loss
        loss -> gradients: tf.gradients
        gradients -> apply
        slots -> apply
        apply => variables: updates
    """,
    "tf_data": """
        source (0 0) files, arrays,|generators
        map [0 1] map
        shuffle [0 2] shuffle
        batch [0 3] batch
        iterator [1 3] iterator
        element [1 2] get_next()|tensors
        step [1 1] step of the session
        source -> map
        map -> shuffle
        shuffle -> batch
        batch -> iterator
        iterator -> element
        element -> step
    """,
    "estimator": """
        input [0 0] input_fn|features, labels
        model [0 1.2] model_fn|builds the graph
        spec [0 2.4] EstimatorSpec|loss, train_op, metrics
        train [1 0] train
        evaluate [1 1] evaluate
        predict [1 2] predict
        export [1 3] export
        folder (2 1.5) model_dir|checkpoints, events
        input -> model
        model -> spec
        spec -> export
        spec -> predict
        spec -> evaluate
        spec -> train
        train -> folder
        folder => evaluate
        folder => predict
        folder => export
    """,
    "autograph": """
        python [0 0] Python function|if, for, while, break
        tree [0 1.2] syntax tree|which names are used
        converted [0 2.4] converted function|if_stmt, for_stmt
        tensor [1 1.2] a tensor decides:|tf.cond, tf.while_loop
        value [1 2.4] a value decides:|Python itself
        python -> tree
        tree -> converted
        converted -> tensor
        converted -> value
    """,
    "summaries": """
        graph [0 0] graph|tf.summary.scalar
        merged [0 1] merge_all
        writer [0 2] FileWriter|add_summary
        file (0 3) event file
        board [1 3] evergraph board|TensorBoard
        plot [1 2] evergraph plot|the terminal
        graph -> merged
        merged -> writer
        writer -> file
        file -> board
        file -> plot
    """,
    "profiler": """
        step [0 0] session.run|FULL_TRACE
        metadata [0 1.2] RunMetadata|times of nodes
        profiler [1 0] tf.profiler|by scope, op, line
        timeline [1 1.2] timeline|chrome://tracing
        board [1 2.4] TensorBoard|the graph page
        step -> metadata
        metadata -> profiler
        metadata -> timeline
        metadata -> board
    """,
    "checkpoints": """
        session [0 0] session|values of variables
        saver [0 1.2] Saver
        files (0 2.4) model-100.index|model-100.data|model-100.meta
        state (1 2.4) checkpoint|names the latest
        again [1 1.2] Saver.restore|latest_checkpoint
        next [1 0] another session|the same values
        session -> saver
        saver -> files: save
        files -> state: then
        state -> again
        again -> next
    """,
}


def drawn(text):
    """The SVG of a diagram."""
    boxes, arrows = {}, []
    for line in filter(None, map(str.strip, text.splitlines())):
        if found := BOX.fullmatch(line):
            name, shape, row, column, words = found.groups()
            boxes[name] = (float(column), float(row), shape == "(", words.split("|"))
        elif found := ARROW.fullmatch(line):
            arrows.append(found.groups())
        else:
            raise ValueError(f"neither a box nor an arrow: {line}")
    width = max(box[0] for box in boxes.values()) * COLUMN + WIDTH + 20
    height = max(box[1] for box in boxes.values()) * ROW + HEIGHT + 28
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}">',
             f"<style>{STYLE}</style>",
             '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
             'orient="auto">'
             '<path d="M0 0L8 4L0 8z" fill="#5a6270"/></marker></defs>',
             f'<rect class="page" width="{width:g}" height="{height:g}" rx="8"/>']
    parts += [line for arrow in arrows for line in arrow_of(boxes, *arrow)]
    parts += [line for box in boxes.values() for line in box_of(*box)]
    return "\n".join([*parts, "</svg>", ""])


def middle(box):
    return 10 + box[0] * COLUMN + WIDTH / 2, 14 + box[1] * ROW + HEIGHT / 2


def box_of(column, row, is_round, words):
    """A box and its lines of text."""
    x, y = middle((column, row))
    height = max(HEIGHT, 16 * len(words) + 12)
    yield (f'<rect class="{"round" if is_round else "box"}" x="{x - WIDTH / 2:g}" y="{y - height / 2:g}" '
           f'width="{WIDTH}" height="{height}" rx="{height / 2 if is_round else 6:g}"/>')
    for k, line in enumerate(words):
        size = ' style="font-size:12px"' if k else ""
        yield f'<text x="{x:g}" y="{y + 5 + 16 * (k - (len(words) - 1) / 2):g}"{size}>{escape(line)}</text>'


def arrow_of(boxes, start, kind, end, label):
    """A straight arrow between the edges of two boxes, with its text in the middle."""
    (x, y), (to_x, to_y) = middle(boxes[start]), middle(boxes[end])
    dx, dy = to_x - x, to_y - y

    def edge(box):  # how much of the way is inside of the box
        tall = max(HEIGHT, 16 * len(box[3]) + 12)
        return min(WIDTH / 2 / abs(dx) if dx else 1, tall / 2 / abs(dy) if dy else 1)

    first, last = edge(boxes[start]), 1 - edge(boxes[end])
    points = [x + dx * first, y + dy * first, x + dx * last, y + dy * last]
    yield '<path class="arrow{}" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>'.format(" dashed" if kind == "=" else "", *points)
    if label:
        yield (f'<text class="label" x="{(points[0] + points[2]) / 2:.1f}" y="{(points[1] + points[3]) / 2 - 5:.1f}">'
               f"{escape(label)}</text>")


def main():
    """Writes all diagrams."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in DIAGRAMS.items():
        (FOLDER / f"{name}.svg").write_text(drawn(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
