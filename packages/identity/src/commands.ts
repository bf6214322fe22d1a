export type { StoreCommand } from './commands/store-command.js';
export { grantCommands } from './grants/grant-commands.js';
export { keyCommands } from './keys/key-commands.js';
export { subjectSource } from './operators/subject-source.js';
export { runDoctor, type DoctorValues } from './doctor/doctor-command.js';
