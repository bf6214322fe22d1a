import type { BoundOperation, McpServer } from '@toolwright/core';
import type { Kind, Operation } from '../../api/surface-api.js';
import { tokensOf } from '../tokens.js';
import { argumentSchema } from './argument-schema.js';
import { findOperation } from './bound-operations.js';

/**
 * An entry of a list, with what the server knows about it.
 *
 * @param listed the entry as the caller got it
 */
export function describeOperation(
  server: McpServer,
  kind: Kind,
  key: string,
  listed: Readonly<Record<string, unknown>>,
): Operation {
  const bound = findOperation(server, kind, key);
  const { title, description } = listed;
  const app = appOf(listed);
  return {
    kind,
    key,
    name: String(listed['name']),
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    listed,
    input: argumentSchema(kind, listed, bound),
    tokens: tokensOf(listed),
    ...(app !== undefined && { app }),
    completes: bound && 'complete' in bound ? Object.keys(bound.complete) : [],
    ...(bound && factsOf(bound)),
  };
}

/** The page that shows the results of a tool (MCP Apps). */
function appOf({ _meta: meta }: Readonly<Record<string, unknown>>): string | undefined {
  const uri = (meta as { ui?: { resourceUri?: unknown } } | undefined)?.ui?.resourceUri;
  return typeof uri === 'string' ? uri : undefined;
}

function factsOf(bound: BoundOperation): Partial<Operation> {
  const { location, entry } = bound;
  const method = entry?.key.slice(entry.key.indexOf('#') + 1);
  return {
    ...(location !== undefined && { location }),
    ...(method !== undefined && { method }),
    ...(bound.kind === 'tool' && {
      ...(bound.outputSchema && { output: bound.outputSchema as Operation['output'] & object }),
      ...(bound.task && { task: bound.task.mode }),
    }),
  };
}
