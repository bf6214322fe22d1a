import type { BoundOperation, McpServer } from '@toolwright/core';

/** What identifies an operation within its kind. */
export function keyOf(operation: BoundOperation): string {
  if (operation.kind === 'resource') return operation.uri;
  return operation.kind === 'resourceTemplate' ? operation.uriTemplate : operation.name;
}

/** Every operation of a server, whoever may see it. */
export function operationsOf(server: McpServer): readonly BoundOperation[] {
  const { tools, prompts, resources, resourceTemplates } = server;
  return [...tools.list(), ...prompts.list(), ...resources.list(), ...resourceTemplates.list()];
}

export function findOperation(server: McpServer, kind: string, key: string): BoundOperation | undefined {
  return operationsOf(server).find((operation) => operation.kind === kind && keyOf(operation) === key);
}
