import type { BoundResource, BoundResourceTemplate } from '../pipeline/operation.js';
import type { Registry } from '../pipeline/registry.js';
import { UriTemplate } from './uri-template.js';

export type FoundResource =
  | { operation: BoundResource; variables: Record<string, never> }
  | { operation: BoundResourceTemplate; variables: Record<string, string> };

/** Compiled once per template, for as long as it is served. */
const compiled = new WeakMap<BoundResourceTemplate, UriTemplate>();

/** The resource of that URI, else the first template that matches it. */
export function findResource(registry: Registry, uri: string): FoundResource | undefined {
  const exact = registry.resources.get(uri);
  if (exact) return { operation: exact, variables: {} };
  for (const template of registry.resourceTemplates.list()) {
    const variables = compile(template).match(uri);
    if (variables) return { operation: template, variables };
  }
  return undefined;
}

function compile(template: BoundResourceTemplate): UriTemplate {
  let matcher = compiled.get(template);
  if (!matcher) compiled.set(template, (matcher = new UriTemplate(template.uriTemplate)));
  return matcher;
}
