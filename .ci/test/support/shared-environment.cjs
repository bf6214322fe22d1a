const { rmSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');
const { keepDeclarations } = require('./kept-declarations.cjs');
const { keepNewCoverage } = require('./new-coverage.cjs');

/** What test files share, by its file. */
const shared = new Map();

function share(file) {
  if (!shared.has(file)) {
    const module = require(file);
    shared.set(file, file.endsWith('typescript.js') ? keepDeclarations(module) : module);
  }
  return shared.get(file);
}

/**
 * Jest loads every module anew for each test file. `share-module.cjs` makes exceptions: it asks for them here, where a
 * worker keeps what it has loaded.
 */
module.exports = class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global[Symbol.for('toolwright.shared')] = share;
  }

  /** Removes what `temporary-folder.ts` has made. */
  async teardown() {
    const made = this.global[Symbol.for('toolwright.folders')] ?? [];
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
    await super.teardown();
  }

  handleTestEvent({ name }) {
    // The last event of a file. Jest reports the coverage after it.
    if (name === 'teardown' && this.global.__coverage__)
      this.global.__coverage__ = keepNewCoverage(this.global.__coverage__);
  }
};
