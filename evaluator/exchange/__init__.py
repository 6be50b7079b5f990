"""What the two last said, and what a short answer settles: the one reading of menus and replies.

`menu` finds the question that a turn ends in, `reply` the option that the user chose, `option_names` whether a write
keeps to what was settled, `orders` whether a message orders something of its own. Pure, standard library only.
Whatever is unsure resolves nothing and goes to the readers.
"""
