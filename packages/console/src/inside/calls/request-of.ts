import type { CallRequest } from '../../api/call-api.js';

/** What expands templates. The page has it by another way than the server, which it does not load. */
type Template = new (template: string) => { expand(values: Readonly<Record<string, unknown>>): string };

/** The request of the protocol that a call of the console sends. */
export function requestOf(
  { kind, key, arguments: args }: CallRequest,
  UriTemplate: Template,
): { method: string; params: Record<string, unknown> } {
  switch (kind) {
    case 'tool':
      return { method: 'tools/call', params: { name: key, arguments: args } };
    case 'prompt':
      return { method: 'prompts/get', params: { name: key, arguments: args } };
    case 'resource':
      return { method: 'resources/read', params: { uri: key } };
    case 'resourceTemplate':
      return { method: 'resources/read', params: { uri: new UriTemplate(key).expand(withoutEmpty(args)) } };
  }
}

/** An empty field of a form leaves its variable out. */
const withoutEmpty = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
