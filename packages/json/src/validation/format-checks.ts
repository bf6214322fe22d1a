import type { PatternCost } from '../patterns/cost-of-pattern.js';
import { type ValueSource, steps } from './check-budget.js';
import { numberFormats, textFormats } from './formats.js';

/** Whether a value has a format. Values of other types than that of the format always pass. */
type FormatCheck = (value: unknown) => boolean;

/** Formats whose pattern takes more than linear time. For 100 kB of a URL it takes five seconds. */
const costlyFormats: Readonly<Record<string, PatternCost>> = { url: { growth: 2, ways: 1 } };

const checks: Record<ValueSource, Map<string, FormatCheck>> = { caller: new Map(), method: new Map() };

/** The check of a format. An unknown format forbids nothing. */
export function formatCheck(name: string, source: ValueSource): FormatCheck {
  let check = checks[source].get(name);
  if (!check) {
    check = make(name, source);
    // A schema may have any text as its format, so only known formats are stored.
    if (check !== always) checks[source].set(name, check);
  }
  return check;
}

const always = () => true;

function make(name: string, source: ValueSource): FormatCheck {
  if (Object.hasOwn(numberFormats, name)) {
    const fits = numberFormats[name]!;
    return (value) => !Number.isFinite(value) || fits(value as number);
  }
  if (!Object.hasOwn(textFormats, name)) return always;
  const format = textFormats[name]!;
  if (typeof format === 'function') return (value) => typeof value !== 'string' || format(value);
  const cost = costlyFormats[name];
  const pattern = cost ? steps[source].bound(format, cost) : format;
  return (value) => typeof value !== 'string' || pattern.test(value);
}
