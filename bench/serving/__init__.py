"""What benches share that serve a web from a process of its own."""
