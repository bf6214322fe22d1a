import { ts } from '@toolwright/schema-compiler/project';
import { type Insertion, type NamedImport, importInsertion, indentAt, insertAll } from './insertion.js';

/**
 * The result of registering a class. `text`: the changed source. `discovered`: the server finds its services
 * itself. `unclear`: there is a server, but its list of services is better changed by hand.
 */
export type Registration = { text: string } | 'discovered' | 'unclear';

/**
 * Adds a class to the services of a server.
 *
 * @param text of a source file
 * @returns undefined if the file creates no server
 */
export function registerService(text: string, service: NamedImport): Registration | undefined {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const options = findServers(file);
  const [only] = options;
  if (!only) return undefined;
  if (options.length > 1) return 'unclear';
  const services = findProperty(only, 'services');
  if (!services) return findProperty(only, 'discover') ? 'discovered' : 'unclear';
  const list = arrayOf(services, file);
  if (!list) return 'unclear';
  return {
    text: insertAll(text, [importInsertion(file, [service]), elementInsertion(list, service.name, file)]),
  };
}

/** The options of every `createMcpServer({ … })`. */
function findServers(file: ts.SourceFile): ts.ObjectLiteralExpression[] {
  const found: ts.ObjectLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(file) === 'createMcpServer') {
      const [options] = node.arguments;
      if (options && ts.isObjectLiteralExpression(options)) found.push(options);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function findProperty(
  options: ts.ObjectLiteralExpression,
  name: string,
): ts.ObjectLiteralElementLike | undefined {
  return options.properties.find((property) => property.name?.getText() === name);
}

/** The array at this place, or the constant of this file that the place names. */
function arrayOf(
  property: ts.ObjectLiteralElementLike,
  file: ts.SourceFile,
): ts.ArrayLiteralExpression | undefined {
  const value = ts.isPropertyAssignment(property)
    ? property.initializer
    : ts.isShorthandPropertyAssignment(property)
      ? property.name
      : undefined;
  const initializer = value && ts.isIdentifier(value) ? constantOf(value.text, file) : value;
  const isCast = initializer && (ts.isAsExpression(initializer) || ts.isSatisfiesExpression(initializer));
  const written = isCast ? initializer.expression : initializer;
  return written && ts.isArrayLiteralExpression(written) ? written : undefined;
}

function constantOf(name: string, file: ts.SourceFile): ts.Expression | undefined {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find((declaration) => declaration.name.getText(file) === name)?.initializer;
}

function elementInsertion(
  { elements, pos, end }: ts.ArrayLiteralExpression,
  name: string,
  file: ts.SourceFile,
): Insertion {
  const last = elements.at(-1);
  if (!last) return { at: end - 1, text: name };
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const isSpread = lineOf(last.getEnd()) !== lineOf(end) && lineOf(last.getStart(file)) !== lineOf(pos);
  if (!isSpread) return { at: last.getEnd(), text: `, ${name}` };
  return { at: last.getEnd(), text: `,\n${indentAt(file.text, last.getStart(file))}${name}` };
}
