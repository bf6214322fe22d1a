import type { DataOwner } from '@toolwright/core/ports';
import { visibleJson } from '../terminal/visible-text.js';
import type { SubjectData, SubjectFigure } from './subject-data.js';

/** How many characters are sent at a time. */
const PIECE = 65_536;

/**
 * Writes all that is kept for an owner as one JSON document: `{ subject | tenant, exportedAt, records, unreadable, notes,
 * notLookedAt }`. Records are written as they are found, so a tenant may have more of them than memory holds.
 *
 * @param send takes the next piece of the text, and resolves when it can take more. A store that is away from the start fails
 *   before anything is sent
 */
export async function writeExport(
  data: SubjectData,
  { owner, now }: { owner: DataOwner; now: Date },
  send: (text: string) => void | Promise<void>,
): Promise<SubjectFigure[]> {
  const figures: SubjectFigure[] = [];
  let waiting = '';
  const write = async (text: string, most = PIECE) => {
    waiting += text;
    if (waiting.length < most) return;
    await send(waiting);
    waiting = '';
  };
  await write(`{\n${member(1, nameOf(owner))},\n${member(1, { exportedAt: now.toISOString() })},\n`);
  await write('  "records": {');
  for (const kind of data.kindsOf(owner)) {
    await write(`${figures.length > 0 ? ',' : ''}\n    ${visibleJson(kind)}: [`);
    let [records, unreadable] = [0, 0];
    for await (const found of data.find(kind, owner)) {
      if (found) await write(`${records++ > 0 ? ',' : ''}\n${indented(3, visibleJson(found))}`);
      else unreadable++;
    }
    await write(records > 0 ? '\n    ]' : ']');
    figures.push({ kind, records, unreadable });
  }
  const missing = figures.filter(({ unreadable }) => unreadable > 0);
  const unreadable = Object.fromEntries(missing.map((each) => [each.kind, each.unreadable]));
  const rest = [{ unreadable }, { notes: data.notes }, { notLookedAt: data.unsearchedFor(owner) }];
  await write(
    `${figures.length > 0 ? '\n  ' : ''}},\n${rest.map((each) => member(1, each)).join(',\n')}\n}\n`,
    0,
  );
  return figures;
}

const nameOf = (owner: DataOwner) =>
  'tenant' in owner
    ? { tenant: owner.tenant }
    : { subject: { issuer: owner.issuer ?? null, subject: owner.subject } };

/** The one member of an object, as a part of a larger one. */
const member = (level: number, object: object) => {
  const [name, value] = Object.entries(object)[0]!;
  return indented(level, `${visibleJson(name)}: ${visibleJson(value)}`);
};

const indented = (level: number, text: string) => text.replace(/^/gm, '  '.repeat(level));
