import process from 'node:process';
import { createConformanceServer } from '@toolwright/app-conformance';
import { mcpFetch } from '@toolwright/http';
import { createContactServer } from '../dist/contact-server.js';
import { securedHandler } from '../dist/secured-handler.js';

const { SERVE = 'contacts', ISSUER = '' } = process.env;

const makers = {
  contacts: async () => mcpFetch(await createContactServer()),
  secured: () => securedHandler(() => createContactServer(), ISSUER),
  conformance: async () => mcpFetch(await createConformanceServer()),
};

/**
 * What `SERVE` names: the contacts, the same for callers with a token of `ISSUER`, or the server of the official suite.
 */
export const handler = await makers[SERVE]();
