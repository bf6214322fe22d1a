import { MaxOutput } from './max-output.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import type { Environment } from '../../call/environment.js';
import type { StepOrigin } from '../../call/operation/step-description.js';

/** How many bytes an operation may answer with, and who set the limit. */
export interface OutputLimit {
  limit: number | undefined;
  origin: StepOrigin;
}

export function outputLimitOf(draft: AnyDraft, { options }: Environment): OutputLimit {
  const policy = MaxOutput.of(draft);
  if (policy) return { limit: policy.options.bytes, origin: policy.origin };
  return { limit: options.output?.maxBytes || undefined, origin: 'default' };
}
