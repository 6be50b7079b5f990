"""What rows cannot say of a program: functions that `programs/*.toml` name. Each module is a field."""
