// Every Node.js can read this file: an old one gets a sentence, and not the first error of newer code.
var version = process.versions.node.split('.').map(Number);
if (version[0] > 20 || (version[0] === 20 && version[1] >= 19)) require('../dist/register.js');
else {
  console.error(
    'error: @toolwright/cli/register needs Node.js 20.19 or later. This is Node.js ' +
      process.versions.node +
      '.',
  );
  process.exit(1);
}
