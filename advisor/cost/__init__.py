"""What it costs: dated prices with sources, quantities that follow from the site, estimates low, likely and high in decimals."""
