import { compileOnTheFly } from './build/compile-on-the-fly.js';

/**
 * `node --import @toolwright/cli/register app.js`: manifests are compiled when the server starts, through the cache,
 * instead of being read from `mcp.manifest.json`. Core looks for the provider under this symbol.
 */
const provider = Symbol.for('toolwright.manifestProvider');
(globalThis as Record<symbol, unknown>)[provider] = compileOnTheFly;
