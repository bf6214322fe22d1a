import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(__dirname, '../../packages');

/** These mean the same in each package that has them: where they are declared again, one is the wire form of the other. */
const shared = new Set([
  'Contract',
  'ContractChange',
  'DeclaredOperation',
  'Extension',
  'ExtensionHost',
  'KeywordOrigin',
  // Packages that must not import each other declare what they exchange.
  // What the compiler reads in place of the package itself.
  'ExchangeRule',
  'FetchDocument',
  'GrantsOptions',
  'GrantsSetting',
  'TokenClaims',
  'TokenExchange',
  'TokenIntrospection',
  'TokenForOptions',
  'TokenPrincipal',
  'Json',
  'JsonSchema',
  'UsageKey',
  'OperationKind',
  'ToolContext',
  'Structured',
  'SampleResult',
  'ElicitResult',
]);
const standIn = 'schema-compiler/src/program/core-stand-in.ts';

/** The types that the files of a package export, with the files. */
function exportedTypes(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of readdirSync(packages).filter((each) => existsSync(join(packages, each, 'src'))))
    for (const path of readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })) {
      const file = `${name}/src/${path}`;
      if (!/(?<!\.test|-d)\.ts$/.test(path) || file === standIn) continue;
      const text = readFileSync(join(packages, file), 'utf8');
      const names = text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm);
      for (const type of new Set(Array.from(names, ([, type]) => type!)))
        found.set(type, [...(found.get(type) ?? []), file]);
    }
  return found;
}

test('no two exported types have one name and different meanings', () => {
  const types = exportedTypes();
  expect(types.get('McpServer')).toEqual(['core/src/server.ts']);
  const repeated = [...types].filter(([name, files]) => files.length > 1 && !shared.has(name));
  expect(Object.fromEntries(repeated)).toEqual({});
});
