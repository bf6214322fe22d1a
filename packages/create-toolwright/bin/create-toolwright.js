#!/usr/bin/env node
// Every Node.js can read this file: an old one gets a sentence, and not the first error of newer code.
var version = process.versions.node.split('.').map(Number);
if (version[0] > 20 || (version[0] === 20 && version[1] >= 19)) require('../dist/main.js');
else {
  console.error(
    'error: create-toolwright needs Node.js 20.19 or later. This is Node.js ' + process.versions.node + '.',
  );
  process.exitCode = 1;
}
