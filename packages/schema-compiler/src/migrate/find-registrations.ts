import { ts } from 'typescript-json-schema';
import { constantOf } from './constants.js';
import { readRegistration, registering } from './read-registration.js';
import { Refusal } from './refusal.js';
import type { Registration } from './registration.js';
import { isSdkServer } from './sdk-server.js';

/** A call that registers something, and what was read of it, or why it was not. */
export interface FoundCall {
  readonly call: ts.CallExpression;
  readonly kind: string;
  /** As the server would publish it, or else the first argument as it is written. */
  readonly name: string;
  readonly read: Registration | Refusal;
}

/** Every call in a file that registers something with a server of the official SDK. */
export function findRegistrations(file: ts.SourceFile, checker: ts.TypeChecker): FoundCall[] {
  const found: FoundCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const method = methodOf(node, checker);
      if (method !== undefined) found.push(read(node, method, checker));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function methodOf({ expression }: ts.CallExpression, checker: ts.TypeChecker): string | undefined {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const method = expression.name.text;
  if (method === 'registerToolTask') return ofTasks(expression, checker) ? method : undefined;
  if (!Object.hasOwn(registering, method)) return undefined;
  return isSdkServer(expression.expression, checker) ? method : undefined;
}

/** `server.experimental.tasks.registerToolTask`. */
function ofTasks(node: ts.PropertyAccessExpression, checker: ts.TypeChecker): boolean {
  let receiver: ts.Expression = node;
  while (ts.isPropertyAccessExpression(receiver)) receiver = receiver.expression;
  return isSdkServer(receiver, checker);
}

function read(call: ts.CallExpression, method: string, checker: ts.TypeChecker): FoundCall {
  const [first] = call.arguments;
  const value = first && constantOf(first, checker)?.value;
  const name = typeof value === 'string' ? value : (first?.getText() ?? '');
  try {
    if (method === 'registerToolTask')
      throw new Refusal(
        call,
        'The tool is a task.',
        'Write a decorated method with @McpTool({ task: ... }) (docs/tasks.md).',
      );
    const registration = readRegistration(call, method, checker);
    return { call, kind: registration.kind, name: registration.name, read: registration };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { call, kind: registering[method] ?? 'tool', name, read: error };
  }
}
