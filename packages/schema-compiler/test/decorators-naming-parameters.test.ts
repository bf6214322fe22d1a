import { buildManifest } from '../src/index.js';
import { TemporaryProject } from './temporary-project.js';

/** Standard decorators cannot stand before parameters. Each method says the same in both ways. */
const SOURCE = `
  import { Arg, Inject, McpTool, Sensitive, Token } from '@toolwright/core';

  interface Clock { now(): Date }
  const CLOCK = new Token<Clock>('clock');
  const NAMES = { clock: CLOCK };
  interface Page { title: string }

  export class Before {
    @McpTool() create(@Arg() page: Page): void {}
    @McpTool() login(user: string, @Sensitive() password: string): void {}
    @McpTool() ask(text: string, @Inject(CLOCK) clock: Clock): void {}
  }
  export class Named {
    @McpTool() @Arg('page') create(page: Page): void {}
    @McpTool() @Sensitive('password') login(user: string, password: string): void {}
    @McpTool() @Inject(NAMES) ask(text: string, clock: Clock): void {}
  }
  export class Derived extends Named {
    override ask(text: string, clock: Clock): void {}
  }`;

test('a decorator on the method that names a parameter says the same as one before the parameter', async () => {
  const project = new TemporaryProject({ 'src/a.ts': SOURCE });
  const { manifest, diagnostics } = await buildManifest({ project: project.project, cache: false });
  project.remove();
  const heard = (name: string) =>
    manifest.entries
      .filter((entry) => entry.class === `src/a.ts#${name}`)
      .map(({ method, parameters, input, flatten }) => ({
        method,
        parameters,
        flatten,
        input: manifest.schemas[input],
      }));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(heard('Named')).toEqual(heard('Before'));
  expect(heard('Derived').find(({ method }) => method === 'ask')).toEqual(
    heard('Before').find(({ method }) => method === 'ask'),
  );
  expect(heard('Named')[0]!.flatten).toBe(false);
  expect(heard('Named')[1]!.input).toMatchObject({ properties: { password: { writeOnly: true } } });
  expect(heard('Named')[2]!.parameters[1]).toMatchObject({ kind: 'inject', inject: 'provider' });
});

test('a name that no parameter has is an error: nobody would be held to the mark or the rule', async () => {
  const source = `
    import { Arg, McpTool, Schema, Sensitive } from '@toolwright/core';
    interface Page { title: string }
    export class Misspelt {
      @McpTool() @Sensitive('pasword') login(user: string, password: string): void {}
      @McpTool() @Arg('pge') create(page: Page): void {}
      @McpTool() @Schema({ properties: { idd: { maxLength: 3 } } }) close(id: string): void {}
      @McpTool() @Schema({ properties: { page: { properties: { titel: {} } } } }) rename(id: string, page: Page): void {}
    }
    export class Base {
      @McpTool() @Sensitive('secret') keep(secret: string): void {}
    }
    export class Renamed extends Base {
      override keep(phrase: string): void {}
    }`;
  const project = new TemporaryProject({ 'src/a.ts': source });
  const { diagnostics } = await buildManifest({ project: project.project, cache: false });
  project.remove();
  const heard = diagnostics
    .filter(({ code }) => code !== 'TW_SCHEMA_DUPLICATE_NAME')
    .map(({ code, severity, message }) => `${severity} ${code} ${message}`);
  expect(heard).toEqual([
    expect.stringMatching(
      /^error TW_SCHEMA_LOST_RULE @Sensitive\('pasword'\) names no parameter .* Did you mean 'password'\?/,
    ),
    expect.stringMatching(
      /^error TW_SCHEMA_LOST_RULE @Arg\('pge'\) names no parameter .* Did you mean 'page'\?/,
    ),
    expect.stringMatching(
      /^error TW_SCHEMA_LOST_RULE @Schema of the method, idd: The method has no such argument\./,
    ),
    expect.stringMatching(
      /^warning TW_SCHEMA_CONFLICT @Schema of the method, page\.titel: The type has no such property\./,
    ),
    expect.stringMatching(
      /^error TW_SCHEMA_LOST_RULE @Sensitive\('secret'\) names no parameter .* It has phrase\./,
    ),
  ]);
});
