"""MCP: what a folder knows, as tools for language models. Read-only, and nothing is sent to anybody.

    host ──stdin──▶ stdio.py ──┐                  ┌─▶ tools.py ──question──▶ whoever owns the folder
    host ──POST /mcp──▶ http.py ├─▶ server.py (SDK) │
                               ┘                  └─◀ quoting.py: what pages say, quoted and bounded

- `tools.py`: the tools, each with its schema and what it asks
- `quoting.py`: a record made short enough, and told to be data
- `server.py`: the tools in the protocol, by the official SDK, which is loaded when it is used
- `stdio.py`, `http.py`: the two ways in
"""
