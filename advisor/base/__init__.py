"""What knows nothing of GPUs: errors, units, bilingual text, data files, places."""
