"""Cells of one line of delimited text (CSV), without their quotes and outer blanks."""

import csv


def cells(text: str, delimiter: str = ",") -> list[str]:
    """The cells of a line; a line that is none (a cell beyond any bound) is one cell."""
    if delimiter not in text and '"' not in text and text.strip():
        return [text.strip()]
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter, skipinitialspace=True), [])]
    except csv.Error:
        return [text]


def delimiter(text: str) -> str:
    """The sign between the cells of a heading: the most frequent of comma, semicolon and tab."""
    return max(",;\t", key=text.count)
