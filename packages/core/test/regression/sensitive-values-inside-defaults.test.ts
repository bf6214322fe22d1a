import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import { McpService, McpTool, Schema, Sensitive } from '@toolwright/core';
import { MinLength } from 'class-validator';

interface Login { /** @sensitive */ pin: string; user: string }
interface Tree { login: Login; children: Tree[]; /** @default {"login":{"pin":"hunter2","user":"u"},"children":[]} */ next?: Tree }
function Pin(): PropertyDecorator {
  const check = MinLength(2);
  return (target, key) => { Sensitive()(target, key); check(target, key as string); };
}
export class Card { @Pin() pin!: string }
export class Holder { card?: Card = { pin: 'hunter2' } }
type Either = { kind: 'a'; /** @sensitive */ pin: string } | { kind: 'b'; name: string };

@McpService() export class Tools {
  @McpTool() own(x: number, login: Login = { pin: 'hunter2', user: 'u' }): string { return login.pin; }
  @McpTool() tagged(x: number, /** @default {"pin":"hunter2","user":"u"} */ a?: Login, /** @examples [{"pin":"hunter2","user":"u"}, {"user":"shown"}] */ b?: Login): string { return 'x'; }
  @McpTool() list(x: number, logins: Login[] = [{ pin: 'hunter2', user: 'u' }]): string { return 'x'; }
  @McpTool() record(x: number, logins: Record<string, Login> = { a: { pin: 'hunter2', user: 'u' } }): string { return 'x'; }
  @McpTool() pair(x: number, logins: [number, Login] = [1, { pin: 'hunter2', user: 'u' }]): string { return 'x'; }
  @McpTool() either(x: number, login: Either = { kind: 'a', pin: 'hunter2' }): string { return 'x'; }
  @McpTool() whole(login: Login = { pin: 'hunter2', user: 'u' }): string { return login.pin; }
  @McpTool() @Schema({ examples: [{ x: 1, pin: 'hunter2' }], default: { pin: 'hunter2' } }) method(x: number, /** @sensitive */ pin?: string): string { return 'x'; }
  @McpTool() lone(x: number, /** @sensitive @default hunter2 */ pin?: string, /** @sensitive */ own = 'hunter2'): string { return 'x'; }
  @McpTool() nested(x: number, login: { /** @sensitive @default hunter2 */ pin?: string }): string { return login.pin ?? 'none'; }
  @McpTool() tree(tree: Tree, x: number): string { return 'x'; }
  @McpTool() composed(holder: Holder, x: number): string { return 'x'; }
  @McpTool() harmless(x: number, login: Omit<Login, 'pin'> = { user: 'shown' }, either: Either | 'auto' = 'auto'): string { return 'x'; }
}`;

const tools = bootForFile(TOOLS);

test.each([
  'own',
  'tagged',
  'list',
  'record',
  'pair',
  'either',
  'whole',
  'method',
  'lone',
  'nested',
  'tree',
  'composed',
])('clients of %s see no sensitive value inside a default or an example', (name) => {
  const shown = JSON.stringify(tools.booted.schemas.get(name));
  expect(shown).toContain('"writeOnly":true');
  expect(shown).not.toContain('hunter2');
});

test('defaults and examples without a sensitive value stay', () => {
  const { schemas } = tools.booted;
  expect(schemas.get('harmless')!.properties).toMatchObject({
    login: { default: { user: 'shown' } },
    either: { default: 'auto' },
  });
  expect(schemas.get('tagged')!.properties!['b']!.examples).toEqual([{ user: 'shown' }]);
});

test('the build warns of a default that no call would get', () => {
  const { diagnostics } = tools.booted;
  const warned = diagnostics.filter(({ code }) => code === 'TW_SCHEMA_DEFAULT');
  expect(
    warned.map(({ message }) => /The default of (\w+) contains a sensitive value/.exec(message)?.[1]),
  ).toEqual(['a', 'pin']);
});

test('the method applies a default that clients do not see', async () => {
  expect(await tools.call('own', { x: 1 })).toBe('hunter2');
  expect(await tools.call('whole')).toBe('hunter2');
  expect(await tools.call('nested', { x: 1, login: {} })).toBe('hunter2');
});
