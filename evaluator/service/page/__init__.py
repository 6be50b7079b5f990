"""The page of the service in a browser: who may open it, and how its parts travel. What they show is passed in."""
