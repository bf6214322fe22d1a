import { compilePackage } from './compile-package.js';

/** The place where core looks for whoever compiles on the fly; every test file has a global object of its own. */
const provider = Symbol.for('toolwright.manifestProvider');
(globalThis as Record<symbol, unknown>)[provider] = compilePackage;
