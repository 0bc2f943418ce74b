"""Which pages the site has, in which order: the tabs, and the files below docs/ or beside the README."""

TABS = {
    "Learn": [
        "learn/README.md", "learn/graph_and_session.md", "learn/order_of_a_step.md", "learn/variables.md",
        "learn/optimizers.md", "learn/tf_data.md", "learn/checkpoints.md", "learn/summaries.md", "learn/estimator.md",
        "learn/autograph.md", "learn/profiler.md", "gallery.md",
    ],
    "Run": [
        "will_it_work.md", "tools.md", "differences.md", "edge_values.md", "contrib.md", "programs.md", "input.md",
        "estimator.md", "canned.md", "keras.md", "eager.md", "autograph.md", "devices.md", "distribute.md",
        "clusters.md", "compilation.md", "performance.md", "looking_inside.md",
    ],
    "Files": ["models.md", "keras_files.md", "serving.md", "lite.md", "convert.md", "promises.md"],
    "Reference": [],
    "Inside": [
        "architecture.md", "tiers.md", "speed.md", "glossary.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md",
        "CODE_OF_CONDUCT.md", "CHANGELOG.md", "releases/0.2.0.md",
    ],
}


def tabs(known):
    """The tabs with every page that there is; one that no tab names stands under Run, a release under Inside."""
    found = {tab: list(pages) for tab, pages in TABS.items()}
    named = {page for pages in TABS.values() for page in pages}
    for page in sorted(set(known) - named - {"index.md"}):
        found["Inside" if page.startswith("releases/") else "Run"].append(page)
    return found
