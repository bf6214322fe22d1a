import { ts } from 'typescript-json-schema';
import type { BoundParameter } from './bound-parameters.js';
import type { CodeStyle } from './code-style.js';
import { noteAt, type MigrationNote } from './migration.js';
import { Refusal } from './refusal.js';
import type { Registration } from './registration.js';

/** The fields of the new class, by name: what functions that registered had as parameters. */
export type ClassFields = Map<string, BoundParameter>;

/** @throws {Refusal} a field of this name has another type already */
export function addFields(fields: ClassFields, bound: readonly BoundParameter[]): void {
  for (const { name, type, declaration } of bound) {
    const known = fields.get(name);
    if (known && known.type !== type)
      throw new Refusal(
        declaration,
        `"${name}" is ${type} here, and ${known.type} in another function of this file.`,
        'Give one of them another name, and run the command again.',
      );
  }
  for (const each of bound) if (!fields.has(each.name)) fields.set(each.name, each);
}

export function constructorText(fields: ClassFields, { indent }: CodeStyle): string {
  if (fields.size === 0) return '';
  const parameters = [...fields.values()].map(({ name, type }) => `private readonly ${name}: ${type}`);
  const line = parameters.join(', ');
  if (line.length <= 80) return `${indent}constructor(${line}) {}\n\n`;
  const lines = parameters.map((each) => `${indent.repeat(2)}${each},\n`).join('');
  return `${indent}constructor(\n${lines}${indent}) {}\n\n`;
}

/** The names that may become fields: those of parameters around the registrations. */
export function parametersAround(registrations: readonly Registration[]): Set<string> {
  const names = new Set<string>();
  for (const { call } of registrations)
    for (let node: ts.Node = call; node.parent; node = node.parent)
      if (ts.isFunctionLike(node))
        for (const { name } of node.parameters) if (ts.isIdentifier(name)) names.add(name.text);
  return names;
}

/** How an application gives the server a class whose constructor takes what the container does not know. */
export function provideByHand(className: string, parameters: string): string {
  return `List it in services, and add { provide: ${className}, useFactory: () => new ${className}(${parameters}) } to providers of createMcpServer (docs/dependency-injection.md).`;
}

/** What the application must do now: give the class what its functions were called with. */
export function noteFields(fields: ClassFields, className: string): MigrationNote[] {
  const [first] = fields.values();
  if (!first) return [];
  const names = [...fields.keys()].join(', ');
  const reason = `Its constructor takes what a function around the registrations had: ${names}.`;
  const advice = provideByHand(className, names);
  return [noteAt(first.declaration, `class ${className}`, { reason, advice })];
}
