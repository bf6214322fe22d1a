import type { JsonSchema } from '@toolwright/manifest';

/** What callers of a tool depend on, as `tools/list` publishes it. */
export interface ToolContract {
  name: string;
  title?: string;
  description?: string;
  annotations?: ToolHints;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
}

export interface ToolHints {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}
