import { mcpFetch } from '@toolwright/http/fetch';
import { createContactServer } from '../dist/contact-server.js';
import { securedHandler } from '../dist/secured-handler.js';
// A worker reads no files: the manifest becomes part of it.
import manifest from '../mcp.manifest.json';

// A worker draws no random numbers before its first request, so the server is made then.
const make = () => createContactServer({ manifest, sessions: false });
// Workerd tells that a client has gone when the next part of its stream is written. So quiet streams get a comment often.
const options = { keepAlive: 1_000 };
let handler;

export default {
  fetch(request, { ISSUER }) {
    handler ??= ISSUER ? securedHandler(make, ISSUER, options) : mcpFetch(make, options);
    return handler(request);
  },
};
