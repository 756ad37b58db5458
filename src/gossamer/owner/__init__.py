"""Questions to whoever owns a data folder: one process holds it, all others ask that one."""
