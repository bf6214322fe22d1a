import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { Inject, Injectable, Token, ToolError } from '@toolwright/core';
import { rootedPath, type RootedPath } from '@toolwright/safe';
import type { Entity, Graph, Relation } from './graph.js';

/** The path of the file. */
export const GRAPH_FILE = new Token<string>('graph file');

type Line = ({ type: 'entity' } & Entity) | ({ type: 'relation' } & Relation);

/** A graph in a file, one entity or relation a line. Another program may change the file between two calls. */
@Injectable()
export class GraphFile {
  private readonly folder: RootedPath;
  private readonly name: string;
  private last: Promise<unknown> = Promise.resolve();

  constructor(@Inject(GRAPH_FILE) path: string) {
    const file = realPath(resolve(path));
    mkdirSync(dirname(file), { recursive: true });
    this.folder = rootedPath(dirname(file));
    this.name = basename(file);
  }

  async read(): Promise<Graph> {
    const graph: Graph = { entities: [], relations: [] };
    const lines = (await this.text()).split('\n');
    for (const [index, line] of lines.entries()) if (line.trim()) addLine(graph, line, index + 1);
    return graph;
  }

  /** Changes the graph. Changes wait for each other, so that none of them overwrites another. */
  change<T>(edit: (graph: Graph) => T): Promise<T> {
    const turn = this.last.then(async () => {
      const graph = await this.read();
      const result = edit(graph);
      await this.write(graph);
      return result;
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async text(): Promise<string> {
    const file = await this.folder.open(this.name).catch((error: Error) => {
      if ((error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return '';
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  }

  private write({ entities, relations }: Graph): Promise<void> {
    const lines: Line[] = [
      ...entities.map((entity) => ({ type: 'entity' as const, ...entity })),
      ...relations.map((relation) => ({ type: 'relation' as const, ...relation })),
    ];
    // What is remembered about people is nobody else's business.
    return this.folder.replace(this.name, lines.map((line) => JSON.stringify(line)).join('\n'), {
      mode: 0o600,
    });
  }
}

function addLine(graph: Graph, text: string, number: number): void {
  const line = parse(text, number);
  if (line.type === 'entity') {
    const { name, entityType, observations } = line;
    graph.entities.push({ name, entityType, observations });
  } else if (line.type === 'relation') {
    const { from, to, relationType } = line;
    graph.relations.push({ from, to, relationType });
  }
}

function parse(text: string, number: number): Line {
  try {
    return JSON.parse(text) as Line;
  } catch (cause) {
    throw new ToolError(`Line ${number} of the memory file is not JSON. Somebody has to repair it.`, {
      cause,
    });
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // It does not exist yet.
  }
}
