"""The HTTP door: health, the verbs as routes, MCP mounted, one page; nobody in without a key."""
