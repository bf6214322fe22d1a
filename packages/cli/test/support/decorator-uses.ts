/** A method with a decorator, in a class of its own. `NAME` stands for its name. */
export interface DecoratorUse {
  /** The decorators and the method. */
  readonly method: string;
  /** What stands before the class, and in front of the method. */
  readonly onClass?: string;
  readonly members?: string;
  /** What is said of what only an app can have, each in a line. */
  readonly needs?: readonly string[];
}

const doc = '/** Find what is asked for. Returns a text. */';
const body = "(): string { return ''; }";

/** A tool with a decorator. */
const tool = (decorators: string, signature = body): DecoratorUse => ({
  method: `${doc}\n  @McpTool({ annotations: { readOnlyHint: true } }) ${decorators}\n  NAME${signature}`,
});
const toolWith = (options: string): DecoratorUse => ({
  method: `${doc}\n  @McpTool({ annotations: { readOnlyHint: true }, ${options} })\n  NAME${body}`,
});
const other = (decorators: string, signature = body): DecoratorUse => ({
  method: `${doc}\n  ${decorators}\n  NAME${signature}`,
});
const onClass = (decorator: string, use = tool('')): DecoratorUse => ({ ...use, onClass: decorator });

const text = (parameter: string) => `(${parameter}): string { return String(theme); }`;
const described = `title: 'A title', description: 'Find it. Returns a text.', icons: [], meta: { a: 1 }`;
const readable = `${described}, annotations: { priority: 1 }, cache: { ttl: '1m', scope: 'public' }, name: 'NAME'`;
const settings = `csp: { connectDomains: ['https://example.com'] }, domain: 'https://notes.example.com', permissions: { camera: {} }, prefersBorder: true`;
const approvals = ['"NAME" has @Confirm with by: \'page\''];

/** Every decorator with each of its options. A test compares the names and the options with what packages export. */
export const decoratorUses: Readonly<Record<string, readonly DecoratorUse[]>> = {
  Arg: [tool('', text('@Arg() theme: string')), tool("@Arg('theme')", text('theme: string'))],
  Audit: [
    tool("@Audit({ include: ['theme'], mode: 'buffered' })", text('theme: string')),
    tool("@Audit({ mode: 'strict' })"),
    tool('@Audit(false)'),
  ],
  Cache: [tool("@Cache({ ttl: '1m', entries: 10 })")],
  CallsApi: [tool("@CallsApi('GET /pages', 'Pages')")],
  CompletionProvider: [
    other('@McpPrompt()', text("@CompletionProvider({ values: ['a'] }) theme: string")),
    other('@McpPrompt()', text('@CompletionProvider({ enum: Colour }) theme: string')),
    other('@McpPrompt()', text('@CompletionProvider({ provider: Themes }) theme: string')),
    other("@McpPrompt() @CompletionProvider({ argument: 'theme', provider: THEMES })", text('theme: string')),
  ],
  Concurrency: [
    tool("@Concurrency({ max: 2, per: 'tool', queue: 3, group: 'reports' })"),
    tool("@Concurrency({ max: 2, per: 'principal' })"),
    tool("@Concurrency({ max: 2, per: 'tenant' })"),
  ],
  Confirm: [
    tool('@Confirm()'),
    tool("@Confirm('Do it?', { by: 'client', fallback: 'refuse' })"),
    tool("@Confirm(({ theme }) => `Do ${theme}?`, { fallback: 'argument' })", text('theme: string')),
    tool("@Confirm('Do it?', { when: ({ theme }) => theme !== 'small' })", text('theme: string')),
    { ...tool("@Confirm('Do it?', { by: 'page' })"), needs: approvals },
    {
      ...tool("@Confirm('Do it?', { by: 'page', approver: { scope: 'boss', notCaller: true } })"),
      needs: approvals,
    },
    { ...other("@McpPrompt() @Confirm('Use it?', { by: 'page' })"), needs: approvals },
    { ...onClass("@McpService() @Confirm('Do it?', { by: 'page' })", other('@McpTool()')), needs: approvals },
    {
      ...other("@McpResource({ uri: 'notes://NAME' }) @Confirm('Read it?', { by: 'page' })"),
      needs: approvals,
    },
    {
      ...other(
        "@McpResourceTemplate({ uriTemplate: 'notes://NAME/{theme}' }) @Confirm('Read it?', { by: 'page' })",
        text('theme: string'),
      ),
      needs: approvals,
    },
  ],
  HiddenText: [tool("@HiddenText('drop')"), tool("@HiddenText('keep')"), tool("@HiddenText('escape')")],
  Inject: [
    tool('', text('@Inject(CLOCK) theme: object')),
    tool('', text('@Inject(CLOCK, { optional: true }) theme: object | undefined')),
    tool('@Inject({ theme: CLOCK })', text('theme: object')),
    { ...tool(''), members: 'constructor(@Inject(CLOCK) readonly clock: object, readonly store: Store) {}' },
    { ...tool('', text('theme: Store')), needs: ['Nothing provides Store: FindInject4.NAME'] },
  ],
  Injectable: [{ ...tool('', text('theme: Themes')) }, { ...tool('', text('theme: Session')) }],
  MaxOutput: [tool('@MaxOutput({ bytes: 2_000, link: true })'), tool('@MaxOutput({ tokens: 500 })')],
  McpApp: [other(`@McpApp({ uri: 'ui://NAME/page', size: 10, ${readable}, ${settings} })`)],
  McpPrompt: [other(`@McpPrompt({ name: 'NAME', ${described} })`)],
  McpResource: [
    other(`@McpResource({ uri: 'notes://NAME', mimeType: 'text/plain', size: 10, ${readable} })`),
  ],
  McpResourceTemplate: [
    other(
      `@McpResourceTemplate({ uriTemplate: 'notes://NAME/{theme}', mimeType: 'text/plain', ${readable} })`,
      text('theme: string'),
    ),
  ],
  McpService: [
    onClass("@McpService({ id: 'service', scope: 'session' })"),
    onClass("@McpService({ scope: 'request' })"),
    onClass("@McpService({ category: 'notes', origin: 'Notes', group: 'notes' })"),
  ],
  McpSkill: [
    other(
      "@McpResource({ uri: 'skill://NAME/SKILL.md' }) @McpSkill({ description: 'Do it.', license: 'MIT', compatibility: 'any', metadata: { a: 1 } })",
    ),
  ],
  McpTool: [
    toolWith(`name: 'NAME', ${described}, maxSchemaBytes: 9_000, outputSchema: { type: 'string' }`),
    toolWith('inputSchema: z.object({})'),
    toolWith("version: '1', deprecated: 'use another one', replacedBy: 'another_one', since: '2'"),
    toolWith("task: 'optional'"),
    toolWith("task: { mode: 'required', start: 'explicit', rerun: true, retries: 2, backoff: '1s' }"),
    toolWith("ui: 'ui://elsewhere/page'"),
    toolWith("ui: { resourceUri: 'ui://elsewhere/page', visibility: ['app', 'model'], sensitive: [] }"),
    toolWith(`ui: { view: './page.view.js', ${settings} }`),
    toolWith("searchTerms: ['note'], category: 'notes', origin: 'Notes', group: 'notes'"),
  ],
  RateLimit: [
    tool("@RateLimit({ points: 5, per: '1m', cost: 2, acrossTools: true })"),
    tool("@RateLimit({ points: () => 5, per: '1m', key: () => 'all' })"),
    tool('@RateLimit(false)'),
  ],
  RequireScopes: [
    tool("@RequireScopes('read', 'write', { whenMissing: 'list' })"),
    onClass(
      "@McpService() @RequireScopes('all')",
      tool("@RequireScopes('more', { whenMissing: 'hide', withClass: true })"),
    ),
  ],
  Scheduled: [
    tool("@Scheduled('0 3 * * *', { name: 'NAME', timeZone: 'Europe/Vienna', catchUp: '1h' })"),
    tool("@Scheduled('0 3 * * *', { rerun: true, retries: 2, backoff: '1s' })"),
  ],
  Schema: [
    tool('', text('@Schema({ minLength: 2 }) theme: string')),
    tool('@Schema({ type: "object", properties: {} }, { exact: true })'),
    tool('', text('@Schema(z.string()) theme: string')),
  ],
  Sensitive: [
    tool('', text('@Sensitive() theme: string')),
    tool("@Sensitive('theme')", text('theme: string')),
  ],
  Timeout: [tool("@Timeout('1m')"), tool('@Timeout(false)')],
  UndeclaredOutput: [
    tool("@UndeclaredOutput('refuse')"),
    tool("@UndeclaredOutput('keep')"),
    tool("@UndeclaredOutput('drop')"),
  ],
  UseMiddleware: [tool('@UseMiddleware((_, next) => next())')],
};

/** A package that nobody here has written: it needs options of the server, and adds an option to tools. */
export const madeUpUses: readonly DecoratorUse[] = [
  {
    method: `${doc}\n  @McpTool({ annotations: { readOnlyHint: true }, quota: 5 }) @Quota({ most: 5 })\n  NAME${body}`,
    needs: [
      'Only the app has the options of quotas',
      'Only the app has a package that adds the option "quota"',
    ],
  },
];

export const madeUpPackage = `import { definePolicy } from '@toolwright/core';
import type { Extension } from '@toolwright/core/extend';

declare module '@toolwright/core/extend' {
  interface ExtraToolOptions {
    quota?: number;
  }
}

const quotas: Extension<never> = {
  name: 'quotas',
  toolOptions: { quota: { expected: 'a number', accepts: () => true } },
  start() {
    throw new Error('Call quotas(server, { url }).');
  },
};

export const Quota = definePolicy<{ most: number }>('quota', { extension: quotas });
`;

/** The module before the classes. */
export const head = `import { ${Object.keys(decoratorUses)
  .filter((name) => !['CallsApi', 'McpSkill', 'Scheduled'].includes(name))
  .join(', ')}, Token } from '@toolwright/core';
import { CallsApi } from '@toolwright/openapi';
import { Scheduled } from '@toolwright/schedules';
import type {} from '@toolwright/search';
import { McpSkill } from '@toolwright/skills';
import { z } from 'zod';
import { Quota } from './quotas.js';

const CLOCK = new Token<object>('clock');
const THEMES = new Token<Themes>('themes');
enum Colour { red = 'red' }
export class Store {
  load(): string { return ''; }
}
@Injectable({ id: 'themes', scope: 'request' })
export class Themes {
  complete(): string[] { return []; }
}
@Injectable({ scope: 'session' })
export class Session {
  name(): string { return ''; }
}
`;
