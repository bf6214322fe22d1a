import { parentPort, workerData } from 'node:worker_threads';
import { CheckedProject, type CheckedChange } from './checked-project.js';
import { loadTypeScript } from './load-typescript.js';

/** The questions to the thread that checks types. */
export type TypesRequest =
  | { ask: 'edit'; files: readonly string[] }
  | { ask: 'check' }
  | { ask: 'takenOver' }
  /** Is one of these files a part of the project that is checked? */
  | { ask: 'knows'; files: readonly string[] };

/** The thread's answer to `edit`, `check` and `knows`. */
export type TypesAnswer =
  | { tell: 'knows'; any: boolean }
  | { tell: 'edited'; onlyWords: boolean }
  | ({
      tell: 'checked';
      outDir: string | undefined;
      aliases: readonly string[];
      configs: readonly string[];
      compiler: string;
    } & CheckedChange)
  | { tell: 'failed'; message: string };

const { project, entry } = workerData as { project: string; entry: string };
const { choice, ...typescript } = loadTypeScript(project);
const port = parentPort!;
let checked: CheckedProject | undefined;

function answer(request: Exclude<TypesRequest, { ask: 'takenOver' }>): TypesAnswer {
  try {
    checked ??= new CheckedProject(typescript, project, entry);
    if (request.ask === 'knows') return { tell: 'knows', any: checked.knowsAny(request.files) };
    return request.ask === 'edit'
      ? { tell: 'edited', onlyWords: checked.edit(request.files) }
      : {
          tell: 'checked',
          outDir: checked.outDir,
          aliases: checked.aliases,
          configs: checked.configs,
          compiler: choice,
          ...checked.check(),
        };
  } catch (error) {
    return { tell: 'failed', message: (error as Error).message };
  }
}

port.on('message', (request: TypesRequest) => {
  if (request.ask === 'takenOver') checked?.takenOver();
  else port.postMessage(answer(request));
});
