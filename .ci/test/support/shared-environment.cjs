const { TestEnvironment } = require('jest-environment-node');
const { keepNewCoverage } = require('./new-coverage.cjs');

/**
 * Jest loads every module anew for each test file. `share-module.cjs` makes exceptions: it asks for them here, where a
 * worker keeps what it has loaded.
 */
module.exports = class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global[Symbol.for('toolwright.shared')] = (file) => require(file);
  }

  handleTestEvent({ name }) {
    // The last event of a file. Jest reports the coverage after it.
    if (name === 'teardown' && this.global.__coverage__)
      this.global.__coverage__ = keepNewCoverage(this.global.__coverage__);
  }
};
