export {
  AppOptionsError,
  flagOf,
  refuseFormerFlags,
  transports,
  signIns,
  databases,
  runners,
  moduleKinds,
  toolLists,
  views,
  type AppOptions,
} from './app-options.js';
export { askForApp, canAsk, type AppWish } from './ask-for-app.js';
export {
  dockerfile,
  ignoreFile,
  registryLabel,
  type ContainerOptions,
  type WorkspacePackage,
} from './container-files.js';
export { createApp, type AppRequest, type CreatedApp } from './create-app.js';
export { ownVersion } from './app-files.js';
export { mountFiles } from './piece-files.js';
export { folderInWorkspace } from './pnpm-workspace.js';
export { pieceFiles, pieceKinds, type Piece, type PieceFiles, type SourceStyle } from './piece-files.js';
export { accessOf, packageManagerOf, setUpApp, writeManagerSettings } from './set-up-app.js';
