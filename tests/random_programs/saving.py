"""Files: a program with control flow and training runs, is saved, and another graph continues with what was saved.

The files that a program continues with may be those that the other package wrote.
"""

from tests.random_programs import control

OPTIMIZERS = [
    "GradientDescentOptimizer(0.1)", "MomentumOptimizer(0.1, 0.9)", "AdamOptimizer(0.05)", "AdagradOptimizer(0.1)",
    "RMSPropOptimizer(0.02, momentum=0.5)", "FtrlOptimizer(0.1)", "AdadeltaOptimizer(0.5)",
]

COLLECTED = """for name, items in (('fetches', fetches), ('feeds', list(fed)), ('steps', steps)):
    for item in items:
        tf.add_to_collection(name, item)
fed = list(fed.values())"""

RUN = """def run(times):
    tensors = tf.get_collection('fetches')
    feeds = dict(zip(tf.get_collection('feeds'), fed))
    for i in range(times):
        s.run(tf.get_collection('steps'), feeds)
        show(s.run(tensors, feeds))
    show(s.run(tf.global_variables()), tf.global_variables(), tf.trainable_variables())"""

SAVED = {
    "meta": """tf.train.Saver({saver}).save(s, written('model'))
anew()
s = session()
tf.train.import_meta_graph(given('model.meta'){imported}).restore(s, given('model'))""",
    "text": """saver = tf.train.Saver()
saver.save(s, written('model'), global_step=3, write_meta_graph=False)
saver.export_meta_graph(written('graph.pbtxt'), as_text=True)
anew()
s = session()
tf.train.import_meta_graph(given('graph.pbtxt')).restore(s, given('model-3'))""",
    "model": """builder = tf.saved_model.builder.SavedModelBuilder(written('saved'))
builder.add_meta_graph_and_variables(s, ['serve'])
builder.save()
anew()
s = session()
tf.saved_model.loader.load(s, ['serve'], given('saved'))""",
}  # fmt: skip

FROZEN = """names = [each.op.name for each in fetches]
held = tf.graph_util.convert_variables_to_constants(s, tf.get_default_graph().as_graph_def(), names)
tf.train.write_graph(held, written(''), 'frozen.pb', as_text=False)
anew()
held = tf.GraphDef()
with open(given('frozen.pb'), 'rb') as file:
    held.ParseFromString(file.read())
places = tf.import_graph_def(held, return_elements=[f'{each}:0' for each in names] + ['p:0'], name='in')
s = session()
for i in range(5):
    show(s.run(places[:-1], {places[-1]: fed[0]}))"""

SLOPES = """slopes = tf.gradients([each for each in tf.get_collection('fetches')[:4] if each.dtype.is_floating],
                      tf.get_collection('feeds'), unconnected_gradients=tf.UnconnectedGradients.ZERO)
for i in range(5):
    show(s.run(slopes, dict(zip(tf.get_collection('feeds'), fed))))"""


def generate(seed):
    """The statements of a program; the same for the same seed, always."""
    w = control.Writer(seed)
    kind = w.dice.pick(["meta", "meta", "text", "model", "frozen"])
    b = control.Block(w, calm=kind == "frozen", portable=True)
    later = w.dice.chance(0.3) and kind != "frozen"
    control.begin(b, later)
    b.grow(3, 6)
    trained(b)
    b.put("v", f"tf.tanh({b.any('v')}) * trained + {b.reach['v'][0]}")
    control.slopes(b, False)
    has_slopes = any(line.startswith("grads =") for line in b.lines)
    names = [name for each in b.reach.values() for name in each]
    chosen = ", ".join([b.reach["v"][-1], *w.dice.some(names, 3)])
    b.say(f"fetches = [tf.identity(each, f'out{{at}}') for at, each in enumerate([{chosen}"
          f"{', *grads' if has_slopes else ''}])]")
    b.say("s = session()")
    b.say("s.run(tf.global_variables_initializer())")
    b.say(COLLECTED)
    b.say(RUN)
    b.say("run(2)")
    if kind == "frozen":
        b.say(FROZEN)
        return b.lines
    b.say(SAVED[kind].format(saver=w.dice.pick(["", "max_to_keep=1", "sharded=True"]),
                             imported=w.dice.pick(["", "", ", clear_devices=True"])))
    b.say("run(5)")
    if w.dice.chance(0.5) and not later:
        b.say(SLOPES)
    return b.lines


def trained(b):
    """A variable and a step of an optimizer that changes it, after the other statements with state."""
    b.say(f"trained = tf.get_variable('trained', [3], {b.writer.dtype}, tf.constant_initializer(0.3), "
          f"use_resource={b.dice.chance(0.5)})")
    b.say(f"loss = tf.reduce_sum(tf.square(trained * {b.any('v')} - 0.7))")
    b.say(f"opt, step = tf.train.{b.dice.pick(OPTIMIZERS)}, tf.train.get_or_create_global_step()")
    b.say("with tf.control_dependencies(last):\n    steps = [opt.minimize(loss, step, [trained])]")
