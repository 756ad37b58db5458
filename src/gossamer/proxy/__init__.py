"""The polite forward proxy: manners, and a memory, for programs that have none."""
