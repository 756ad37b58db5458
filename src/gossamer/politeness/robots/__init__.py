"""The Robots Exclusion Protocol: what a site permits us, and how it may answer when we ask."""
