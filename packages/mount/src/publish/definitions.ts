import { isObject, repeatedArguments, repeatedTexts } from '@toolwright/json';
import { type McpServer, Timeout, type ToolAnnotations, type ToolContext } from '@toolwright/core';
import { APP_MIME_TYPE, encodeHeaderValue, GROUP_META } from '@toolwright/core/transport';
import { completionValues, isReserved, promptResult, resourceResult, toolResult } from '../call/results.js';
import type { MountPolicy, MountSettings } from '../options.js';
import { valuesFor } from '../patterns.js';
import type { PublishedMount } from './published-mount.js';

type Definition = Readonly<Record<string, unknown>>;
type Audience = NonNullable<MountSettings['for']>;
type Added<K extends 'tools' | 'prompts' | 'resources' | 'resourceTemplates'> = Extract<
  Parameters<McpServer[K]['add']>[0],
  { name: string }
>;

/** Our name of something that a server behind has. */
export function ourName({ prefix = '', rename }: MountSettings, name: string): string {
  return rename && Object.hasOwn(rename, name) ? rename[name]! : prefix + name;
}

/** A tool of a server behind, as our server adds it. */
export function toolOf(mount: PublishedMount, settings: MountSettings, tool: Definition): Added<'tools'> {
  const name = tool['name'] as string;
  const { annotations, policies } = guardsFor(settings, name);
  const shown: ToolAnnotations = { ...only(tool['annotations'], HINTS), ...annotations };
  const isRepeatable = shown.readOnlyHint === true || shown.idempotentHint === true;
  const { outputSchema, inputSchema = { type: 'object' } } = tool;
  const hasOutput = isObject(outputSchema);
  const repeated = repeatedArguments(inputSchema);
  const { taskSupport } = only(tool['execution'], ['taskSupport']);
  // Before 2026-07-28, the client decides about a task. Ours can follow one if its request may become one.
  const asksForTask = ({ mountedRequest }: ToolContext) =>
    taskSupport === 'required' || (taskSupport === 'optional' && mountedRequest!.task !== undefined);
  const handler = async (args: Record<string, unknown>, context: ToolContext) => {
    const headers = Object.fromEntries(
      repeatedTexts(repeated, args).map(([header, text]) => [`Mcp-Param-${header}`, encodeHeaderValue(text)]),
    );
    const params = { name, arguments: args, ...(asksForTask(context) && { task: {} }) };
    const wanted = { method: 'tools/call', params, isRepeatable, ...(repeated.length > 0 && { headers }) };
    return toolResult(await mount.call(wanted, context), hasOutput);
  };
  const ui = uiOf(tool);
  return {
    ...common(mount, settings, tool),
    name: ourName(settings, name),
    inputSchema: inputSchema as never,
    ...(hasOutput && { outputSchema }),
    annotations: shown,
    ...placeOf(mount, tool),
    exactSchema: 'arguments',
    ...(ui && { ui: ui as never }),
    ...(mount.makesTasks && { task: { mode: 'optional', start: 'explicit' } }),
    policies: [
      ...(settings.timeout === undefined ? [] : [Timeout.entry(settings.timeout)]),
      ...(policies as never[]),
    ],
    handler,
  };
}

/**
 * Where the tool came from: a search shows it, and a query may name it. A server without a search ignores it. The group that
 * the server behind gives its tool is its category here.
 */
function placeOf(
  { name: origin }: PublishedMount,
  { _meta: meta }: Definition,
): { origin: string; category?: string } {
  const group = isObject(meta) ? meta[GROUP_META] : undefined;
  // It is text of a stranger that a model reads, so it has a few plain words.
  const isPlain = typeof group === 'string' && /^[\p{L}\p{N}][\p{L}\p{N} ._/-]{0,63}$/u.test(group);
  return { origin, ...(isPlain && { category: group }) };
}

export function promptOf(
  mount: PublishedMount,
  settings: MountSettings,
  prompt: Definition,
): Added<'prompts'> {
  const name = prompt['name'] as string;
  const args = Array.isArray(prompt['arguments'])
    ? (prompt['arguments'] as Definition[]).filter(isObject)
    : [];
  const names = args.map((each) => each['name']).filter((each) => typeof each === 'string');
  const ref = { type: 'ref/prompt', name };
  return {
    ...common(mount, settings, prompt),
    name: ourName(settings, name),
    arguments: args.map(
      (each) => only(each, ['name', 'title', 'description', 'required']) as unknown as { name: string },
    ),
    ...(mount.completes && { complete: completions(mount, ref, names) }),
    policies: guardsFor(settings, name).policies as never,
    handler: async (values, context) =>
      promptResult(
        await mount.call(
          { method: 'prompts/get', params: { name, arguments: values }, isRepeatable: true },
          context,
        ),
      ),
  };
}

export function resourceOf(
  mount: PublishedMount,
  settings: MountSettings,
  resource: Definition,
): Added<'resources'> {
  const uri = resource['uri'] as string;
  const { size, mimeType } = resource;
  const ui =
    mimeType === APP_MIME_TYPE ? ((resource['_meta'] as Definition | undefined)?.['ui'] ?? {}) : undefined;
  return {
    ...readable(mount, settings, resource),
    uri,
    ...(typeof size === 'number' && Number.isInteger(size) && size >= 0 && { size }),
    ...(ui !== undefined && { ui: only(ui, ['csp', 'permissions', 'domain', 'prefersBorder']) }),
  };
}

export function templateOf(
  mount: PublishedMount,
  settings: MountSettings,
  template: Definition,
): Added<'resourceTemplates'> {
  const uriTemplate = template['uriTemplate'] as string;
  const variables = [...uriTemplate.matchAll(/\{([^{}]*)\}/g)].flatMap(([, list]) =>
    list!
      .replace(/^[+#./;?&]/, '')
      .split(',')
      .map((each) => each.split(/[*:]/, 1)[0]!),
  );
  const ref = { type: 'ref/resource', uri: uriTemplate };
  return {
    ...readable(mount, settings, template),
    uriTemplate,
    ...(mount.completes && { complete: completions(mount, ref, variables) }),
  };
}

/** The page that a tool shows its results in. Servers need not list it. */
export function appOf(tool: Definition): Definition | undefined {
  const uri = uiOf(tool)?.['resourceUri'];
  return typeof uri === 'string'
    ? { uri, name: uri.replace(/^ui:\/\//, ''), mimeType: APP_MIME_TYPE }
    : undefined;
}

const HINTS = ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

function readable(mount: PublishedMount, settings: MountSettings, each: Definition) {
  const { mimeType, annotations, name } = each;
  const address = (each['uri'] ?? each['uriTemplate']) as string;
  return {
    ...common(mount, settings, each),
    name: typeof name === 'string' && name !== '' ? name : address,
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(isObject(annotations) && {
      annotations: only(annotations, ['audience', 'priority', 'lastModified']),
    }),
    policies: guardsFor(settings, address).policies as never,
    handler: async (_variables: unknown, context: ToolContext) => {
      const uri = context.mountedRequest!.uri ?? address;
      return resourceResult(
        await mount.call({ method: 'resources/read', params: { uri }, isRepeatable: true }, context),
      );
    },
  };
}

function completions(mount: PublishedMount, ref: Definition, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (value: string, known: Readonly<Record<string, string>>, _request: unknown, call?: unknown) => {
        const { context } = call as { context: ToolContext };
        const params = {
          ref,
          argument: { name, value },
          ...(Object.keys(known).length > 0 && { context: { arguments: known } }),
        };
        return completionValues(
          await mount.call({ method: 'completion/complete', params, isRepeatable: true }, context),
        );
      },
    ]),
  );
}

function common({ forms }: PublishedMount, { describe, for: isFor }: MountSettings, each: Definition) {
  const { title, description, icons } = each;
  const name = (each['name'] ?? each['uri']) as string;
  const said = valuesFor(describe, name).at(-1) ?? description;
  const meta = metaOf(each);
  const form = forms?.formOf(each);
  const audience = form && isFor ? both(isFor, form.audience) : (form?.audience ?? isFor);
  return {
    ...(audience && { for: audience }),
    ...(typeof title === 'string' && { title }),
    ...(typeof said === 'string' && said !== '' && { description: said }),
    ...(Array.isArray(icons) && { icons: icons.filter(isIcon) as never }),
    ...(meta && { meta }),
  };
}

/** An application may throw. Who sees nothing is asked nothing more. */
function both(one: Audience, other: Audience): Audience {
  return (principal) => one(principal) === true && other(principal);
}

/** A page of ours that loads a picture tells its server who looks at it, so only ordinary ones are passed on. */
function isIcon(icon: unknown): boolean {
  return isObject(icon) && typeof icon['src'] === 'string' && /^(?:https:|data:image\/)/.test(icon['src']);
}

function metaOf({ _meta }: Definition): Record<string, unknown> | undefined {
  if (!isObject(_meta)) return undefined;
  const kept = Object.entries(_meta).filter(
    ([key]) => !isReserved(key) && key !== 'ui' && key !== 'ui/resourceUri',
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function uiOf({ _meta }: Definition): Definition | undefined {
  if (!isObject(_meta)) return undefined;
  const { ui, 'ui/resourceUri': former } = _meta;
  if (isObject(ui)) return only(ui, ['resourceUri', 'visibility']);
  return typeof former === 'string' ? { resourceUri: former } : undefined;
}

function guardsFor({ policies }: MountSettings, name: string): Required<MountPolicy> {
  const all = valuesFor(policies, name).map((value) =>
    Symbol.iterator in value ? { policies: value } : (value as MountPolicy),
  );
  return {
    annotations: Object.assign({}, ...all.map(({ annotations }) => annotations)) as ToolAnnotations,
    policies: all.flatMap((each) => [...(each.policies ?? [])]),
  };
}

function only(value: unknown, names: readonly string[]): Record<string, unknown> {
  if (!isObject(value)) return {};
  return Object.fromEntries(names.flatMap((name) => (value[name] == null ? [] : [[name, value[name]]])));
}
