"""The model of a site, for the command line, the screens and Python callers."""

from advisor.traffic.predict import Prediction
from advisor.usecases.assess import Assessment


def model(assessment: Assessment) -> Prediction:
    """Rates of jobs, loads of links, the ladder and the split of the loss of a site as it is."""
    return assessment.prediction
