#!/usr/bin/env node
require('@toolwright/cli/bin');
