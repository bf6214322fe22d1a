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
