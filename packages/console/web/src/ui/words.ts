import type { CallerIdentity } from '@toolwright/core/operate';
import { useEffect, useState } from 'react';
import type { Kind } from '../../../src/api/surface-api.js';

const longUnits = [
  { unit: 'd', ms: 86_400_000, below: 'h', belowMs: 3_600_000 },
  { unit: 'h', ms: 3_600_000, below: 'min', belowMs: 60_000 },
  { unit: 'min', ms: 60_000, below: 's', belowMs: 1_000 },
];

/** A duration as people read it: 240 µs, 12.3 ms, 4.21 s, 3 min 20 s, 2 d 4 h. */
export function formatMs(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1_000)} µs`;
  if (ms < 1_000) return `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
  const long = longUnits.find((each) => ms >= each.ms);
  if (!long) return `${(ms / 1_000).toFixed(2)} s`;
  const { unit, below, belowMs } = long;
  return `${Math.floor(ms / long.ms)} ${unit} ${Math.floor((ms % long.ms) / belowMs)} ${below}`;
}

/** The time of day, with milliseconds. */
export function formatClock(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`;
}

/** What a person calls one of each kind. */
export const kindNames: Readonly<Record<Kind, string>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  resourceTemplate: 'template',
};

/** A key with the one that people hold for commands: ⌘ on a Mac, Ctrl elsewhere. */
export function commandKey(key: string): string {
  return `${/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'} ${key}`;
}

/** The words of a search, in small letters. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Who a caller is, in a few words. `undefined`: it is not shown. */
export function callerText(caller: CallerIdentity | undefined): string {
  if (!caller) return 'not shown';
  const { subject, issuer, clientId, address } = caller;
  const name = subject ?? clientId;
  if (name === undefined) return address === undefined ? 'anonymous' : `anonymous, ${address}`;
  return issuer === undefined ? name : `${name} (${issuer})`;
}

/** The time, again every `everyMs` milliseconds while `isWanted`. */
export function useNow(everyMs: number, isWanted = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isWanted]);
  return now;
}
