"""Where an answer at an edge value differs from TensorFlow's, and why; docs/edge_values.md tells users the same."""

import re

_SAMPLED = ".*Sampler|Kmeans.*|.*Initialization|.*[Cc]andidate.*"
_UNWRITTEN = "TensorFlow returns memory that nothing was written to"
_CHOOSES = "TensorFlow 1 multiplies by the mask, as this does; TensorFlow 2 chooses"

DIFFERENCES = [  # op, edge, reason
    (_SAMPLED, ".", "samples are drawn by chances that are no numbers, or by ids outside the range"),
    ("boxes_in_images", ".", "it draws another box in every run"),
    ("dropout.*", "inf|nan", _CHOOSES),
    ("Conv.*|conv.*|sequences|.*transposed.*|atrous.*|separable.*", "inf|nan", "0 of padding times infinity is NaN"),
    ("ctc.*|CTC.*|dense_loss.*", ".", "TensorFlow's loss of impossible labels, lengths and -inf is not defined"),
    ("CumulativeLogsumexp", "nan|inf", "TensorFlow turns NaN into minus infinity and infinity into NaN"),
    ("(Sparse)?Segment(Max|Min)|UnsortedSegment(Max|Min)", "nan", "TensorFlow forgets a NaN when a number follows it"),
    ("(Unsorted)?SegmentProd", "inf|max|min|nan", "the gradient divides the product by the number"),
    ("TopK(V2)?|NthElement|.*sort.*|InTopK(V2)?", "nan", "TensorFlow's order of NaN depends on how it sorts"),
    ("Truncate(Div|Mod)", "0|min", "TensorFlow's division by zero is an InternalError"),
    ("MaxPool3D.*|MaxPoolGrad.*", "nan|inf", "TensorFlow keeps NaN or not by its place in the window"),
    (".*Determinant|slogdet", "nan|inf", "TensorFlow's determinant of NaN is 0"),
    ("Sparse.*", "max|min", "dense shapes whose product overflows, or that are negative, are not refused everywhere"),
    ("Qr|BatchQr", "inf", "whole columns of NaN or single ones"),
    ("SparseSegment.*Grad", "empty", _UNWRITTEN),
    (".*[Dd]epthwise.*", "empty", _UNWRITTEN),
]


def reason(case, edge):
    """Why the case may differ at this edge, or None."""
    for op, how, why in DIFFERENCES:
        if re.fullmatch(op, case.op) and re.search(how, edge.how):
            return why
    return None
