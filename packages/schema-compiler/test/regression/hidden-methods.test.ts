import { buildManifest } from '../../src/index.js';
import { TemporaryProject } from '../temporary-project.js';

/** What the build says of a file, with the line of each error, and the methods that became operations. */
async function build(source: string) {
  const imports =
    "import { CompletionProvider, McpApp, McpPrompt, McpResource, McpResourceTemplate, McpTool } from '@toolwright/core';\n";
  const project = new TemporaryProject({ 'src/a.ts': imports + source });
  const { manifest, diagnostics } = await buildManifest({ project: project.project, cache: false });
  project.remove();
  return {
    errors: diagnostics.map(({ code, line, message }) => `${line} ${code} ${message}`),
    keys: manifest.entries.map(({ key }) => key),
  };
}

const OPERATIONS = [
  '@McpTool()',
  "@McpResource({ uri: 'notes://all' })",
  "@McpResourceTemplate({ uriTemplate: 'notes://{a}' })",
  '@McpPrompt()',
  "@McpPrompt() @CompletionProvider({ argument: 'a', values: [] })",
  "@McpApp({ uri: 'ui://a' })",
];

test.each(
  ['private', 'protected', 'private static', 'protected async'].flatMap((modifiers) =>
    OPERATIONS.map((decorator) => [modifiers, decorator]),
  ),
)('a %s method with %s is no operation, and the build says so', async (modifiers, decorator) => {
  const { errors } = await build(
    `export class Notes {\n  ${decorator}\n  ${modifiers} doIt(a: string): never { throw a; }\n}`,
  );
  const [hidden] = modifiers!.split(' ');
  expect(errors).toEqual([
    expect.stringMatching(
      RegExp(`^3 TW_SCHEMA_PLACE .*doIt is ${hidden}, and every client may call an operation\\.`),
    ),
  ]);
});

test.each([
  ['of the class itself', '', 'private invoke(): void {}'],
  ['of its base class', 'extends Base', ''],
])('a decorator of a class does not offer a hidden method %s', async (_, heritage, member) => {
  const { errors } = await build(
    `class Base { protected invoke(): void {} }\n@McpTool()\nexport class Find ${heritage} { ${member} }`,
  );
  expect(errors).toEqual([expect.stringMatching(/^3 TW_SCHEMA_PLACE .*invoke is (private|protected)/)]);
});

test('a hidden method of a base class is told once, where its decorator is', async () => {
  const { errors } = await build(`abstract class Base {
  @McpTool() private read(): void {}
}
export class One extends Base {}
export class Two extends Base {}`);
  expect(errors).toEqual([expect.stringMatching(/^3 TW_SCHEMA_PLACE .*read is private/)]);
});

test('a hidden method of a mixin is told, too', async () => {
  const { errors } = await build(`class Plain {}
function withRead<B extends new (...args: any[]) => object>(Base: B) {
  return class extends Base {
    @McpTool() protected read(): void {}
  };
}
export class One extends withRead(Plain) {}`);
  expect(errors).toEqual([expect.stringMatching(/^5 TW_SCHEMA_PLACE .*read is protected/)]);
});

test('static methods, public ones that override hidden ones, and hidden ones without a decorator are fine', async () => {
  const { errors, keys } = await build(`class Base { protected read(): void {} }
export class One extends Base {
  @McpTool() public override read(): void { this.help(); }
  @McpTool() static about(): void {}
  private help(): void {}
}`);
  expect(errors.filter((each) => each.includes('TW_SCHEMA_PLACE'))).toEqual([]);
  expect(keys.sort()).toEqual(['src/a.ts#One.read', 'src/a.ts#One::about']);
});
