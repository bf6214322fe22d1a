import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ResourceResult } from '@toolwright/core';
import { type CompletionTarget, type Listed, type McpClient, RpcError } from '@toolwright/client';
import { type JsonSchema, UriTemplate } from '@toolwright/json';
import { CommandError, type Terminal, styleFor, visibleJson, usageError } from '@toolwright/operate/terminal';
import { METHOD_NOT_FOUND } from '../contract/listed-parts.js';
import { formatBlock } from '../output/format-result.js';
import { formatPrompts, formatResources } from '../output/format-parts.js';
import { quietWhileAsked } from '../terminal/quiet-while-asked.js';
import {
  answersOf,
  flagsOf,
  printTexts,
  progressOf,
  type RemoteCall,
  readerIn,
  unknown,
} from './call-remote-tool.js';
import { useRemote } from './open-remote.js';
import { parseArguments } from './parse-arguments.js';
import { type RemoteFlags, takeOptions } from './remote-options.js';

interface ReadFlags extends RemoteFlags {
  /** Where the bytes go, in place of standard output. */
  out?: string;
  /** The variable whose values the server suggests. */
  complete?: string;
}

export interface RemoteRead extends Pick<RemoteCall, 'words'> {
  flags: ReadFlags;
  /** An address, or a template of addresses. Without it, the resources are listed. */
  uri: string | undefined;
}

/** Reads a resource and prints it; or what the server suggests for a variable; or lists what there is to read. */
export async function readRemoteResource(
  { flags: given, uri, words }: RemoteRead,
  shown: Terminal,
): Promise<void> {
  const terminal = quietWhileAsked(shown);
  if (uri === undefined) return listTheResources(given, terminal);
  const schema = variablesOf(uri);
  const { flags, words: rest } = takeOptions(words, given, schema, ['out', 'complete']);
  const values = parseArguments(rest, schema, {
    of: 'template',
    input: flags.input,
    readText: readerIn(terminal),
  });
  const { complete, out, json = false } = flags;
  const address = complete === undefined ? expanded(uri, values) : uri;
  await useRemote({ ...flags, client: answersOf(terminal) }, terminal, async (client) => {
    if (complete !== undefined)
      return suggest({ client, target: { template: uri }, terminal }, complete, values);
    const result = await orLacking(client.read(address, progressOf(terminal)), 'resources').finally(() =>
      terminal.status?.(''),
    );
    if (json) return terminal.out(visibleJson(result));
    if (!Array.isArray(result.contents)) throw new TypeError('the answer has no list "contents"');
    if (out !== undefined) return writeFileSync(resolve(terminal.cwd, out), bytesOf(result));
    const texts = result.contents.map((resource) => formatBlock({ type: 'resource', resource }));
    await printTexts(texts, terminal);
  });
}

function listTheResources(flags: ReadFlags, terminal: Terminal): Promise<void> {
  const without = flags.out === undefined ? flags.complete && 'complete' : 'out';
  if (without !== undefined) throw usageError(`--${without} needs the address of a resource.`);
  return useRemote(flags, terminal, async (client) => {
    const listed = await listResources(client);
    if (flags.json) return terminal.out(visibleJson(listed));
    for (const line of formatResources(listed, terminal)) terminal.out(line);
  });
}

/** The variables of a template are arguments. An address has none. */
function variablesOf(uri: string): JsonSchema {
  try {
    const names = new UriTemplate(uri).variables;
    const each = { type: ['string', 'array'], items: { type: 'string' } };
    return {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, each])),
      additionalProperties: false,
    };
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

function expanded(uri: string, values: Readonly<Record<string, unknown>>): string {
  const template = new UriTemplate(uri);
  const [name] = template.variables;
  if (name === undefined) return uri;
  if (Object.keys(values).length > 0) return template.expand(values);
  throw usageError(
    `${uri} is a template of addresses. Write the values of its variables: --${name} <value>.`,
  );
}

/** Prints what a server suggests for an argument, after what is written of it. */
async function suggest(
  { client, target, terminal }: { client: McpClient; target: CompletionTarget; terminal: Terminal },
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { [name]: value = '', ...known } = args as Record<string, string>;
  const { values } = await orLacking(client.complete(target, { name, value }, known), 'suggestions');
  for (const each of values) terminal.out(each);
}

/** Servers do not have the methods of what they do not offer. They are asked first: some offer more than they say. */
async function orLacking<T>(answer: Promise<T>, what: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== METHOD_NOT_FOUND) throw error;
    throw new CommandError(`The server has no ${what}.`);
  }
}

/** Servers may have one of both. */
export async function listResources(client: McpClient) {
  if (client.server.capabilities['resources'] === undefined) return { resources: [], templates: [] };
  const templates = await client.resourceTemplates().catch(() => []);
  return { resources: await client.resources(), templates };
}

/** @throws {CommandError} for two contents: nobody could find the second one in the file */
function bytesOf({ contents }: ResourceResult): Buffer {
  const [content, ...more] = contents;
  if (content === undefined || more.length > 0)
    throw new CommandError(
      `The resource has ${contents.length} contents, and --out writes one into a file. --json prints all.`,
    );
  const { text, blob = '' } = content;
  return Buffer.from(text ?? blob, text === undefined ? 'base64' : 'utf8');
}

export interface RemotePrompt extends Pick<RemoteCall, 'words'> {
  flags: Omit<ReadFlags, 'out'>;
  /** Without it, the prompts are listed. */
  prompt: string | undefined;
}

/** Gets a prompt and prints its messages; or what the server suggests for an argument; or lists the prompts. */
export async function getRemotePrompt(
  { flags, prompt: name, words }: RemotePrompt,
  shown: Terminal,
): Promise<void> {
  const terminal = quietWhileAsked(shown);
  if (name === undefined)
    return useRemote(flags, terminal, async (client) => {
      const prompts = await listPrompts(client);
      if (flags.json) return terminal.out(visibleJson(prompts));
      for (const line of formatPrompts(prompts, terminal)) terminal.out(line);
    });
  const schemaOf = (client: McpClient) => schemaOfPrompt(client, name);
  const given = await flagsOf({ flags, words, schemaOf }, terminal);
  await useRemote({ ...given, client: answersOf(terminal) }, terminal, async (client) => {
    const schema = await schemaOf(client);
    const taken = takeOptions(words, given, schema, ['complete']);
    const { complete, input } = taken.flags;
    const args = parseArguments(taken.words, schema, {
      of: 'prompt',
      input,
      readText: readerIn(terminal),
    }) as Record<string, string>;
    if (complete !== undefined)
      return suggest({ client, target: { prompt: name }, terminal }, complete, args);
    const result = await client.get(name, args, progressOf(terminal)).finally(() => terminal.status?.(''));
    if (taken.flags.json) return terminal.out(visibleJson(result));
    if (!Array.isArray(result.messages)) throw new TypeError('the answer has no list "messages"');
    const { bold } = styleFor(terminal);
    const isAlone = terminal.columns === undefined && result.messages.length === 1;
    const texts = result.messages.flatMap(({ role, content }) => [
      ...(isAlone ? [] : [bold(`${role}:`)]),
      formatBlock(content),
    ]);
    await printTexts(texts, terminal);
  });
}

export async function listPrompts(client: McpClient): Promise<Listed[]> {
  return client.server.capabilities['prompts'] === undefined ? [] : client.prompts();
}

/** The arguments of a prompt are texts. */
async function schemaOfPrompt(client: McpClient, name: string): Promise<JsonSchema> {
  const listed = await listPrompts(client);
  const prompt = listed.find((each) => each.name === name);
  if (!prompt) throw unknown('prompt', name, listed);
  return promptSchema(prompt);
}

interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

function promptSchema({ name, arguments: args = [] }: Listed): JsonSchema {
  if (!Array.isArray(args)) throw new CommandError(`The prompt ${name} has arguments that are no list.`);
  const properties = (args as PromptArgument[]).map((each) => [each.name, { type: 'string' }] as const);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}
