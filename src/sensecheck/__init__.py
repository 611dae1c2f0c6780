"""Does this answer mean what it should?"""
