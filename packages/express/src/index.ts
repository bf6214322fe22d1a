export { mcpExpress } from './mcp-express.js';
// A mounted server needs these, and an app need not install another package for them.
export { drainOnSignal, mcpReady, type DrainedApp, type DrainOnSignalOptions } from '@toolwright/http';
export { mcpHealth, oauthResourceServer, serveHttp } from '@toolwright/http';
