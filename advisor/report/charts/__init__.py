"""Pictures of a report: what they show (model), which ones a site has (of_site), and how they are drawn (svg)."""
