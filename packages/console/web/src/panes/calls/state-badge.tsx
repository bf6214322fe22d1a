import { Badge, type Tone } from '../../ui/badge.js';
import type { CallState } from './call-rows.js';

export const tones: Readonly<Record<CallState, Tone>> = {
  ok: 'good',
  asking: 'info',
  running: 'info',
  denied: 'warn',
  limited: 'warn',
  invalid: 'warn',
  cancelled: 'plain',
  lost: 'plain',
  timeout: 'bad',
  error: 'bad',
};

const titles: Readonly<Record<CallState, string>> = {
  ok: 'It gave a result.',
  asking: 'The client must answer a question; the next round is a call of its own.',
  running: 'It has not ended yet.',
  denied: 'The caller may not do this.',
  limited: 'The caller has used up a limit.',
  invalid: 'The arguments do not fit the schema.',
  cancelled: 'The caller cancelled it.',
  lost: 'The app ended before the call did.',
  timeout: 'It took longer than it may.',
  error: 'It failed.',
};

export function StateBadge({ state }: { state: CallState }) {
  return (
    <Badge tone={tones[state]} title={titles[state]}>
      {state}
    </Badge>
  );
}
