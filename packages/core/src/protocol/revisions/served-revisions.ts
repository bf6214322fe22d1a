import { revision20241105 } from './2024-11-05.js';
import { revision20250326 } from './2025-03-26.js';
import { revision20250618 } from './2025-06-18.js';
import { revision20251125 } from './2025-11-25.js';
import { revision20260728 } from './2026-07-28.js';
import type { RevisionRecord } from './revision-record.js';

/** Every revision that servers speak, in any order. */
export const servedRevisions: readonly RevisionRecord[] = [
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
];
