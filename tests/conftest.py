"""What every test finds in place: the shell knows the programs of the hosts, as it does wherever Compass runs."""

from compass.joining.hosts import join_programs

join_programs()
