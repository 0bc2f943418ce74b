"""tf.contrib.graph_editor: walks through graphs, copies of parts of them, and changes of their edges."""
