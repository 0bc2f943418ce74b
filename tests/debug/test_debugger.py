"""tensorflow.python.debug: sessions and hooks that keep or show the tensors of runs, as TensorFlow has recorded."""

import builtins
import importlib
import os
import pathlib
import re
import zipfile

import numpy as np
import pytest

import evergraph as tf
from evergraph.debug.debugger import evaluator, gradients, grpc_server, grpc_sessions, offline, parser, ui
from evergraph.debug.debugger.local_cli import LocalCLIDebugWrapperSession
from evergraph.ops.debugging import debug_function

debug = importlib.import_module("evergraph.python.debug")
FILES = zipfile.ZipFile(pathlib.Path(__file__).parents[1] / "goldens" / "tfdbg.zip")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The prompt keeps its history and settings at home."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()


def quotient():
    x = tf.placeholder(tf.float32, [2], name="x")
    return x, tf.reduce_sum(tf.divide(x, x, name="ratio"), name="total")


def typed(monkeypatch, *lines):
    """Types lines at the prompt."""
    waiting = list(lines)

    def read(text):
        print(text, end="")
        return waiting.pop(0)

    monkeypatch.setattr(builtins, "input", read)
    return waiting


def only_run(root):
    (run,) = os.listdir(root)
    return debug.DebugDumpDir(str(root / run))


# ---- dumps


def test_dumps(session, tmp_path):
    x, total = quotient()
    watched = debug.DumpingDebugWrapperSession(session, str(tmp_path / "all"))
    assert watched.run(total, {x: [2.0, 4.0]}) == 2.0
    assert np.isnan(watched.run(total, {x: [0.0, 4.0]}))
    runs = sorted(os.listdir(tmp_path / "all"))
    one, two = (debug.DebugDumpDir(str(tmp_path / "all" / run)) for run in runs)
    assert one.get_tensors("ratio", 0, "DebugIdentity")[0].tolist() == [1, 1] and one.find(debug.has_inf_or_nan) == []
    assert [datum.tensor_name for datum in two.find(debug.has_inf_or_nan)] == ["ratio:0", "total:0"]
    assert two.find(debug.has_inf_or_nan, first_n=1)[0].watch_key == "ratio:0:DebugIdentity"
    assert [datum.node_name for datum in two.find(debug.has_inf_or_nan, exclude_node_names="ratio")] == ["total"]
    assert one.run_fetches_info == repr(total) and one.core_metadata.input_names == ["x:0"]
    assert one.core_metadata.output_names == ["total:0"] and one.size == 4
    assert one.get_rel_timestamps("total", 0, "DebugIdentity")[0] > 0 == one.get_rel_timestamps(
        "_arg_x_0_0", 0, "DebugIdentity")[0]
    with pytest.raises(ValueError, match="is not among those of the dump"):
        one.get_tensors("ratio", 1, "DebugIdentity")
    with pytest.raises(ValueError, match="non-empty directory"):
        debug.DumpingDebugWrapperSession(session, str(tmp_path / "all"))


def test_the_graph_of_a_dump(session, tmp_path):
    x, total = quotient()
    debug.DumpingDebugWrapperSession(session, str(tmp_path / "all")).run(total, {x: [2.0, 4.0]})
    dump = only_run(tmp_path / "all")
    assert dump.node_inputs("ratio") == ["_arg_x_0_0", "_arg_x_0_0"] and dump.node_recipients("ratio") == ["total"]
    assert set(dump.transitive_inputs("total")) == {"ratio", "Const", "_arg_x_0_0"}
    assert dump.find_some_path("_arg_x_0_0", "total") == ["_arg_x_0_0", "ratio", "total"]
    assert dump.find_some_path("total", "ratio") is None and dump.node_op_type("ratio") == "RealDiv"
    assert dump.debug_watch_keys("ratio") == ["ratio:0:DebugIdentity"] and dump.node_attributes("ratio")["T"].type == 1
    with pytest.raises(LookupError):
        dump.node_traceback("ratio")
    dump.set_python_graph(session.graph)
    assert dump.node_traceback("ratio:0")[-1][0].endswith("test_debugger.py")
    for wrong in (lambda: dump.node_inputs("none"), lambda: dump.nodes("no_device"), lambda: dump.node_device("none")):
        with pytest.raises(ValueError):
            wrong()


def test_iterations_of_loops_are_dumped(session, tmp_path):
    total = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], name="loop")
    assert debug.DumpingDebugWrapperSession(session, str(tmp_path / "all")).run(total) == 3
    dump = only_run(tmp_path / "all")
    assert dump.get_tensors("loop/add", 0, "DebugIdentity") == [1, 2, 3]
    assert len(dump.get_tensors("loop/Less", 0, "DebugIdentity")) == 4 and dump.node_op_type("loop/add") == "AddV2"


def test_a_watched_run_changes_variables_once(session, tmp_path):
    count = tf.Variable(0, name="count")
    session.run(count.initializer)
    add = tf.assign_add(count, 1, name="add")
    watched = debug.DumpingDebugWrapperSession(session, str(tmp_path / "all"))
    watched.run([add.op, {"value": add}])
    dump = only_run(tmp_path / "all")
    assert session.run(count) == 1 and watched.graph is session.graph
    assert dump.get_tensors("count", 0, "DebugIdentity") == [0] and dump.get_tensors("add", 0, "DebugIdentity") == [1]


def test_variables_without_a_value_strings_and_resources(session, tmp_path):
    count = tf.Variable(1.0, name="count")
    words = tf.identity(tf.constant(["a", "bc"]), name="words")
    table = tf.get_variable("handle", [], use_resource=True)
    options = tf.RunOptions()
    debug.watch_graph(options, session.graph, debug_urls=f"file://{tmp_path}/all")
    session.run([count.initializer, table.initializer])
    session.run([words, table], options=options)
    dump = debug.DebugDumpDir(str(tmp_path / "all"))
    assert dump.get_tensors("words", 0, "DebugIdentity")[0].tolist() == [b"a", b"bc"]
    (handle,) = dump.get_tensors("handle", 0, "DebugIdentity")
    assert "DT_RESOURCE" in str(handle) and not debug.has_inf_or_nan(None, handle)
    again = tf.RunOptions()
    debug.watch_graph(again, session.graph, debug_urls=f"file://{tmp_path}/again")
    with tf.Session() as fresh:
        fresh.run(count.initializer, options=again)
    (value,) = debug.DebugDumpDir(str(tmp_path / "again")).get_tensors("count", 0, "DebugIdentity")
    assert not value.initialized


def test_watches(session, tmp_path):
    x, total = quotient()
    options = tf.RunOptions()
    debug.watch_graph(options, session.graph, ["DebugIdentity", "DebugNanCount", "DebugNumericSummary"],
                      f"file://{tmp_path}/some", node_name_regex_whitelist="ratio", global_step=7)
    assert np.isnan(session.run(total, {x: [0.0, 4.0]}, options))
    dump = debug.DebugDumpDir(str(tmp_path / "some"))
    assert [datum.watch_key for datum in dump.dumped_tensor_data] == [
        "ratio:0:DebugIdentity", "ratio:0:DebugNanCount", "ratio:0:DebugNumericSummary"]
    assert dump.get_tensors("ratio", 0, "DebugNanCount")[0].tolist() == [1] and dump.core_metadata.global_step == 7
    summary = dump.get_tensors("ratio", 0, "DebugNumericSummary")[0]
    assert summary.tolist() == [1, 2, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 2]
    other = tf.RunOptions()
    debug.watch_graph_with_blacklists(other, session.graph, node_name_regex_blacklist="(ratio|x|Const)")
    assert [watch.node_name for watch in other.debug_options.debug_tensor_watch_opts] == ["total"]
    for wrong, error in (("DebugBeauty", tf.errors.InvalidArgumentError),
                         ("DebugIdentity", tf.errors.UnimplementedError)):
        options = tf.RunOptions()
        debug.add_debug_tensor_watch(options, "ratio", debug_ops=wrong, debug_urls="ftp://somewhere")
        with pytest.raises(error):
            session.run(total, {x: [0.0, 4.0]}, options)


def test_debug_ops():
    mutes = debug_function("DebugNumericSummary(lower_bound=-1.5; upper_bound=1.5; mute_if_healthy=true)")
    assert mutes(np.array([0.0, 1.0])) is None
    with pytest.raises(tf.errors.FailedPreconditionError):
        mutes(np.array([b"a"], object))
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"1 attribute key\(s\).*__dbg_a:0_0_DebugNanCount: x"):
        debug_function("DebugNanCount(x=1)", "a:0")
    assert mutes(np.array([-2.0, 0.0, 1.0, 2.0])).tolist()[:8] == [1, 4, 0, 1, 0, 1, 1, 1]
    assert debug_function("DebugNanCount")(np.arange(3)).tolist() == [0]


def test_what_a_debug_op_cannot_look_at(session, tmp_path):
    words = tf.identity(tf.constant(["a"]), name="words")
    count = tf.Variable([1.0, 2.0], name="count")
    for tolerates in (False, True):
        options = tf.RunOptions()
        debug.watch_graph(options, session.graph, "DebugNumericSummary", f"file://{tmp_path}/{tolerates}",
                          tolerate_debug_op_creation_failures=tolerates)
        if not tolerates:
            with pytest.raises(tf.errors.FailedPreconditionError):
                session.run(words, options=options)
            continue
        session.run([words, count.initializer], options=options)
    dump = debug.DebugDumpDir(f"{tmp_path}/True")
    assert dump.debug_watch_keys("words") == []
    (unset,) = dump.get_tensors("count", 0, "DebugNumericSummary")
    assert unset.tolist()[:8] == [0] * 8 and unset.tolist()[12:] == [1, 1, 2]


def test_servers(session, tmp_path):
    x, total = quotient()
    _, url, folder, thread, server = grpc_server.start_server_on_separate_thread(poll_server=True)
    _, other_url, _, other_thread, other = grpc_server.start_server_on_separate_thread(dump_to_filesystem=False)
    addresses = [f"{url.removeprefix('grpc://')}/one", other_url]
    watched = grpc_sessions.GrpcDebugWrapperSession(session, addresses)
    assert watched.run(total, {x: [2.0, 4.0]}) == 2.0
    dump = debug.DebugDumpDir(f"{folder}/one")
    assert dump.get_tensors("ratio", 0, "DebugIdentity")[0].tolist() == [1, 1] and dump.loaded_partition_graphs()
    assert other.debug_tensor_values["ratio:0:DebugIdentity"][0].tolist() == [1, 1] and other.partition_graph_defs
    assert dump.core_metadata.output_names == ["total:0"] and "total:0" in other.core_metadata_json_strings[0]
    with pytest.raises(ValueError, match="already started"):
        server.run_server()
    for each, its_thread in ((server, thread), (other, other_thread)):
        each.stop_server().wait()
        its_thread.join()
    with pytest.raises(ValueError, match="already stopped"):
        server.stop_server()
    for wrong in (1337, ["a:1", 2]):
        with pytest.raises(TypeError):
            grpc_sessions.GrpcDebugHook(wrong)


@pytest.mark.parametrize("sends_program", [True, False])
def test_the_debugger_of_tensorboard(session, sends_program):
    x, total = quotient()
    port, _, _, thread, server = grpc_server.start_server_on_separate_thread(False, poll_server=True)
    watched = debug.TensorBoardDebugWrapperSession(session, [f"localhost:{port}"],
                                                   send_traceback_and_source_code=sends_program)
    for _ in range(2):
        assert watched.run(total, {x: [2.0, 4.0]}) == 2.0
    assert server.debug_tensor_values["ratio:0:DebugIdentity"][1].tolist() == [1, 1]
    assert len(server.tracebacks) == sends_program  # the graph has not grown since
    if sends_program:
        (lines,) = server.tracebacks
        words, (ratio,) = lines.graph_traceback.id_to_string, [
            entry for entry in lines.graph_traceback.log_entries if entry.name == "ratio"]
        assert "quotient" in {words[trace.function_id] for trace in ratio.code_def.traces}
        assert lines.origin_id_to_string[lines.origin_stack.traces[0].file_id] == __file__
        assert server.source_files[__file__] == pathlib.Path(__file__).read_text().split("\n")
        assert not any("/evergraph/run/" in path for path in server.source_files)
    server.stop_server().wait()
    thread.join()


def test_a_hook_for_tensorboard():
    step = tf.train.get_or_create_global_step()
    train = tf.assign_add(step, 1, name="train")
    port, _, _, thread, server = grpc_server.start_server_on_separate_thread(False, poll_server=True)
    hook = debug.TensorBoardDebugHook(f"localhost:{port}")
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        session.run(train)
    assert [value.tolist() for value in server.debug_tensor_values["train:0:DebugIdentity"]] == [1]
    assert server.tracebacks and __file__ in server.source_files
    server.stop_server().wait()
    thread.join()


def unpacked(tmp_path, folder):
    FILES.extractall(tmp_path, [name for name in FILES.namelist() if name.startswith(f"{folder}/")])
    return [debug.DebugDumpDir(str(path)) for path in sorted((tmp_path / folder).iterdir())]


def test_dumps_of_tensorflow(tmp_path):
    loop, plain = unpacked(tmp_path, "dumps_loop")
    assert plain.size == 7 and [d.tensor_name for d in plain.find(debug.has_inf_or_nan)] == ["out/log:0", "out/loss:0"]
    assert plain.node_inputs("hidden/relu") == ["hidden/xw"] and plain.node_recipients("out/log") == ["out/loss"]
    assert plain.core_metadata.session_run_index == 3 and loop.core_metadata.output_names[0] == "loop/Exit:0"
    _, summaries = unpacked(tmp_path, "dumps")
    ours = debug_function("DebugNumericSummary")
    for name in ("hidden/w", "hidden/relu", "out/log", "out/loss", "out/Const"):
        (value,), (wanted,) = (summaries.get_tensors(name, 0, op) for op in ("DebugIdentity", "DebugNumericSummary"))
        np.testing.assert_array_equal(ours(value), wanted)
    assert plain.debug_watch_keys("hidden/w") == ["hidden/w:0:DebugIdentity"]
    assert not any("__copy" in name or "__dbg" in name for name in plain.nodes())


def test_a_dump_of_a_run_that_is_over(tmp_path, monkeypatch, capsys):
    unpacked(tmp_path, "dumps_loop")
    run = sorted((tmp_path / "dumps_loop").iterdir())[1]
    typed(monkeypatch, "lt -f has_inf_or_nan", "li -r out/log", "exit")
    offline.main([f"--dump_dir={run}", "--ui_type=readline"])
    said = capsys.readouterr().out
    assert "7 dumped tensor(s):" in said and '2 dumped tensor(s) passing filter "has_inf_or_nan"' in said
    assert "|- (1) hidden/relu" in said


# ---- the prompt


def answers(text):
    """The answers of a recorded session, without what times, versions and the runtime's own names differ in."""
    text = re.sub(r"\[ *\d+\.\d+\] +", "[t] ", text)
    text = re.sub(r"(@|\[)\s*\d+\.\d+ ms", r"\1 t ms", text)
    text = re.sub(r"TensorFlow version: .*|numpy: .*", "version", text)
    text = re.sub(r"t \(ms\) +", "t (ms) ", text)
    text = re.sub(r"  _XlaHasReferenceVars:\n    b: true\n\n", "", text)
    parts = [part.partition("Traceback of node")[0] for part in text.split("tfdbg> ")]
    return [sorted(part.split("\n")) if "dumped tensor(s)" in part else part for part in parts]


def nan_program():
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    with tf.name_scope("hidden"):
        w = tf.Variable(np.arange(12).reshape(3, 4).astype("f"), name="w")
        r = tf.nn.relu(tf.matmul(x, w, name="xw"), name="relu")
    with tf.name_scope("out"):
        return x, w, tf.reduce_sum(tf.log(r, name="log"), name="loss")


def test_the_recorded_session(session, monkeypatch, capsys):
    x, w, loss = nan_program()
    session.run(w.initializer)
    watched = debug.LocalCLIDebugWrapperSession(session, ui_type="readline")
    commands = FILES.read("commands.txt").decode().splitlines()
    left = typed(monkeypatch, *[line for line in commands if not re.match("ps |ls|print_source|list_source", line)])
    for step in range(4):
        value = np.ones([2, 3], "f") * (1 if step < 2 else 0)
        try:
            print("LOSS", step, watched.run(loss, {x: value}))
        except SystemExit:
            break
    assert left == ["config", "exit"]
    ours, theirs = answers(capsys.readouterr().out), answers(FILES.read("cli_session.txt").decode())
    theirs = [part for part in theirs if not re.match(r'L1 |List of source', part if isinstance(part, str) else "")]
    assert len(ours) >= 23
    for number, (our, their) in enumerate(zip(ours, theirs)):
        if number < 22:
            assert our == their, number


def test_sources(session, monkeypatch, capsys):
    x, w, loss = nan_program()
    session.run(w.initializer)
    watched = debug.LocalCLIDebugWrapperSession(session, ui_type="readline")
    typed(monkeypatch, "run", f"ps {__file__}", f"ps {__file__} -t -b 190", "ls", "ls -n hidden.*", "ls -n none",
          "run -n")
    watched.run(loss, {x: np.ones([2, 3], "f")})
    said = capsys.readouterr().out
    program = pathlib.Path(__file__).read_text().split("\n")
    line = next(at for at, text in enumerate(program, 1) if 'xw"), name' in text)
    assert re.search(rf"L{line} .*relu.*\n    hidden/relu\n    hidden/xw\n", said)
    assert "[No source file information.]" in said and "test_debugger.py" in said
    assert "(... Omitted 189 source lines ...)" in said and "    hidden/relu:0\n" in said


def test_runs_until_a_filter_passes(session, monkeypatch, capsys):
    x, total = quotient()
    watched = debug.LocalCLIDebugWrapperSession(session, ui_type="readline")
    watched.add_tensor_filter("large", lambda datum, value: value.size and np.max(value) > 100)
    left = typed(monkeypatch, "run -f none", "run -f has_inf_or_nan", "lt -f large", "run -t 2", "run -n")
    for feed in ([2.0, 4.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]):
        watched.run(total, {x: feed})
    said = capsys.readouterr().out
    assert 'There is no tensor filter named "none"' in said
    assert '2 dumped tensor(s) passing filter "has_inf_or_nan"' in said
    assert '0 dumped tensor(s) passing filter "large"' in said and left == [] and "run-end: run #4" in said


def test_errors_are_shown_at_the_prompt(session, monkeypatch, capsys):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.matmul(tf.ones([2, 2]), x, name="product")
    watched = LocalCLIDebugWrapperSession(session, ui_type="readline")
    typed(monkeypatch, "run", "pt product", "nonsense", "lt --nonsense", "lt > /nowhere/file", "help lt", "run")
    assert watched.run(y, {x: np.ones([3, 3])}) is None
    said = capsys.readouterr().out
    assert "An error occurred during the run" in said and "Op name:    product" in said
    assert "ni -a -d -t product" in said
    assert 'Invalid command prefix "nonsense"' in said and "Syntax error for command: list_tensors" in said
    assert "Failed to write output to /nowhere/file" in said and "Aliases: lt" in said


def test_times_at_the_prompt(session, monkeypatch, capsys, tmp_path):
    x, total = quotient()
    watched = debug.LocalCLIDebugWrapperSession(session, ui_type="readline")
    typed(monkeypatch, "run -p", "lp -s op_type -r", "lp -n total", f"ps {__file__}", f"lp > {tmp_path}/times",
          "run -n")
    watched.run(total, {x: [1.0, 1.0]})
    said = capsys.readouterr().out
    assert "run-end (profiler mode)" in said and "Device Total" in said and "Device 1 of" in said
    assert re.search(r"\[\|+ *\] \S+us +\d\(\d\) +L\d+ .*ratio", said)
    assert "Node" in (tmp_path / "times").read_text()


def test_hooks(tmp_path, monkeypatch, capsys):
    step = tf.train.get_or_create_global_step()
    train = tf.assign_add(step, 1, name="train")
    typed(monkeypatch, "run", "run -n", "run -n")
    hooks = [debug.DumpingDebugHook(str(tmp_path / "dumps")), debug.LocalCLIDebugHook(ui_type="readline")]
    with tf.train.MonitoredSession(hooks=hooks) as session:
        session.run(train)
        assert session.run(train) == 2
    assert len(os.listdir(tmp_path / "dumps")) == 2 and "train:0" in capsys.readouterr().out


# ---- parts


def test_words_of_commands():
    assert parser.parse_command('pt a:0[1, :] -r "[0, 1]" \'x y\'') == ["pt", "a:0[1, :]", "-r", "[0, 1]", "x y"]
    assert parser.extract_output_file_path(["lt", ">", "f"]) == (["lt"], "f")
    assert parser.extract_output_file_path(["lt", ">f"]) == (["lt"], "f")
    assert parser.extract_output_file_path(["lp", "-o", ">3us"]) == (["lp", "-o", ">3us"], None)
    with pytest.raises(SyntaxError):
        parser.extract_output_file_path(["lt", ">"])
    assert parser.evaluate_tensor_slice(np.arange(6).reshape(2, 3), "[1, ::2]").tolist() == [3, 5]
    with pytest.raises(ValueError):
        parser.evaluate_tensor_slice(np.arange(3), "[f()]")
    assert parser.parse_ranges("[[-inf, -1], [1, inf]]") == [[-np.inf, -1], [1, np.inf]]
    assert parser.parse_ranges("0,1e-8") == [[0, 1e-8]] and parser.parse_indices("[1, 2]") == [1, 2]
    assert parser.parse_readable_size_str("1.5kB") == 1536 and parser.parse_readable_time_str("2ms") == 2000
    assert parser.parse_time_interval("(1us, 2ms]") == parser.Interval(1, False, 2000, True)
    assert parser.parse_memory_interval(">=1k").contains(1024)
    assert not parser.parse_memory_interval("<1k").contains(1024)
    for wrong, said in (("[2, 1]", "comes after"), ("about", "format"), (">=w", "after >="), ("[w, 2]", "first item")):
        with pytest.raises(ValueError, match=said):
            parser.parse_memory_interval(wrong)
    assert parser.extract_output_file_path(["lp", ">1.2s"]) == (["lp"], "1.2s")


def test_expressions(tmp_path, session):
    x, total = quotient()
    debug.DumpingDebugWrapperSession(session, str(tmp_path / "all")).run(total, {x: [2.0, 4.0]})
    found = evaluator.ExpressionEvaluator(only_run(tmp_path / "all"))
    assert found.evaluate("np.sum(`ratio`) + `total:0:DebugIdentity[0]`") == 4.0
    for wrong in ("`none:0`", "`ratio[3]`"):
        with pytest.raises(ValueError):
            found.evaluate(wrong)


def test_gradients(session, tmp_path):
    u, v = tf.Variable(2.0, name="u"), tf.Variable(3.0, name="v")
    w = tf.multiply(u, v, name="w")
    z = tf.square(tf.add(w, -1.0, name="y"), name="z")
    known = gradients.GradientsDebugger()
    with known.watch_gradients_by_tensors(session.graph, [w]):
        (by_u,) = tf.gradients(z, [u])
    session.run(tf.global_variables_initializer())
    assert session.run([known.gradient_tensor("w:0"), by_u]) == [10.0, 30.0]
    options = tf.RunOptions()
    debug.watch_graph(options, session.graph, debug_urls=f"file://{tmp_path}/run")
    session.run(by_u, options=options)
    assert gradients.gradient_values_from_dump(known, w, debug.DebugDumpDir(f"{tmp_path}/run")) == [10.0]
    other = gradients.GradientsDebugger()
    y = tf.square(other.identify_gradient(w))
    with pytest.raises(ValueError, match="already contains"):
        other.identify_gradient(w)
    tf.gradients(y, [u])
    assert session.run(other.gradient_tensor(w)) == 12.0 and list(known.gradient_tensors()) == ["w:0"]
    gradients.clear_gradient_debuggers()
    with pytest.raises(LookupError):
        other.gradient_tensor(w)
    with pytest.raises(TypeError):
        other.gradient_tensor(w.op)


def test_settings_at_the_prompt(monkeypatch, capsys):
    typed(monkeypatch, "config show", "config set graph_recursion_depth 3", "", "exit")
    assert ui.get_ui("readline").run_ui(title="settings") == "explicit_user_exit"
    said = capsys.readouterr().out
    assert said.startswith("settings") and "graph_recursion_depth: 20" in said and "graph_recursion_depth: 3" in said
    with pytest.raises(ValueError, match="Invalid ui_type"):
        ui.get_ui("paper")
