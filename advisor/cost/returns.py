"""Whether money comes back: payback, present value, break-even. Flows at the end of each year; decimals throughout."""

from decimal import Decimal

MONTHS = Decimal(12)


def payback_months(once: Decimal, benefit_per_year: Decimal, running_per_year: Decimal = Decimal(0)) -> Decimal | None:
    """Months until what was spent once is back; None where the benefit does not exceed the running cost."""
    monthly = (benefit_per_year - running_per_year) / MONTHS
    return once / monthly if monthly > 0 else None


def net_present_value(once: Decimal, benefit_per_year: Decimal, running_per_year: Decimal, years: Decimal | int, rate: Decimal) -> Decimal:
    """What the flows are worth today at a yearly rate; a year that is not whole brings its part, at its own end."""
    yearly, whole = benefit_per_year - running_per_year, int(years)
    value = -once + sum((yearly / (1 + rate) ** year for year in range(1, whole + 1)), Decimal(0))
    rest = Decimal(years) - whole
    return value + (yearly * rest / (1 + rate) ** Decimal(years) if rest else 0)


def break_even_gpu_hours(once: Decimal, running: Decimal, gpu_hour: Decimal) -> Decimal | None:
    """GPU-hours that must be won over the horizon for the spending to be even, at the site's own GPU-hour; None where that is nothing."""
    return (once + running) / gpu_hour if gpu_hour > 0 else None
