"""What people and scripts are shown."""
