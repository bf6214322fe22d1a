import { ts } from 'typescript-json-schema';
import { provideByHand } from './class-fields.js';
import type { Method } from './draft.js';
import { noteAt, type MigrationNote } from './migration.js';
import type { NamedClass } from './registration.js';
import type { Rewriter } from './rewriter.js';

/**
 * Makes a service of a class whose methods registered: its handlers become methods beside them.
 *
 * @param types declarations to write above the class
 */
export function addToClass(
  owner: NamedClass,
  methods: readonly Method[],
  { rewriter, types }: { rewriter: Rewriter; types: string },
): void {
  const start = owner.getStart();
  const comment = ts.getLeadingCommentRanges(owner.getSourceFile().text, owner.getFullStart())?.at(-1);
  // Two insertions at one place would come in the order in which they are made.
  if (comment) rewriter.replaceRange(comment.pos, comment.pos, types);
  rewriter.replaceRange(start, start, `${comment ? '' : types}@McpService()\n`);
  const end = owner.getEnd() - 1;
  const text = methods.map(({ text }) => `\n${text}`).join('');
  rewriter.replaceRange(end, end, text);
}

/** The names that a new method cannot have. */
export function memberNames(owner: NamedClass): Set<string> {
  const names = owner.members.flatMap((member) => [
    ...(member.name ? [member.name.getText()] : []),
    ...(ts.isConstructorDeclaration(member) ? member.parameters.map(({ name }) => name.getText()) : []),
  ]);
  return new Set(names);
}

/** A service is built by the container, which cannot know what its constructor was called with. */
export function noteOwner(owner: NamedClass): MigrationNote {
  const made = owner.members.find(ts.isConstructorDeclaration);
  const parameters = made?.parameters.map(({ name }) => name.getText()).join(', ') ?? '';
  const name = owner.name.text;
  return noteAt(owner, `class ${name}`, {
    reason: parameters
      ? `It is a service now, and its constructor takes ${parameters}.`
      : 'It is a service now.',
    advice:
      (parameters ? provideByHand(name, parameters) : 'List it in the services of createMcpServer.') +
      ' Remove what it still does with the server of the SDK.',
  });
}
