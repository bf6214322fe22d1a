import { run } from '../../src/run.js';
import { ProjectFolder } from './project-folder.js';
import { RecordingTerminal } from './recording-terminal.js';

/** A package that is ready to be published. */
export const notesPackage = {
  name: '@ann/notes',
  version: '1.2.3',
  description: 'Finds and keeps notes',
  repository: 'github:ann/notes',
  homepage: 'https://notes.example',
  license: 'MIT',
  author: 'Ann Notes <ann@notes.example> (https://ann.example)',
  bin: { notes: 'dist/main.js' },
  dependencies: { '@toolwright/core': '0.1.0', '@toolwright/stdio': '0.1.0' },
};

/** A folder in which `toolwright publish` runs, in this process. */
export class PublishProject extends ProjectFolder {
  constructor(description: object = notesPackage) {
    super();
    this.describe(description);
  }

  describe(description: object): void {
    this.write('package.json', `${JSON.stringify(description, null, 2)}\n`);
  }

  json(file: string): Record<string, unknown> {
    return JSON.parse(this.read(file)) as Record<string, unknown>;
  }

  publish(...words: string[]) {
    return this.publishIn(this.folder, ...words);
  }

  async publishIn(folder: string, ...words: string[]) {
    const terminal = new RecordingTerminal(folder);
    const code = await run(['publish', ...words], terminal);
    return { code, stdout: terminal.stdout, stderr: terminal.stderr };
  }

  /** Answers the question of the command. */
  async publishAnd(answer: string, ...words: string[]) {
    const terminal = Object.assign(new RecordingTerminal(this.folder), {
      ask: () => Promise.resolve(answer),
    });
    return { code: await run(['publish', ...words], terminal), stdout: terminal.stdout };
  }
}
