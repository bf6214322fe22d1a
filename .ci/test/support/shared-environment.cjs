const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest loads every module anew for each test file. `share-module.cjs` makes exceptions: it asks for them here, where a
 * worker keeps what it has loaded.
 */
module.exports = class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global[Symbol.for('toolwright.shared')] = (file) => require(file);
  }
};
