"""Files become clean lines: intake with bounds, decoding, and what is decoration around a paste."""
