/* eslint-disable @typescript-eslint/no-empty-object-type -- packages add the members, by module augmentation */

/** Options of `createMcpServer` that packages add. */
export interface ExtraServerOptions {}

/** Options of `@McpTool` and of `server.tools.add` that packages add. */
export interface ExtraToolOptions {}

/** Options of `@McpService` that packages add. */
export interface ExtraServiceOptions {}

/** Members of `ToolContext` that packages add. */
export interface ExtraContext {}
