import { createConformanceServer } from '@toolwright/app-conformance';
import conformance from '@toolwright/app-conformance/manifest';
import { mcpFetch } from '@toolwright/http/fetch';
import { DurableObject } from 'cloudflare:workers';
import { createContactServer } from '../dist/contact-server.js';
import { securedHandler } from '../dist/secured-handler.js';
import manifest from '../mcp.manifest.json';

const options = { keepAlive: 1_000 };
const createContacts = () => createContactServer({ manifest });

const makers = {
  contacts: () => mcpFetch(createContacts, options),
  secured: ({ ISSUER }) => securedHandler(createContacts, ISSUER, options),
  conformance: () => mcpFetch(() => createConformanceServer({ manifest: conformance }), options),
};

/** All requests reach this one object, so it may have sessions and tasks. */
export class Server extends DurableObject {
  #handler = makers[this.env.SERVE](this.env);

  fetch(request) {
    return this.#handler(request);
  }
}

export default {
  fetch: (request, { SERVER }) => SERVER.getByName('server').fetch(request),
};
