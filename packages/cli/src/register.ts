import { MANIFEST_PROVIDER } from '@toolwright/manifest';
import { compileOnTheFly } from './build/sound-manifest.js';

/**
 * `node --import @toolwright/cli/register app.js` compiles manifests when the server starts, through the
 * cache, instead of reading `mcp.manifest.json`. Core looks for the provider under this symbol.
 */
(globalThis as Record<symbol, unknown>)[MANIFEST_PROVIDER] = compileOnTheFly;
