"""The MCP door: the verb table as tools, on stdio and on streamable HTTP."""
