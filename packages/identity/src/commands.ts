export type { StoreCommand } from './commands/store-command.js';
export { grantCommands } from './grants/grant-commands.js';
export { keyCommands } from './keys/key-commands.js';
export { subjectSource } from './operators/subject-source.js';
export { runDoctor, runSignIn, type DoctorValues } from './doctor/doctor-command.js';
export type { SignedIn } from './doctor/diagnose-sign-in.js';
