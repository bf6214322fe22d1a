import type { JsonSchema } from '@toolwright/json';

/** What callers of a tool depend on: what `tools/list` publishes, and what only the sources contain. */
export interface ToolContract {
  name: string;
  title?: string;
  description?: string;
  annotations?: ToolHints;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  /** The scopes that a call needs. Unknown if the tools come from a running server. */
  scopes?: string[];
  /**
   * Whether its doc comment contains `@deprecated`, and the reason. Unknown if the tools come from a running
   * server.
   */
  deprecated?: boolean | string;
}

export interface ToolHints {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}
