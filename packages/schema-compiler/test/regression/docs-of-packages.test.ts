import { ts } from 'typescript-json-schema';
import { inspectProject } from '../../src/index.js';
import { openProject } from '../../src/program/open-project.js';
import { TemporaryProject } from '../temporary-project.js';

let project: TemporaryProject;
afterEach(() => project.remove());

const SDK = `
/** What all have. */
export interface Base {
  /** Of the base. @minLength 3 */
  name: string;
  /** Told where it is inherited. */
  note?: string;
}
/** What is asked. */
export interface Request extends Base {
  name: string;
  /** More than the base says. {@inheritDoc} */
  note?: string;
  /**
   * How many, as in {@link Base}.
   * @minimum 1
   * @maximum 9
   * @default 5
   */ count?: number; /** On one line. */ one: Kind;
  nested: { /** Inside of another. */ deep: boolean };
  /** @deprecated Say \`count\`. */
  size?: number;
  settings: typeof settings;
  choice: Choice;
}
/** A kind. */
export type Kind = 'a' | 'b';
/** A choice. */
export enum Choice {
  /** The first. */ First = 'first',
  Second = 'second',
}
/** Settings that are a constant. */
export declare const settings: {
  /** How loud. */
  volume: number;
};
/** A class. */
export declare class Holder {
  /** What it holds. */
  content: string;
  constructor(/** Given at once. */ readonly given: string);
}
`;
const tools = (from: string) => `
import { McpTool } from '@toolwright/core';
import type { Holder, Request } from '${from}';
export class Tools {
  /** Asks. */
  @McpTool() ask(request: Request, partial: Partial<Request>): Holder { throw [request, partial]; }
}`;

test('the doc comments of an installed package have the same effect as those of the project', async () => {
  project = new TemporaryProject({
    'src/sdk.d.ts': SDK,
    'src/near.ts': tools('./sdk.js'),
    'src/far.ts': tools('sdk'),
    'node_modules/sdk/package.json': JSON.stringify({ name: 'sdk', types: 'index.d.ts' }),
    'node_modules/sdk/index.d.ts': SDK,
  });
  const [far, near] = await inspectProject({ project: project.project, cache: false });
  expect(JSON.stringify(far!.input)).toContain('Inside of another.');
  expect(JSON.stringify(far!.input)).toContain('Of the base.');
  expect({ ...far!.input, output: far!.output }).toEqual({ ...near!.input, output: near!.output });
});

test('the doc comments of an installed package are not parsed with its files', () => {
  project = new TemporaryProject({
    'src/a.ts': "import type { Base } from 'sdk';\nexport type { Base };",
    'node_modules/sdk/package.json': JSON.stringify({ name: 'sdk', types: 'index.d.ts' }),
    'node_modules/sdk/index.d.ts': SDK,
  });
  const file = openProject(project.project)
    .program.getSourceFiles()
    .find(({ fileName }) => fileName.endsWith('sdk/index.d.ts'))!;
  const base = file.statements.find(ts.isInterfaceDeclaration)!;
  expect(base.name.text).toBe('Base');
  expect(ts.getJSDocCommentsAndTags(base)).toEqual([]);
});
