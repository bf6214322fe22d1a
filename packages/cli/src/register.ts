import { compileOnTheFly } from './build/sound-manifest.js';

/**
 * `node --import @toolwright/cli/register app.js` compiles manifests when the server starts, through the
 * cache, instead of reading `mcp.manifest.json`. Core looks for the provider under this symbol.
 */
const provider = Symbol.for('toolwright.manifestProvider');
(globalThis as Record<symbol, unknown>)[provider] = compileOnTheFly;
