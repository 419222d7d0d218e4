"""How the conversation runs: sessions, turns, tools of many servers, receipts, and what is streamed."""
