export { ConsoleRefusal, methodAccess } from './api/console-api.js';
export type { Access } from './api/overview-api.js';
export type { ConsoleApi, ConsoleMethod, ParamsOf, ResultOf } from './api/console-api.js';
export type { ConsoleEvent } from './api/console-api.js';
export type { CompileErrors, Overview, ProjectProblem, ServerSummary } from './api/overview-api.js';
export type { Contract, ContractChange, KeywordOrigin, RecordedFailure } from './api/project-api.js';
export type { EvaluationReport, SignInDiagnosis } from '@toolwright/json';
export type { ObservedSignIn } from './api/sign-in-api.js';
export { Hub, type AskInside, type HubOptions, type ProjectMethods } from './hub/hub.js';
export { Inside } from './inside/inside.js';
export type { InsideMethod } from './inside/part.js';
export type { AppFrame, AppFramePolicy, AppFrameRequest } from './api/console-api.js';
export {
  consoleExpress,
  type Admission,
  type ConsoleExpressOptions,
  type ConsoleRequestHandler,
} from './serve/console-express.js';
export type { MountedAccess } from './hub/hub-of-servers.js';
export { serveConsole, type ServeConsoleOptions, type ServedConsole } from './serve/serve-console.js';
export { DevConsole, type DevConsoleOptions } from './serve/dev-console.js';
