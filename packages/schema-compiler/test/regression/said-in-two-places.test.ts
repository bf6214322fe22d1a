import { useEntries } from '../use-entries.js';

const entries = useEntries({
  'src/tools.ts': `
import { McpService, McpTool } from '@toolwright/core';
interface Login {
  /** Own words. @minLength 5 @pattern ^a */
  pin: string;
}
interface Twice {
  /** @minimum 5 @minimum 1 @maximum 7 @maximum 90 @multipleOf 2 @multipleOf 3 */
  n: number;
}
@McpService()
export class Tools {
  /**
   * Its limit in the text is wider.
   * @param pin the pin @minLength 2
   */
  @McpTool() wider(/** Own words. @minLength 4 */ pin: string, x = 1): void {}
  /**
   * Its limit in the text is narrower.
   * @param pin the pin @minLength 4
   */
  @McpTool() narrower(/** Own words. @minLength 2 */ pin: string, x = 1): void {}
  /**
   * The property has limits of its own.
   * @param login.pin the pin @minLength 2 @maxLength 9 @pattern b$
   */
  @McpTool() nested(login: Login, x = 1): void {}
  /** Says a limit twice. */
  @McpTool() twice(twice: Twice): void {}
  /**
   * With types, as JSDoc has them.
   * @param {object} login - the login
   * @param {string} login.pin the pin @minLength 4
   * @param {object} login.more - the more
   * @param {string} [login.more.code=5] the code @sensitive
   * @param {string} z - the z
   */
  @McpTool() typed(login: { pin: string; more?: { code?: string } }, z: string): void {}
  /**
   * A list, and a choice.
   * @param {object[]} logins - the logins
   * @param {string} logins[].pin the pin @minLength 4
   * @param choice.pin the other pin @minLength 3
   */
  @McpTool() listed(logins: { pin: string }[], choice: { pin: string } | null): void {}
}`,
});

function read(name: string) {
  const { input, diagnostics } = entries.get(name)!;
  expect(diagnostics).toEqual([]);
  return input.properties as Record<string, { description?: string; properties?: object; items?: object }>;
}

test.each(['wider', 'narrower'])('of a limit in @param and one at the parameter, both hold: %s', (name) => {
  expect(read(name).pin).toEqual({ type: 'string', description: 'the pin\nOwn words.', minLength: 4 });
});

test('a @param of a property widens no limit of it, and both texts are published', () => {
  expect(read('nested').login!.properties).toEqual({
    pin: {
      type: 'string',
      description: 'the pin\nOwn words.',
      minLength: 5,
      maxLength: 9,
      pattern: 'b$',
      allOf: [{ pattern: '^a' }],
    },
  });
});

test('a limit that is said twice holds in both forms', () => {
  const n = { type: 'number', minimum: 5, maximum: 7, multipleOf: 3, allOf: [{ multipleOf: 2 }] };
  expect(read('twice').n).toEqual(n);
});

test('a @param with a type may have further ones below it', () => {
  const { login, z } = read('typed');
  expect(login!.description).toBe('the login');
  const code = { type: 'string', description: 'the code', writeOnly: true };
  expect(login!.properties).toMatchObject({
    pin: { type: 'string', description: 'the pin', minLength: 4 },
    more: { description: 'the more', properties: { code } },
  });
  expect(z!.description).toBe('the z');
});

test('a @param may describe a property of the items of a list, and of a choice', () => {
  const { logins, choice } = read('listed');
  const pin = { type: 'string', description: 'the pin', minLength: 4 };
  expect(logins).toMatchObject({ description: 'the logins', items: { properties: { pin } } });
  const other = { type: 'string', description: 'the other pin', minLength: 3 };
  expect(choice).toMatchObject({ anyOf: [{ properties: { pin: other } }, { type: 'null' }] });
});
