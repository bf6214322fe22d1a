import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import * as tw from '@toolwright/core';
import { McpService, McpTool, RequireScopes, Sensitive } from '@toolwright/core';

const Tool = McpTool;
const Named = tw.McpTool;
const Mark = Sensitive;
const Secret = (): MethodDecorator => (target, key, descriptor) => McpTool({ name: 'renamed', description: 'Said here.' })(target, key, descriptor!);
function AdminTool(name: string): MethodDecorator {
  return (target, key, descriptor) => { McpTool({ name })(target, key, descriptor); RequireScopes('admin')(target, key, descriptor!); };
}
function Logged(): MethodDecorator { return () => {}; }

@McpService() export class Tools {
  @Tool() aliased(x: string, @Mark() pin: string): string { return x; }
  @Named({ name: 'of_namespace' }) named(x: string): string { return x; }
  @Secret() composed(/** @maxLength 3 */ x: string): string { return x; }
  @AdminTool('admin') guarded(x: string): string { return x; }
  @Logged() @McpTool() usual(x: string): string { return x; }
  @Logged() none(x: string): string { return x; }
}`;

const tools = bootForFile(TOOLS);

test('a tool is found behind a constant and inside a decorator of the author', async () => {
  const { manifest, schemas } = tools.booted;
  expect(manifest.entries.map(({ method }) => method).sort()).toEqual([
    ...['aliased', 'composed', 'guarded', 'named', 'usual'],
  ]);
  expect(schemas.get('renamed')!.properties).toEqual({ x: { type: 'string', maxLength: 3 } });
  expect(schemas.get('aliased')!.properties!['pin']).toMatchObject({ writeOnly: true });
  for (const name of ['of_namespace', 'renamed', 'usual'])
    expect(await tools.call(name, { x: 'abc' })).toBe('abc');
  expect(await tools.call('renamed', { x: 'abcd' })).toBe('refused');
});

test('policies beside it hold', async () => {
  expect(tools.booted.schemas.has('admin')).toBe(false);
  expect(await tools.booted.wire.call('admin', { x: 'a' })).toMatchObject({
    result: { isError: true, content: [{ text: 'This needs the scope admin.' }] },
  });
});
