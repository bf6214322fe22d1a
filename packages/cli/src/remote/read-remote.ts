import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ResourceResult } from '@toolwright/core';
import type { Listed, McpClient } from '@toolwright/client';
import type { JsonSchema } from '@toolwright/json';
import { CommandError, type Terminal, styleFor, visibleJson } from '@toolwright/operate/terminal';
import { formatBlock } from '../output/format-result.js';
import { formatPrompts, formatResources } from '../output/format-parts.js';
import { quietWhileAsked } from '../terminal/quiet-while-asked.js';
import {
  answersOf,
  flagsOf,
  printTexts,
  progressOf,
  type RemoteCall,
  textBehind,
  unknown,
} from './call-remote-tool.js';
import { useRemote } from './open-remote.js';
import { parseArguments } from './parse-arguments.js';
import { type RemoteFlags, takeOptions } from './remote-options.js';

export interface RemoteRead {
  flags: RemoteFlags & {
    /** Where the bytes go, in place of standard output. */
    out?: string;
  };
  /** Without it, the resources are listed. */
  uri: string | undefined;
}

/** Reads a resource and prints it, or lists what there is to read. */
export async function readRemoteResource({ flags, uri }: RemoteRead, shown: Terminal): Promise<void> {
  const terminal = quietWhileAsked(shown);
  await useRemote({ ...flags, client: answersOf(terminal) }, terminal, async (client) => {
    if (uri === undefined) {
      const listed = await listResources(client);
      if (flags.json) return terminal.out(visibleJson(listed));
      return formatResources(listed, terminal).forEach((line) => terminal.out(line));
    }
    const result = await client.read(uri, progressOf(terminal)).finally(() => terminal.status?.(''));
    if (flags.json) return terminal.out(visibleJson(result));
    if (!Array.isArray(result.contents)) throw new TypeError('the answer has no list "contents"');
    if (flags.out !== undefined) return writeFileSync(resolve(terminal.cwd, flags.out), bytesOf(result));
    const texts = result.contents.map((resource) => formatBlock({ type: 'resource', resource }));
    await printTexts(texts, terminal);
  });
}

/** Servers may have one of both. */
export async function listResources(client: McpClient) {
  if (client.server.capabilities['resources'] === undefined) return { resources: [], templates: [] };
  const templates = await client.resourceTemplates().catch(() => []);
  return { resources: await client.resources(), templates };
}

function bytesOf({ contents }: ResourceResult): Buffer {
  const parts = contents.map(({ text, blob }) =>
    Buffer.from(text ?? blob ?? '', text === undefined ? 'base64' : 'utf8'),
  );
  return Buffer.concat(parts);
}

export interface RemotePrompt extends Pick<RemoteCall, 'words'> {
  flags: RemoteFlags & {
    /** The argument whose values the server suggests. */
    complete?: string;
  };
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
    const taken = takeOptions(words, given, schema);
    const args = parseArguments(taken.words, schema, (word) => textBehind(word, terminal.cwd)) as Record<
      string,
      string
    >;
    if (flags.complete !== undefined) {
      const { [flags.complete]: value = '', ...known } = args;
      const { values } = await client.complete({ prompt: name }, { name: flags.complete, value }, known);
      return values.forEach((each) => terminal.out(each));
    }
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
  return { type: 'object', properties: Object.fromEntries(properties) };
}
