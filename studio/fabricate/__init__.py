"""From a drawing to what is cut: the plan of the cuts, kerf, sheets, machines and materials; knows no puzzle."""
