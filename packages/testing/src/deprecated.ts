import { deprecate } from 'node:util';
import { capabilitiesOf as capabilitiesOfMoved, openClient as openClientMoved } from '@toolwright/client';

/** @deprecated Use `capabilitiesOf` of `@toolwright/client`. It goes with 0.3. */
export const capabilitiesOf = deprecate(
  capabilitiesOfMoved,
  'capabilitiesOf of @toolwright/testing is now in @toolwright/client. The old name goes with 0.3.',
  'TWDEP004',
);

/** @deprecated Use `openClient` of `@toolwright/client`. It goes with 0.3. */
export const openClient = deprecate(
  openClientMoved,
  'openClient of @toolwright/testing is now in @toolwright/client. The old name goes with 0.3.',
  'TWDEP005',
);
