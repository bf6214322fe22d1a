import type { AnyDraft } from '../../call/operation/draft.js';
import type { Complete } from '../../call/operation/operation.js';
import { describeServer } from '../../protocol/codecs/definitions.js';
import { revision20260728 } from '../../protocol/revisions/2026-07-28.js';
import { kindRecordOf } from '../kinds/kinds.js';
import type { ServerInfo } from '../../protocol/protocol-host.js';

/** The revision that publishes most. Older ones publish a part of it. */
const { features } = revision20260728;

/** Everything that clients learn about an operation before they use it. */
export function publishedForm(draft: AnyDraft): unknown {
  const form = kindRecordOf(draft.kind).publish(draft as never, features);
  return 'complete' in draft ? { ...form, completions: fixedValues(draft) } : form;
}

/** Everything that clients learn about the server itself. */
export function publishedServer({ instructions, ...info }: ServerInfo & { instructions?: string }): unknown {
  return { ...describeServer(info, features), instructions };
}

/** The completions that are known without a call. */
function fixedValues({ complete }: { complete: Readonly<Record<string, Complete>> }): unknown {
  return Object.entries(complete).map(([argument, { values }]) => ({ argument, values }));
}
