// As `src/routes/mcp/+server.ts` of a SvelteKit app.
import { mcpFetch } from '@toolwright/http';
import { createContactServer } from '../contact-server.js';

/** The part of SvelteKit's `RequestEvent` that is needed. */
interface RequestEvent {
  request: Request;
  getClientAddress(): string;
}

const handler = mcpFetch(() => createContactServer(), {
  clientAddress: (_request, event) => (event as RequestEvent).getClientAddress(),
});

/** SvelteKit calls it for every method that has no function of its own. */
export const fallback = (event: RequestEvent): Promise<Response> => handler(event.request, event);
