export { mcpFastify } from './mcp-fastify.js';
export type { McpFastifyOptions } from './options.js';
