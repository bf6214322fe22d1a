import { inspectProject } from '../../src/index.js';
import { TemporaryProject } from '../temporary-project.js';

let project: TemporaryProject;
afterEach(() => project.remove());

test.each([
  ['before the parameter', '', '/** @sensitive */ token: string'],
  ['behind its decorator', '', "@Schema({ title: 'Token' }) /** @sensitive */ token: string"],
  [
    'between its decorators',
    '',
    "@Schema({ title: 'T' }) /** @sensitive */ @Schema({ maxLength: 9 }) token: string",
  ],
  ['on the line behind its decorator', '', "@Schema({ title: 'Token' })\n/** @sensitive */\ntoken: string"],
  ['in the text of @param', '@param token to sign in with @sensitive', 'token: string'],
  ['as the text of @param', '@param token @sensitive', 'token: string'],
])('@sensitive %s counts', async (_place, docs, parameter) => {
  project = new TemporaryProject({
    'src/tools.ts': `
import { McpService, McpTool, Schema } from '@toolwright/core';
@McpService()
export class Tools {
  /**
   * Signs in.
   * ${docs}
   */
  @McpTool()
  signIn(${parameter}): void {}
}
`,
  });
  const [entry] = await inspectProject({ project: project.project, cache: false });
  const { token } = entry!.input!.properties!;
  expect(token).toMatchObject({ type: 'string', writeOnly: true });
  expect(token!.description ?? '').not.toContain('sensitive');
  expect(entry!.diagnostics).toEqual([]);
});

test('a doc comment after the decorator of a property is read', async () => {
  project = new TemporaryProject({
    'src/tools.ts': `
import { McpService, McpTool, Sensitive } from '@toolwright/core';
import { IsString } from 'class-validator';
class Login {
  @IsString() /** Who signs in. @minLength 2 */ name!: string;
  @IsString()
  /** @sensitive */
  password!: string;
}
@McpService()
export class Tools {
  /** Signs in. */
  @McpTool()
  signIn(login: Login): void {}
}
`,
  });
  const [entry] = await inspectProject({ project: project.project, cache: false });
  const properties = entry!.input!.properties!;
  expect(properties['name']).toMatchObject({ description: 'Who signs in.', minLength: 2 });
  expect(properties['password']).toMatchObject({ writeOnly: true });
});
