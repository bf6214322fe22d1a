import type { JsonSchema } from '@toolwright/manifest';

/** What callers of a tool depend on: what `tools/list` publishes, and what only the sources know. */
export interface ToolContract {
  name: string;
  title?: string;
  description?: string;
  annotations?: ToolHints;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  /** What a caller's token needs. Unknown where the tools were read from a running server. */
  scopes?: string[];
  /** Its doc comment says `@deprecated`, and perhaps why. Unknown as above. */
  deprecated?: boolean | string;
}

export interface ToolHints {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}
