import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');

/** The exported names that editors do not strike out, and those that they do. */
function namesOf(name: string): { own: string[]; passedOn: string[] } {
  const index = join(root, 'packages', name, 'dist/index.d.ts');
  const program = ts.createProgram([index], { module: ts.ModuleKind.NodeNext, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(index)!)!);
  const isDeprecated = (symbol: ts.Symbol) =>
    symbol.getJsDocTags(checker).some((tag) => tag.name === 'deprecated');
  const sorted = (names: ts.Symbol[]) => names.map((symbol) => symbol.name).sort();
  return {
    own: sorted(symbols.filter((symbol) => !isDeprecated(symbol))),
    passedOn: sorted(symbols.filter(isDeprecated)),
  };
}

test('what @toolwright/express passes on for one minor version is deprecated', () => {
  const { own, passedOn } = namesOf('express');
  expect(own).toEqual(['mcpExpress']);
  expect(passedOn).toEqual(expect.arrayContaining(['mcpHealth', 'oauthResourceServer', 'serveHttp']));
});

test('what @toolwright/testing passes on for one minor version is deprecated', () => {
  const { own, passedOn } = namesOf('testing');
  const others = own.filter((name) => !/^describe|Subject$/.test(name));
  expect(others).toEqual([
    'ConnectOptions',
    'FaultyLink',
    'FaultyLinkOptions',
    'ManualClock',
    'McpClient',
    'RpcError',
    'ServeTransport',
    'TransportClient',
    'connect',
    'matchers',
  ]);
  expect(passedOn).toEqual(expect.arrayContaining(['capabilitiesOf', 'openClient', 'ClientOptions']));
});
