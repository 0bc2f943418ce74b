"""Models of time series: their likelihoods against the joint densities of series, their readers and Estimators."""

import numpy as np
import pytest

import evergraph as tf
from evergraph.contrib.timeseries import matrices
from evergraph.contrib.timeseries.anomalies import StateInterpolatingAnomalyDetector, cauchy_alternative_to_gaussian
from evergraph.contrib.timeseries.ensembles import StateSpaceCorrelatedFeaturesEnsemble, StateSpaceIndependentEnsemble
from evergraph.contrib.timeseries.estimators import TimeSeriesRegressor
from evergraph.contrib.timeseries.keys import FilteringFeatures
from evergraph.contrib.timeseries.level_trend import AdderStateSpaceModel
from evergraph.contrib.timeseries.periodic import CycleStateSpaceModel, ResolutionCycleModel
from evergraph.contrib.timeseries.sequential import SequentialTimeSeriesModel
from evergraph.contrib.timeseries.state_managers import ChainingStateManager
from evergraph.contrib.timeseries.state_space import StateSpaceModelConfiguration
from evergraph.contrib.timeseries.varma import VARMA

timeseries = tf.contrib.timeseries
DOUBLE = StateSpaceModelConfiguration(dtype=tf.float64)
PAIR = DOUBLE._replace(num_features=2)


# ---- readers and windows


def test_columns_of_csv_files_become_features(session, tmp_path):
    (tmp_path / "a.csv").write_text("t,x,y,kind\n0,1.5,2,no\n1,2.5,3,yes\n")
    reader = timeseries.CSVReader(str(tmp_path / "a.csv"), ("times", "values", "values", "kind"),
                                  (tf.int64, tf.float32, tf.float32, tf.string), skip_header_lines=1)
    found = session.run(reader.read_full())
    assert found["times"].tolist() == [0, 1] and found["values"].tolist() == [[1.5, 2], [2.5, 3]]
    assert found["kind"].tolist() == [[b"no"], [b"yes"]]
    assert session.run(reader.read())["times"].tolist() == [0, 1]


def test_random_windows_are_contiguous_and_have_seeds(session):
    reader = timeseries.NumpyReader({"times": np.arange(20), "values": 2.0 * np.arange(20)})
    first, _ = timeseries.RandomWindowInputFn(reader, window_size=4, batch_size=8, shuffle_seed=3)()
    again, _ = timeseries.RandomWindowInputFn(reader, window_size=4, batch_size=8, shuffle_seed=3)()
    whole, same = session.run([first, again])
    assert (np.diff(whole["times"]) == 1).all() and (whole["values"][..., 0] == 2 * whole["times"]).all()
    assert whole["times"].tolist() == same["times"].tolist()
    apart, _ = timeseries.RandomWindowInputFn(reader, window_size=4, batch_size=50, jitter=False)()
    assert set(session.run(apart)["times"][:, 0]) == {0, 4, 8, 12, 16}


def test_windows_out_of_order_are_discarded_or_sorted(session):
    reader = timeseries.NumpyReader({"times": [0, 1, 2, 9, 4, 5], "values": [0.0, 1, 2, 9, 4, 5]})
    kept, _ = timeseries.RandomWindowInputFn(reader, window_size=3, batch_size=40)()
    ordered, _ = timeseries.RandomWindowInputFn(reader, window_size=3, batch_size=40, discard_out_of_order=False)()
    starts, all_of_them = session.run([kept["times"][:, 0], ordered])
    assert set(starts) == {0, 1} and (np.diff(all_of_them["times"]) > 0).all()
    assert (all_of_them["times"] == all_of_them["values"][..., 0]).all()


def test_series_may_be_too_short(session, tmp_path):
    with pytest.raises(ValueError, match="only 2 records"):
        timeseries.RandomWindowInputFn(timeseries.NumpyReader({"times": [0, 1], "values": [0.0, 1]}), 3, 1)()
    (tmp_path / "a.csv").write_text("0,1.0\n")
    features, _ = timeseries.RandomWindowInputFn(timeseries.CSVReader(str(tmp_path / "a.csv")), 3, 1)()
    with pytest.raises(tf.errors.OutOfRangeError):
        session.run(features)


# ---- state space models


def test_noise_of_several_steps(session):
    draw = np.random.RandomState(0)
    a, b = draw.randn(3, 3), np.diag(draw.rand(3))
    found = session.run(matrices.noise_sums(a, b, [[0, 1], [2, 7]]))
    power = np.linalg.matrix_power
    wanted = [sum((power(a, k) @ b @ power(a, k).T for k in range(n)), np.zeros((3, 3))) for n in (0, 1, 2, 7)]
    np.testing.assert_allclose(found.reshape(4, 3, 3), wanted, rtol=1e-9)


@pytest.mark.parametrize("model, period", [(CycleStateSpaceModel(4, DOUBLE), 4),
                                           (ResolutionCycleModel(5, 7, configuration=DOUBLE), 7),
                                           (ResolutionCycleModel(3, 2, configuration=DOUBLE), 2)])
def test_periods_come_again(session, model, period):
    powers = session.run(model.transition_to_powers(tf.constant([0, 1, 2, period])))
    np.testing.assert_allclose(powers[[0, 3]], [np.eye(len(powers[0]))] * 2, atol=1e-9)
    np.testing.assert_allclose(powers[1] @ powers[1], powers[2], atol=1e-9)


def _joint(session, model, times):
    """(mean, covariance) of all values at these times, from the matrices of a model."""
    found = session.run([tf.convert_to_tensor(each, tf.float64) for each in (
        model.get_state_transition(), model._step_noise(), model.observation_matrices(tf.constant([0]))[0],
        model.observation_noise_covariance, model.prior_state_mean, model.prior_state_covariance)])
    a, noise, shown, error, mean, covariance = found
    power, size = np.linalg.matrix_power, len(shown)
    state = [covariance]
    for _ in range(max(times) + 1):
        state.append(a @ state[-1] @ a.T + noise)
    whole = np.zeros([len(times) * size] * 2)
    for i, one in enumerate(times):
        for j, other in enumerate(times):
            early, late = min(one, other), max(one, other)
            block = shown @ power(a, late - early) @ state[early + 1] @ shown.T
            block = block if one >= other else block.T
            whole[i * size:(i + 1) * size, j * size:(j + 1) * size] = block + (error if i == j else 0)
    return np.concatenate([shown @ power(a, time + 1) @ mean for time in times]), whole


@pytest.mark.parametrize("model", [
    AdderStateSpaceModel(configuration=DOUBLE), AdderStateSpaceModel(use_level_noise=False, configuration=DOUBLE),
    CycleStateSpaceModel(4, DOUBLE), ResolutionCycleModel(5, 7.5, configuration=DOUBLE), VARMA(2, 1, PAIR),
    VARMA(0, 3, DOUBLE),
    StateSpaceIndependentEnsemble([AdderStateSpaceModel(configuration=DOUBLE), VARMA(1, 0, DOUBLE)], DOUBLE),
    StateSpaceCorrelatedFeaturesEnsemble([AdderStateSpaceModel(configuration=DOUBLE)] * 2, PAIR)],
    ids=["adder", "trend", "cycle", "resolution", "varma", "average", "independent", "correlated"])
def test_the_likelihood_is_the_joint_density(session, model):
    """Also across gaps, and with parameters that are not those at the start."""
    times = [0, 1, 4, 5]
    model.initialize_graph()
    values = np.random.RandomState(1).randn(1, 4, model.num_features)
    outputs = model.define_loss({"times": [times], "values": values}, mode=tf.estimator.ModeKeys.EVAL)
    session.run(tf.global_variables_initializer())
    draw = np.random.RandomState(2)
    session.run([v.assign(0.3 * draw.randn(*v.shape.as_list())) for v in tf.trainable_variables()])
    mean, covariance = _joint(session, model, times)
    apart = values.reshape(-1) - mean
    wanted = -0.5 * apart @ np.linalg.solve(covariance, apart) - 0.5 * np.linalg.slogdet(
        2 * np.pi * covariance)[1]
    np.testing.assert_allclose(-4 * session.run(outputs.loss), wanted, rtol=1e-9)


def test_unrolled_steps_are_those_of_the_loop(session):
    features = {"times": [[3, 4, 6]], "values": tf.constant([[[1.0], [2.0], [4.0]]], tf.float64)}
    found = []
    for threshold in (None, 3):
        model = AdderStateSpaceModel(configuration=DOUBLE._replace(static_unrolling_window_size_threshold=threshold))
        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            model.initialize_graph()
        outputs = model.define_loss(features, mode=tf.estimator.ModeKeys.EVAL)
        found.append([outputs.loss, outputs.end_state[0], outputs.predictions["covariance"]])
    session.run(tf.global_variables_initializer())
    for one, other in zip(*session.run(found)):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_anomalies_do_not_change_states(session):
    detector = StateInterpolatingAnomalyDetector(cauchy_alternative_to_gaussian, responsibility_scaling=10.0)
    config = DOUBLE._replace(filtering_postprocessor=detector, use_observation_noise=True)
    model = AdderStateSpaceModel(configuration=config)
    model.initialize_graph()
    values = np.array([[[0.0], [0.1], [0.0], [900.0]]])
    outputs = model.define_loss({"times": [[0, 1, 2, 3]], "values": values}, mode=tf.estimator.ModeKeys.EVAL)
    session.run(tf.global_variables_initializer())
    scores, end = session.run([outputs.predictions["anomaly_score"], outputs.end_state[0]])
    assert (scores[0] < 0).tolist() == [True, True, True, False] and abs(end[0, 0]) < 10


def test_series_are_generated_from_parameters(session):
    model = AdderStateSpaceModel(configuration=DOUBLE)
    model.initialize_graph()
    found = model.generate(3, 5, model.random_model_parameters(seed=1), seed=2)
    same = model.generate(3, 5, model.random_model_parameters(seed=1), seed=2)
    assert found["times"].shape == (3, 5) and found["values"].shape == (3, 5, 1)
    assert (found["values"] == same["values"]).all()


# ---- a model of a program's own


class _LastValue(SequentialTimeSeriesModel):
    """Predicts what it saw last; an exogenous feature is added to that."""

    def __init__(self, **options):
        super().__init__(["mean"], ["mean"], num_features=1, **options)

    def get_start_state(self):
        return (tf.zeros([], tf.int64), [tf.zeros([1])])

    def _imputation_step(self, current_times, state):
        return state

    def _exogenous_input_step(self, current_times, current_exogenous_regressors, state):
        return (state[0], (state[1][0] + current_exogenous_regressors,))

    def _prediction_step(self, current_times, state):
        return (current_times, (state[1][0],)), {"mean": state[1][0]}

    def _filtering_step(self, current_times, current_values, state, predictions):
        loss = tf.reduce_sum(tf.square(current_values - predictions["mean"]), axis=-1)
        return (current_times, (current_values,)), {**predictions, "loss": loss}


def _loss_of(session, model, manager=None, mode=tf.estimator.ModeKeys.EVAL, start=0, **features):
    data = {"times": [[start, start + 1, start + 2]], "values": [[[1.0], [3.0], [6.0]]], **features}
    outputs = manager.define_loss(model, data, mode) if manager else model.define_loss(data, mode)
    return outputs


def test_steps_of_a_model(session):
    model = _LastValue()
    model.initialize_graph()
    outputs = _loss_of(session, model)
    loss, means = session.run([outputs.loss, outputs.predictions["mean"]])
    assert loss == pytest.approx((1 + 4 + 9) / 3) and means[0, :, 0].tolist() == [0, 1, 3]
    found = session.run(model.predict({"times": [[7, 8]], "start_tuple": outputs.end_state}))
    assert found["mean"][0, :, 0].tolist() == [6, 6] and found["times"].tolist() == [[7, 8]]


def test_exogenous_features_are_taken_in_where_the_condition_holds(session):
    columns = [tf.feature_column.numeric_column("push")]
    pushes = [[[10.0], [20.0], [30.0]]]
    always = _LastValue(exogenous_feature_columns=columns)
    late = _LastValue(exogenous_feature_columns=columns,
                      exogenous_update_condition=lambda times, features: features["push"][:, 0] > 15)
    means = []
    for model in (always, late):
        model.initialize_graph()
        means.append(_loss_of(session, model, push=pushes).predictions["mean"][0, :, 0])
    assert [each.tolist() for each in session.run(means)] == [[10, 21, 33], [0, 21, 33]]


def test_windows_start_from_states_that_others_left(session):
    model, manager = _LastValue(), ChainingStateManager(state_saving_interval=1)
    model.initialize_graph()
    manager.initialize_graph(model)
    first = _loss_of(session, model, manager, tf.estimator.ModeKeys.TRAIN)
    second = _loss_of(session, model, manager, tf.estimator.ModeKeys.TRAIN, start=3)
    session.run(first.loss)
    assert session.run(second.predictions["mean"])[0, 0, 0] == 6
    given = _loss_of(session, model, manager, start_tuple=(tf.constant([0], tf.int64), [tf.constant([[5.0]])]))
    assert session.run(given.predictions["mean"])[0, 0, 0] == 5


def test_graphs_are_begun_first():
    with pytest.raises(ValueError, match="initialize_graph"):
        _LastValue().define_loss({"times": [[0]], "values": [[[0.0]]]}, tf.estimator.ModeKeys.EVAL)
    with pytest.raises(ValueError, match="initialize_graph"):
        ChainingStateManager().define_loss(_LastValue(), {"times": [[0]], "values": [[[0.0]]]},
                                           tf.estimator.ModeKeys.TRAIN)


# ---- autoregressive models


def test_long_windows_are_cut_from_the_end(session):
    model = timeseries.ARModel(periodicities=None, input_window_size=2, output_window_size=2, num_features=1)
    model.initialize_graph()
    features = {"times": [[1, 3, 5, 7, 11]], "values": np.float32([[[1], [2], [3], [4], [5]]])}
    outputs = model.define_loss(features, tf.estimator.ModeKeys.EVAL)
    session.run(tf.global_variables_initializer())
    times, observed, end = session.run([outputs.prediction_times, outputs.predictions["observed"], outputs.end_state])
    assert times.tolist() == [[7, 11]] and observed[0, :, 0].tolist() == [4, 5] and end[0].tolist() == [[7, 11]]
    with pytest.raises(ValueError, match="set window_size=4"):
        model.define_loss(features, tf.estimator.ModeKeys.TRAIN)


def _wave(count):
    times = np.arange(count)
    return timeseries.NumpyReader({"times": times, "values": 5 + 3 * np.sin(times * np.pi / 4)})


@pytest.mark.parametrize("options", [
    {}, {"loss": timeseries.ARModel.SQUARED_LOSS}, {"hidden_layer_sizes": [8]}, {"anomaly_distribution": "cauchy"}],
    ids=["linear", "squared", "hidden", "anomalies"])
def test_a_wave_is_learned(tmp_path, options):
    estimator = timeseries.ARRegressor(periodicities=8, input_window_size=4, output_window_size=2, num_features=1,
                                       model_dir=str(tmp_path), config=tf.estimator.RunConfig(tf_random_seed=1),
                                       **options)
    estimator.train(timeseries.RandomWindowInputFn(_wave(60), window_size=6, batch_size=16, shuffle_seed=1), steps=150)
    evaluation = estimator.evaluate(timeseries.WholeDatasetInputFn(_wave(60)), steps=1)
    assert np.sqrt(np.mean((evaluation["mean"] - evaluation["observed"]) ** 2)) < 0.8
    (found,) = estimator.predict(timeseries.predict_continuation_input_fn(evaluation, steps=5))
    assert found["times"].tolist() == [60, 61, 62, 63, 64] and found["covariance"].shape == (5, 1)
    np.testing.assert_allclose(found["mean"][:, 0], 5 + 3 * np.sin(found["times"] * np.pi / 4), atol=2)


# ---- Estimators


def test_a_structural_model_is_exported(tmp_path):
    estimator = timeseries.StructuralEnsembleRegressor(periodicities=8, num_features=1, cycle_num_latent_values=3,
                                                       moving_average_order=1, model_dir=str(tmp_path / "m"),
                                                       config=tf.estimator.RunConfig(tf_random_seed=1))
    estimator.train(timeseries.RandomWindowInputFn(_wave(60), window_size=8, batch_size=4, shuffle_seed=1), steps=20)
    evaluation = estimator.evaluate(timeseries.WholeDatasetInputFn(_wave(60)), steps=1)
    (predicted,) = estimator.predict(timeseries.predict_continuation_input_fn(evaluation, times=[60, 63]))
    path = estimator.export_saved_model(str(tmp_path / "e"), estimator.build_raw_serving_input_receiver_fn())
    utils = timeseries.saved_model_utils
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.saved_model.loader.load(session, ["serve"], path)
        assert sorted(model.signature_def) == ["cold_start_filter", "filter", "serving_default"]
        served = utils.predict_continuation(evaluation, model, session, times=[60, 63])
        np.testing.assert_allclose(served["mean"][0], predicted["mean"], rtol=1e-6)
        whole = {FilteringFeatures.TIMES: np.arange(60), FilteringFeatures.VALUES: evaluation["observed"][0]}
        cold = utils.cold_start_filter(model, session, whole)
        again = utils.predict_continuation(cold, model, session, times=[60, 63])
        np.testing.assert_allclose(again["mean"][0], predicted["mean"], rtol=1e-6)
        more = utils.filter_continuation(cold, model, session, {"times": [60], "values": [5.0]})
        assert utils.predict_continuation(more, model, session, steps=2)["times"].tolist() == [[61, 62]]


def test_one_shot_predictions_need_no_state(tmp_path):
    estimator = TimeSeriesRegressor(_LastValue(), model_dir=str(tmp_path / "m"),
                                    head_type=timeseries.OneShotPredictionHead)
    features = lambda: ({"times": [[0, 1, 2]], "values": [[[1.0], [3.0], [6.0]]]}, None)
    assert "start_tuple" not in estimator.evaluate(features, steps=1)


@pytest.mark.parametrize("mode, features, message", [
    ("train", {"values": [[[1.0]]]}, "Expected a 'times' feature"),
    ("eval", {"times": [[1]]}, "Expected a 'values' feature"),
    ("infer", {"times": [[1]]}, "Expected a 'start_tuple' feature"),
    ("train", {"times": [[1]], "values": [[1.0]]}, "Expected shape.*for feature 'values'"),
    ("train", {"times": [[1]], "values": [[[1.0]]], "x": [[1], [2]]}, "must have shape.*for feature 'x'"),
    ("other", {}, "Unknown mode 'other'")])
def test_heads_refuse(mode, features, message):
    estimator = TimeSeriesRegressor(_LastValue())
    with pytest.raises(ValueError, match=message):
        estimator._head.create_estimator_spec(features, mode)
