# Two commands for people: `make run` and `make test`. `make help` names the others.
SHELL := /bin/bash
PYTHON ?= python3
REPO ?= .
TASK ?= where does north decide what to say first?
PORT ?= 7777
VENV := .venv

.PHONY: help run demo test soak mutate check clean

help:
	@echo 'make run    [REPO=path] [TASK=words] [PORT=7777]  install, ingest, show the card, serve until Ctrl-C'
	@echo 'make demo   [DEMO=auto]  a conversation with a homelab: tools, a question that waits for you, receipts'
	@echo 'make test   every test; installs what the tests need (PostgreSQL), saying so'
	@echo 'make check  lint, layers, types, promises'
	@echo 'make soak   the long counts of the crash and property tests'
	@echo 'make mutate change the rules and see whether a test notices'

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Numen needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.numen: $(VENV)/bin/python pyproject.toml
	@echo 'Installing Numen into $(VENV) (about half a minute) ...'
	@$(VENV)/bin/python -m pip install -qq --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.numen-dev: $(VENV)/bin/python pyproject.toml
	@echo 'Installing Numen and its test tools into $(VENV) ...'
	@$(VENV)/bin/python -m pip install -qq --disable-pip-version-check --editable '.[dev,postgres,semantic]'
	@touch $@ $(VENV)/.numen

run: $(VENV)/.numen
	@$(VENV)/bin/numen ingest '$(REPO)'
	@$(VENV)/bin/numen north '$(TASK)' --repo '$(REPO)'
	@exec $(VENV)/bin/numen up --repo '$(REPO)' --port $(PORT)

demo: $(VENV)/.numen
	@$(VENV)/bin/python examples/homelab/demo.py $(if $(filter auto,$(DEMO)),--auto)

test: $(VENV)/.numen-dev
	@scripts/test

soak: $(VENV)/.numen-dev
	@scripts/test --soak

mutate: $(VENV)/.numen-dev
	@scripts/mutate

check: $(VENV)/.numen-dev
	@scripts/check

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis
