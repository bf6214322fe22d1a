import { ts } from '@toolwright/schema-compiler/project';
import { bare, propertiesOf, valueOf } from './constants.js';
import { referencesTo } from './references.js';
import type { Rewriter } from './rewriter.js';
import { sdkNameOf } from './sdk-server.js';

interface StartupPlace {
  file: ts.SourceFile;
  checker: ts.TypeChecker;
  rewriter: Rewriter;
  /** The calls that become methods. */
  converted: readonly ts.CallExpression[];
  className: string;
  /** The class needs arguments that only the application has. */
  isBuiltByHand: boolean;
}

export interface Startup {
  /** The declaration of the SDK's server. */
  server: ts.VariableDeclaration;
  /** Statements that go. */
  removed: ts.Statement[];
  /** Names of packages and what is imported from them. */
  imports: { name: string; from: string }[];
  /** What keeps the SDK's server in use. If there is anything, nothing was replaced. */
  obstacles: ts.Node[];
}

/**
 * Replaces `new McpServer({ … })` and `await server.connect(new StdioServerTransport())`, if that is all that
 * is left of the SDK's server.
 *
 * @returns undefined if the file creates no server
 */
export function replaceStartup(place: StartupPlace): Startup | undefined {
  const { file, checker, converted, rewriter, className, isBuiltByHand } = place;
  const server = serverIn(file, checker);
  if (!server) return undefined;
  const uses = referencesTo(server, file, checker).filter(
    (use) => !converted.some((call) => call.pos <= use.pos && use.end <= call.arguments.pos),
  );
  const connections = uses.map((use) => connectionOf(use, checker));
  const obstacles: ts.Node[] = uses.filter((_use, index) => !connections[index]);
  const created = bare(server.initializer!) as ts.NewExpression;
  const options = optionsOf(created);
  const list = server.parent as ts.VariableDeclarationList;
  const statement = list.parent as ts.VariableStatement;
  if (isBuiltByHand || !options || statement.modifiers || list.declarations.length > 1 || uses.length !== 1)
    if (obstacles.length === 0) obstacles.push(server);
  const startup: Startup = { server, removed: [], imports: [], obstacles };
  if (obstacles.length > 0) return startup;
  const { call, transport } = connections[0]!;
  const services = `services: [${className}]`;
  rewriter.replace(
    call,
    `serveStdio(await createMcpServer({ ${[...options!.map((each) => each.getText()), services].join(', ')} }))`,
  );
  startup.removed.push(statement, ...(transport ? [transport] : []));
  startup.imports.push(
    { name: 'createMcpServer', from: '@toolwright/core' },
    { name: 'serveStdio', from: '@toolwright/stdio' },
  );
  return startup;
}

/** The constant of the module that holds the server. */
function serverIn(file: ts.SourceFile, checker: ts.TypeChecker): ts.VariableDeclaration | undefined {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(
      ({ initializer }) =>
        initializer &&
        ts.isNewExpression(bare(initializer)) &&
        sdkNameOf((bare(initializer) as ts.NewExpression).expression, checker) === 'McpServer',
    );
}

const carried = ['name', 'version', 'title', 'instructions'];

/** The options of the server that have the same name in `createMcpServer`, unless there are others. */
function optionsOf({
  arguments: given = [] as never,
}: ts.NewExpression): ts.ObjectLiteralElementLike[] | undefined {
  const found: ts.ObjectLiteralElementLike[] = [];
  for (const argument of given) {
    const object = bare(argument);
    if (!ts.isObjectLiteralExpression(object) || !propertiesOf(object)) return undefined;
    for (const property of object.properties) {
      const name = property.name!.getText();
      if (carried.includes(name)) found.push(property);
      // Toolwright declares what the services have.
      else if (name !== 'capabilities') return undefined;
    }
  }
  return found.length > 0 ? found : undefined;
}

interface Connection {
  call: ts.CallExpression;
  /** The statement that makes the transport and nothing else. */
  transport: ts.Statement | undefined;
}

/** `await server.connect(transport)`, where the transport is standard input and output. */
function connectionOf(use: ts.Identifier, checker: ts.TypeChecker): Connection | undefined {
  const access = use.parent;
  if (!ts.isPropertyAccessExpression(access) || access.name.text !== 'connect') return undefined;
  const call = access.parent;
  if (!ts.isCallExpression(call) || !ts.isAwaitExpression(call.parent) || call.arguments.length !== 1)
    return undefined;
  const [argument] = call.arguments;
  const value = valueOf(argument!, checker);
  const isStdio =
    ts.isNewExpression(value) && sdkNameOf(value.expression, checker) === 'StdioServerTransport';
  if (!isStdio || value.arguments?.length) return undefined;
  if (!ts.isIdentifier(argument!)) return { call, transport: undefined };
  const declaration = ts.findAncestor(value, ts.isVariableDeclaration);
  const statement = declaration && ts.findAncestor(declaration, ts.isVariableStatement);
  if (!declaration || !statement || statement.declarationList.declarations.length > 1) return undefined;
  const others = referencesTo(declaration, use.getSourceFile(), checker);
  return others.length === 1 ? { call, transport: statement } : undefined;
}
