"""Mixed load by users of locust, every reply checked."""
