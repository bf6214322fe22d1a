export { mountServer, type MountedServer } from './mount-server.js';
export type { MountLimits, MountOptions, MountPolicy } from './options.js';
export type { MountStatus } from './status.js';
export type { HeldChange, HeldText } from './pins/pins.js';
export type { Difference } from './pins/differences.js';
export type { Poison } from './pins/find-poison.js';
export type { LeftOut, ListKind } from './read-catalogue.js';
export { mountErrorCatalogue, type MountErrorCode } from './errors.js';
