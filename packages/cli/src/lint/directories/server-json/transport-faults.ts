import { unless } from '../requirement.js';
import { isObject, isText, listOf, type Json } from './values.js';

const OVER_HTTP = ['streamable-http', 'sse'];
const LOCAL = /^https?:\/\/(localhost|[^/:]+\.localhost|127\.|0\.0\.0\.0|\[::1\])/i;

/** How a client talks to a package that it has started. */
export function transportFaults(description: Json): string[] {
  const { identifier, transport } = description;
  const name = `the package ${String(identifier)}`;
  if (!isObject(transport)) return [`${name} must say its transport.`];
  const { type, url } = transport;
  if (type === 'stdio')
    return unless(url === undefined, `${name} has the transport stdio, so it has no url.`);
  if (!OVER_HTTP.includes(String(type)))
    return [`${name} must have a transport of the type stdio, streamable-http or sse.`];
  if (!isAddress(url)) return [`${name} must name the url where it listens.`];
  const known = ['environmentVariables', 'runtimeArguments', 'packageArguments']
    .flatMap((list) => listOf(description[list]))
    .flatMap((input) => [input['name'], input['valueHint']]);
  return missingVariables(url, known).map(
    (variable) => `${name} has {${variable}} in its url, and no variable or argument of this name.`,
  );
}

/** A remote is there for everybody who reads the registry. */
export function remoteFaults({ remotes }: Json): string[] {
  return listOf(remotes).flatMap(({ type, url, variables }) => [
    ...unless(
      OVER_HTTP.includes(String(type)),
      `the remote ${String(url)} must have the type streamable-http or sse.`,
    ),
    ...unless(
      isAddress(url) && /^(https:|\{)/.test(url) && !LOCAL.test(url),
      `the remote ${String(url)} is not an https address that everybody can reach.`,
    ),
    ...missingVariables(String(url), Object.keys(isObject(variables) ? variables : {})).map(
      (variable) => `the remote ${String(url)} has {${variable}}, and variables does not describe it.`,
    ),
  ]);
}

const isAddress = (url: unknown): url is string =>
  isText(url) && /^(https?:\/\/[^\s/]+\S*|\{[^}]+\}\S*)$/.test(url);

const missingVariables = (url: string, known: readonly unknown[]) =>
  [...url.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!).filter((name) => !known.includes(name));
