// As `app/mcp/route.ts` of a Next.js app.
import { mcpFetch, type FetchHandler } from '@toolwright/http';
import { createContactServer } from '../contact-server.js';

const handler: FetchHandler = mcpFetch(() => createContactServer(), { allowedHosts: ['contacts.example'] });

export { handler as DELETE, handler as GET, handler as OPTIONS, handler as POST };
