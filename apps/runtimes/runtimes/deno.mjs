/* global Deno */
import { handler } from './handler.mjs';

const onListen = ({ port }) => console.log(`listening on http://127.0.0.1:${port}/mcp`);
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, handler);
