import { encodeHeaderValue } from '@toolwright/core/transport';
import { type JsonSchema, repeatedArguments, repeatedTexts } from '@toolwright/json';

/** The `Mcp-Param-*` headers of a call. They repeat parameters whose schema has `x-mcp-header` (2026-07-28). */
export const mirroredHeaders = (schema: JsonSchema, args: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    repeatedTexts(repeatedArguments(schema), args).map(
      ([header, text]) => [`mcp-param-${header}`, encodeHeaderValue(text)] as const,
    ),
  );
