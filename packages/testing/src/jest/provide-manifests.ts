import { compilePackage } from '../compile-package.js';

/** The property under which core looks for a manifest provider. Every test file has its own global object. */
const provider = Symbol.for('toolwright.manifestProvider');
(globalThis as Record<symbol, unknown>)[provider] = compilePackage;
