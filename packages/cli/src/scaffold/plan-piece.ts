import type { Piece, SourceStyle } from 'create-toolwright';
import { dirname, join, relative, sep } from 'node:path';
import { type FileChange } from '../changes/file-change.js';
import { currentText, usageError } from '@toolwright/operate/terminal';
import {
  findServers,
  missingPackage,
  planRegistration,
  type ServerFile,
  sourceFolder,
} from './plan-registration.js';

export interface PieceRequest extends Piece {
  /** Absolute path of the tsconfig. */
  project: string;
  /** Absolute path of the folder to write into. By default, the folder of the file that creates the server. */
  folder: string | undefined;
}

export interface PlannedPiece {
  changes: FileChange[];
  notes: string[];
}

/**
 * Plans the files of a tool, resource or prompt, and its registration where the server lists its services.
 *
 * @throws {CommandError} if a file with that name exists, or package.json cannot be read
 * @throws {ProjectError} the tsconfig cannot be read
 */
export async function planPiece({ kind, name, project, folder }: PieceRequest): Promise<PlannedPiece> {
  const edits = await import('@toolwright/codemod');
  const { pieceFiles } = await import('create-toolwright');
  const layout = edits.projectLayout(project);
  const servers = findServers(layout);
  const target = folder ?? (servers[0] ? dirname(servers[0].path) : sourceFolder(layout));
  const { importEnding } = layout;
  const style = { importEnding, runner: testRunnerOf(layout.root) };
  const place = { target, importEnding, edits };
  const alone = pieceFiles({ kind, name }, style);
  const { changes, notes } = planRegistration(alone, servers, place);
  // A class that is added by hand is not yet part of what `createServer` makes.
  const server = notes.length === 0 ? importOfServer(servers, target) : undefined;
  const piece = server === undefined ? alone : pieceFiles({ kind, name }, { ...style, server });
  const files = [...piece.files].map(([file, after]) => ({
    path: join(target, file),
    before: undefined,
    after,
  }));
  const taken = files.find(({ path }) => currentText(path) !== undefined);
  if (taken) throw usageError(`${taken.path} already exists.`);
  return {
    changes: [...files, ...changes],
    notes: [...notes, ...missingPackage(layout.root, '@toolwright/testing', 'test')],
  };
}

/** What a test of the new class imports `createServer` from, if it can be called without arguments. */
function importOfServer([server]: readonly ServerFile[], target: string): string | undefined {
  const isCallable =
    server &&
    /export (?:const createServer = (?:async )?|(?:async )?function createServer)\((?:\)|\w+\?)/.test(
      server.text,
    );
  if (!isCallable) return undefined;
  const from = relative(target, server.path.replace(/\.[cm]?tsx?$/, ''))
    .split(sep)
    .join('/');
  return from.startsWith('.') ? from : `./${from}`;
}

/** The test runner of a package, according to its own package.json or that of the surrounding workspace. */
function testRunnerOf(directory: string): SourceStyle['runner'] {
  const text = currentText(join(directory, 'package.json'));
  const found = text === undefined ? undefined : /"(jest|vitest)"\s*:/.exec(text)?.[1];
  if (found !== undefined) return found as SourceStyle['runner'];
  return dirname(directory) === directory ? 'node' : testRunnerOf(dirname(directory));
}
