export { McpExecutionContext } from './enhancers/mcp-execution-context.js';
export { McpModule } from './mcp-module.js';
export { McpServerHost } from './served-app.js';
export type { McpHttpRequest, McpModuleOptions, McpRouteOptions, NestHttpOptions } from './options.js';
