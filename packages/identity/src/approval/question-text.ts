import type { Principal } from '@toolwright/core';
import { writeJson } from '@toolwright/core/transport';
import { row } from '../pages/question-page.js';
import { type Answerer, type ApprovalRecord, isSame, neededOf, type Person } from './approval-records.js';

/** What a question is about, line by line. @param as who reads it, with whose right */
export function rowsOf(record: ApprovalRecord, reader: Principal, as: Answerer): string[] {
  const { operation, shown, caller, client, approvals } = record;
  const values = Object.entries(shown).map(([name, value]) => row(name, textOf(value)));
  const needed = neededOf(record);
  return [
    row('For', isSame(caller, reader) ? 'You' : nameOf(caller)),
    ...(client === undefined ? [] : [row('Program, as it calls itself', client)]),
    row('Operation', operation.name),
    ...(values.length > 0 ? values : [row('Values', 'none')]),
    ...(needed > 1 ? [row('Approved by', `${approvals.length} of ${needed} people`)] : []),
    ...(as.for ? [row('You answer in place of', nameOf(as.for))] : []),
  ];
}

export function buttonsOf(needed: number): string {
  const effect = needed > 1 ? `It runs when ${needed} people approve` : 'Run it once, now';
  return `<button class="yes" name="decision" value="approve"><strong>Approve</strong><span class="soft">${effect}</span></button>
${REFUSE}`;
}

export const REFUSE =
  '<button class="no" name="decision" value="refuse"><strong>Refuse</strong><span class="soft">Nothing is done</span></button>';

/**
 * A time that reads the same in every time zone: the server does not know that of the person.
 *
 * @param now also says how far away it is
 */
export function whenOf(time: number, now?: number): string {
  const text = `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (now === undefined) return text;
  const minutes = Math.max(0, Math.floor((time - now) / 60_000));
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2_880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1_440), 'day'];
  return `${text}, in ${minutes < 1 ? 'less than a minute' : `${count} ${unit}${count === 1 ? '' : 's'}`}`;
}

/** A program that acts for itself has a token without a subject. */
export const nameOf = ({ subject, clientId }: Person): string => subject || (clientId ?? 'nobody');

/** A value as a person reads it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (writeJson(value, 2) ?? String(value));
}
