"""Which calls are judged at all: the effects of a call, and what excuses one."""
