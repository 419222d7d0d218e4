"""How Numen is reached: the command line, HTTP and MCP over one verb table; no logic of its own."""
