import { deprecate } from 'node:util';
import {
  mcpHealth as mcpHealthMoved,
  oauthResourceServer as oauthResourceServerMoved,
  serveHttp as serveHttpMoved,
} from '@toolwright/http';

/** @deprecated Use `mcpHealth` of `@toolwright/http`. It goes with 0.3. */
export const mcpHealth = deprecate(
  mcpHealthMoved,
  'mcpHealth of @toolwright/express is now in @toolwright/http. The old name goes with 0.3.',
  'TWDEP001',
);

/** @deprecated Use `oauthResourceServer` of `@toolwright/http`. It goes with 0.3. */
export const oauthResourceServer = deprecate(
  oauthResourceServerMoved,
  'oauthResourceServer of @toolwright/express is now in @toolwright/http. The old name goes with 0.3.',
  'TWDEP002',
);

/** @deprecated Use `serveHttp` of `@toolwright/http`. It goes with 0.3. */
export const serveHttp = deprecate(
  serveHttpMoved,
  'serveHttp of @toolwright/express is now in @toolwright/http. The old name goes with 0.3.',
  'TWDEP003',
);
