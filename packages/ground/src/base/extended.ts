/* eslint-disable @typescript-eslint/no-empty-object-type -- packages add the members, by module augmentation */

/** Options of `createMcpServer` that packages add. */
export interface ExtraServerOptions {}

/** Options of `@McpTool` and of `server.tools.add` that packages add. */
export interface ExtraToolOptions {}

/** Options of `@McpService` that packages add. */
export interface ExtraServiceOptions {}

/** Members of `ToolContext` that packages add. */
export interface ExtraContext {}

/** Error codes of packages, for the problems that they report at boot. */
export interface ExtraErrorCodes {}

/** Parts of `ServerState` that packages add: lists, by name. */
export interface ExtraState {}

/** The nouns of packages that run methods, or record what they do. Audit records have them as their `operation`. */
export interface BackgroundNouns {}

/** The noun of a package that runs methods. */
export type BackgroundNoun = keyof BackgroundNouns;
