/* global Deno */
import { mcpFetch } from '@toolwright/http';
import { createContactServer } from '../dist/contact-server.js';

const server = await createContactServer();
const onListen = ({ port }) => console.log(`listening on http://127.0.0.1:${port}/mcp`);
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, mcpFetch(server));
