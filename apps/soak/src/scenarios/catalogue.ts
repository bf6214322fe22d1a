import type { Scenario } from '../scenario.js';
import { canaries } from './canaries.js';
import { cancel } from './cancel.js';
import { deadline } from './deadline.js';
import { drain } from './drain.js';
import { fairness } from './fairness.js';
import { idleSessions } from './idle-sessions.js';
import { listen } from './listen.js';
import { malformed } from './malformed.js';
import { memory } from './memory.js';
import { overload } from './overload.js';
import { readerSpeeds } from './reader-speeds.js';
import { slowConnections } from './slow-connections.js';
import { stalledReaders } from './stalled-readers.js';
import { tenants } from './tenants.js';

/** The short ones first. */
export const scenarios: readonly Scenario[] = [
  drain,
  readerSpeeds,
  stalledReaders,
  cancel,
  deadline,
  listen,
  idleSessions,
  canaries,
  slowConnections,
  fairness,
  tenants,
  overload,
  malformed,
  memory,
];
