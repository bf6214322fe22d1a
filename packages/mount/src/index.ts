export { mountServer, type MountedServer } from './mount-server.js';
export type { MountLimits, MountOptions, MountPolicy } from './options.js';
export type { MountStatus } from './status.js';
export type { HeldChange } from './pins.js';
export type { Poison } from './find-poison.js';
export type { LeftOut, ListKind } from './read-catalogue.js';
export { mountErrorCatalogue, type MountErrorCode } from './errors.js';
