"""What an answer says word for word: texts it holds, patterns it matches, JSON it is."""
