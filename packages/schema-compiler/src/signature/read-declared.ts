import { ts } from '../generator/tjs-adapter.js';
import { toJsonDefault } from '../defaults/apply-default.js';
import { foldWritten } from '../defaults/fold-constant.js';
import type { FoundDecorator } from '../discover/package-symbols.js';

const KINDS = {
  McpTool: 'tool',
  McpPrompt: 'prompt',
  McpResource: 'resource',
  McpResourceTemplate: 'resourceTemplate',
  McpApp: 'app',
} as const;

/** What one operation decorator says about its method, as far as it can be read without running code. */
export interface Declared {
  kind: (typeof KINDS)[keyof typeof KINDS];
  /** The published name; left out if it is computed at run time. */
  name?: string;
  /** The constant options. */
  options: Record<string, unknown>;
  /** The names of the computed options; `any` if even the names are computed. */
  computed: string[] | 'any';
}

/** Reads the operation decorators of a method, in source order. */
export function readDeclared(decorators: readonly FoundDecorator[], checker: ts.TypeChecker): Declared[] {
  return decorators.flatMap(({ name, arguments: [written] }) =>
    isOperation(name) ? [{ kind: KINDS[name], ...readOptions(written, checker) }] : [],
  );
}

/** A decorator without a name gets that of the method, and the first decorator may have set this name. */
export function nameDeclared(declared: Declared, publishedName: string): Declared {
  const { options, computed } = declared;
  if (computed === 'any' || computed.includes('name')) return declared;
  const name = typeof options['name'] === 'string' ? options['name'] : publishedName;
  return { ...declared, name };
}

/** Whether a decorator of core turns its method into an operation. */
function isOperation(name: string): name is keyof typeof KINDS {
  return Object.hasOwn(KINDS, name);
}

/** Reads an argument that holds options, as far as it is constant. */
export function readOptions(
  written: ts.Expression | undefined,
  checker: ts.TypeChecker,
): Pick<Declared, 'options' | 'computed'> {
  if (!written) return { options: {}, computed: [] };
  const whole = foldWritten(written, checker)?.value;
  if (typeof whole === 'object' && whole !== null)
    return { options: toJsonDefault(whole) as Declared['options'], computed: [] };
  return ts.isObjectLiteralExpression(written)
    ? readProperties(written, checker)
    : { options: {}, computed: 'any' };
}

function readProperties({ properties }: ts.ObjectLiteralExpression, checker: ts.TypeChecker) {
  const options: Declared['options'] = {};
  const computed: string[] = [];
  let isOpen = false;
  for (const property of properties) {
    const name = property.name && ts.isComputedPropertyName(property.name) ? undefined : property.name?.text;
    const value = ts.isPropertyAssignment(property) && foldWritten(property.initializer, checker);
    if (name === undefined) isOpen = true;
    else if (value) options[name] = toJsonDefault(value.value);
    else computed.push(name);
  }
  return { options, computed: isOpen ? ('any' as const) : computed };
}

/** A decorator of core that may be a policy, with its arguments. */
export interface DeclaredPolicy {
  /** The name that core exports, such as `RateLimit`. */
  decorator: string;
  arguments: unknown[];
}

/**
 * Reads the decorators that are not operation decorators. It leaves out those with an argument that is
 * computed at run time.
 */
export function readPolicies(
  decorators: readonly FoundDecorator[],
  checker: ts.TypeChecker,
): DeclaredPolicy[] {
  return decorators.flatMap(({ name, arguments: written }) => {
    const folded = written.map((argument) => foldWritten(argument, checker));
    if (isOperation(name) || folded.includes(undefined)) return [];
    return [{ decorator: name, arguments: folded.map((each) => toJsonDefault(each!.value)) }];
  });
}
