import {
  ConfigurationError,
  createMcpServer,
  type ConfigurationProblem,
  type ServerOptions,
} from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { type Logger, silentLogger } from '@toolwright/core/ports';
import { TemporaryPackage } from '../packages/temporary-package.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** A server that logs nothing. */
export const boot = (options: Partial<ServerOptions>) =>
  createMcpServer({ name: 'test', version: '1', logger: silentLogger, ...options });

/** Boots a server, calls a tool with an argument under each name that tests use, and returns the text. */
export async function answer(
  options: Partial<ServerOptions>,
  name: string,
  args = { query: 'x' } as object,
): Promise<string> {
  const server = await boot(options);
  const { result } = await new StatelessWire(server).call(name, { ...args });
  await server.close(0);
  return result.content[0].text as string;
}

/** The problems that keep a server from starting. */
export async function problemsOf(options: Partial<ServerOptions>): Promise<readonly ConfigurationProblem[]> {
  const error: unknown = await boot(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigurationError);
  return (error as ConfigurationError).problems;
}

/** Creates packages on disk that are removed after each test. */
export function temporaryPackages(): (
  files: Record<string, string>,
  manifest?: Manifest,
) => TemporaryPackage {
  const made: TemporaryPackage[] = [];
  afterEach(() => made.splice(0).forEach((each) => each.remove()));
  return (files, manifest) => {
    const each = new TemporaryPackage(files, manifest);
    made.push(each);
    return each;
  };
}

/** The text of a module with one decorated class. */
export const serviceModule = (name: string, body: string, decorator = '@McpService()') => `
  import { McpApp, McpService, McpTool, McpResource, McpResourceTemplate, McpPrompt, RateLimit } from '@toolwright/core';
  ${decorator} export class ${name} { ${body} }`;

/** A method that answers with a fixed text. */
export const findMethod = (text: string, options = '') =>
  `@McpTool(${options}) find(query) { return '${text}'; }`;
