"""Files of questions and of recorded answers, read a row at a time: JSON lines, CSV and Parquet."""
