import { didYouMean } from '@toolwright/manifest';
import type {
  AnyOptionSchema,
  FormerOptions,
  OptionFault,
  OptionPlace,
  OptionRule,
} from './option-schema.js';

/** A message shows at most this many characters of a text. */
const MAX_SHOWN = 60;

/** All problems of options at every depth: unknown names, missing options, wrong values. */
export function findOptionFaults(
  schema: AnyOptionSchema,
  options: unknown,
  { owner, path = '', former }: OptionPlace,
): OptionFault[] {
  const fix = `Correct the options of ${owner}.`;
  if (!isObject(options)) return [{ message: `The options must be an object, not ${kindOf(options)}.`, fix }];
  const faults: OptionFault[] = [];
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(schema, name)) continue;
    const today = nameOfToday(at(path, name), former);
    if (today) {
      faults.push(today);
      continue;
    }
    const known = Object.keys(schema);
    faults.push({
      message: `There is no option "${at(path, name)}".${didYouMean(name, known)}`,
      fix: `Options of ${path || owner} are: ${known.join(', ')}.`,
    });
  }
  // A boot comes here for each decorator. A list of the entries of the schema would be most of what it allocates.
  for (const name in schema) {
    const rule = schema[name]!;
    const value = options[name];
    if (value === undefined && !rule.required) continue;
    if (!rule.accepts(value)) {
      const today = typeof value === 'string' && nameOfToday(`${at(path, name)}: '${value}'`, former);
      if (today) faults.push(today);
      else
        faults.push({
          message: `The option "${at(path, name)}" must be ${rule.expected}, not ${describe(value, rule)}.${nearestWord(value, rule)}`,
          fix,
        });
    } else if (rule.inside) faults.push(...rule.inside(value, { owner, path: at(path, name), former }));
  }
  return faults;
}

/** The problem of an option that an earlier release had, if this is one. */
function nameOfToday(before: string, former: FormerOptions = {}): OptionFault | undefined {
  if (!Object.hasOwn(former, before)) return undefined;
  const now = former[before]!;
  return {
    message: `The option "${before}" of earlier releases is now "${now}".`,
    fix: `Write "${now}" in place of "${before}". docs/upgrading.md lists all names that changed.`,
  };
}

function at(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown, { secret }: OptionRule): string {
  if (secret) return describeSecret(value);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN)) : kindOf(value);
}

/** Says what is wrong with a secret, and shows neither its text nor its length. An unset variable is a frequent cause. */
function describeSecret(value: unknown): string {
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return 'a string of another form';
  const texts = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
  if (!texts) return kindOf(value);
  return value.includes('') ? 'a list with an empty string' : 'a list with a string of another form';
}

/** For a text that is not allowed, the nearest allowed one. In a list, the first such text counts. */
function nearestWord(value: unknown, { words = [], secret }: OptionRule): string {
  const wrong = [value].flat().find((each) => typeof each === 'string' && !words.includes(each));
  return typeof wrong === 'string' && !secret ? didYouMean(wrong, words) : '';
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.map((each) => typeof each).join(', ') || 'nothing'}`;
  return value === null ? 'null' : typeof value;
}
