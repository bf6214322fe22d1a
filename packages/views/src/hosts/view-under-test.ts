import type { PlacedMeta } from './host-policy.js';

/** A result of `tools/call`, as far as hosts hand it to a page. */
export interface ShownResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: unknown;
}

/** A tool as `tools/list` describes it. */
export interface ShownTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly readOnlyHint?: boolean };
  readonly _meta?: unknown;
}

/** One page with a result to show: what a server says of them, and nothing else. */
export interface ViewUnderTest {
  readonly tool: ShownTool;
  readonly uri: string;
  readonly html: string;
  readonly mimeType: string | undefined;
  readonly meta: PlacedMeta;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ShownResult;
}

/** What a page may ask of its server while it is shown. */
export interface ViewServer {
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  readResource(uri: string): Promise<unknown>;
}
