import type { Format } from 'ajv';
import type { PatternCost } from '../../base/patterns/cost-of-pattern.js';
import { steps, type Maker } from './check-budget.js';

/** Whether a value has a format. Values of other types than that of the format always pass. */
export type FormatCheck = (value: unknown) => boolean;

/** Formats whose pattern takes more than linear time. For 100 kB of a URL it takes five seconds. */
const costlyFormats: Readonly<Record<string, PatternCost>> = { url: { growth: 2, ways: 1 } };

const checks: Record<Maker, Map<string, FormatCheck>> = { caller: new Map(), method: new Map() };
let formats: Readonly<Record<string, Format>> | undefined;

/** The checks of Ajv's formats, without Ajv. An unknown format forbids nothing. */
export function formatCheck(name: string, maker: Maker): FormatCheck {
  let check = checks[maker].get(name);
  if (!check) {
    check = make(name, maker);
    // A schema may have any text as its format, so only known formats are stored.
    if (check !== always) checks[maker].set(name, check);
  }
  return check;
}

/** The formats with a budget, in the form that Ajv takes. */
export function boundFormats(maker: Maker): [name: string, check: FormatCheck][] {
  return Object.keys(costlyFormats).map((name) => [name, formatCheck(name, maker)]);
}

const always = () => true;

function make(name: string, maker: Maker): FormatCheck {
  const known = knownFormats();
  const format = Object.hasOwn(known, name) ? known[name]! : true;
  const cost = costlyFormats[name];
  if (cost) return ofStrings((text) => steps[maker].bound(format as RegExp, cost).test(text));
  if (typeof format === 'object' && !(format instanceof RegExp)) {
    const test = testOf(format.validate as Format);
    return format.type === 'number' ? ofNumbers(test) : ofStrings(test);
  }
  return format === true ? always : ofStrings(testOf(format));
}

function testOf(format: Format): (value: never) => boolean {
  if (format instanceof RegExp) return (text: string) => format.test(text);
  return format as (value: never) => boolean;
}

function ofStrings(test: (text: never) => boolean): FormatCheck {
  return (value) => typeof value !== 'string' || test(value as never);
}

function ofNumbers(test: (number: never) => boolean): FormatCheck {
  return (value) => !Number.isFinite(value) || test(value as never);
}

/** This file of ajv-formats needs no other file, so it does not load Ajv. */
function knownFormats(): Readonly<Record<string, Format>> {
  if (formats) return formats;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- at first need: many servers have no format
  const { fullFormats } = require('ajv-formats/dist/formats') as typeof import('ajv-formats/dist/formats');
  return (formats = fullFormats);
}
