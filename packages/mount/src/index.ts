export { mountServer, type MountedServer } from './mount-server.js';
export type { MountLimits, MountOptions, MountPolicy } from './options.js';
export type {
  Difference,
  HeldChange,
  HeldText,
  LeftOut,
  ListKind,
  MountStatus,
  Poison,
} from '@toolwright/json';
export { mountErrorCatalogue, type MountErrorCode } from './errors.js';
