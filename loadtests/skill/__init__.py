"""The calibration of skill levels."""
