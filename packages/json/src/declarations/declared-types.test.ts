import type { JsonSchema } from '../schema/json-schema.js';
import { DeclaredTypes, UniqueNames } from './declared-types.js';

const note: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, text: { type: 'string' } },
  required: ['id', 'text'],
};

function declare(areOwn: boolean) {
  const types = new DeclaredTypes([note, note], new UniqueNames([]), areOwn);
  for (const owner of ['AddNote', 'EditNote']) types.declare(note, { owner, part: 'Result', comment: owner });
  return types.declarations.join('\n');
}

test('equal results of two tools are written once in a module that is published', () =>
  expect(declare(false)).toContain('export type EditNoteResult = AddNoteResult;'));

test('equal results of two tools have a type each where editors show it', () => {
  const text = declare(true);
  expect(text).not.toContain('= AddNoteResult');
  expect(text.match(/id: string;\n {2}text: string;/g)).toHaveLength(2);
});
