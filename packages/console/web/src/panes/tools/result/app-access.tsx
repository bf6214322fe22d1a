import { useEffect, useRef, useState } from 'react';
import type { OwnCall } from '../../../../../src/api/call-api.js';
import { isVisibleTo } from '../../../../../../json/src/base/visible-to.js';
import { isDestructive } from '../../../../../src/api/listed-hints.js';
import type { Operation } from '../../../../../src/api/surface-api.js';
import type { CallFollower } from '../../../data/live.js';
import { JsonView } from '../../../ui/json-view.js';
import { Button } from '../../../ui/pieces.js';

/** What a page wants to do that a person has to allow. */
export interface AppQuestion {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface AppAccessPorts {
  /** What the caller of the call sees. */
  readonly operations: () => Promise<readonly Operation[]>;
  /** Makes a call as the caller of the first call. Throws what the server refuses. */
  readonly run: (
    wanted: { readonly kind: 'tool' | 'resource'; readonly key: string; readonly arguments: Result },
    follower?: CallFollower,
  ) => Promise<Result>;
  /** Asks the person at the console. */
  readonly confirm: (question: AppQuestion) => Promise<boolean>;
}

type Result = Readonly<Record<string, unknown>>;

/**
 * What the page of an MCP App may ask of its server. A stranger may have written the page, so it calls only tools that
 * are for pages, it runs nothing destructive by itself, and it reads only what its own tool links.
 */
export class AppAccess {
  readonly #readable: Set<string>;

  /** @param call the call whose result the page shows, as it is now */
  constructor(
    uri: string,
    private readonly call: () => Pick<OwnCall, 'request' | 'result'>,
    private readonly ports: AppAccessPorts,
  ) {
    this.#readable = new Set([uri]);
  }

  async callTool(name: string, args: Result, follower?: CallFollower): Promise<Result> {
    const operations = await this.ports.operations();
    const tool = operations.find(({ kind, key }) => kind === 'tool' && key === name);
    if (!tool || !isVisibleTo('app', tool.listed)) throw new Error(`Pages may not call the tool ${name}.`);
    if (isDestructive(tool.listed) && !(await this.ports.confirm({ tool: name, arguments: args })))
      throw new Error(`The person did not allow the call of ${name}.`);
    const result = await this.ports.run({ kind: 'tool', key: name, arguments: args }, follower);
    if (name === this.call().request.key) for (const link of linksOf(result)) this.#readable.add(link);
    return result;
  }

  async readResource(uri: string): Promise<Result> {
    if (!this.#readable.has(uri) && !linksOf(this.call().result).includes(uri))
      throw new Error(`The tool of this page does not link ${uri}.`);
    return this.ports.run({ kind: 'resource', key: uri, arguments: {} });
  }
}

/** The resources that a result links or contains. */
function linksOf(result: Result | undefined): string[] {
  const content = result?.['content'];
  if (!Array.isArray(content)) return [];
  const uris = (content as { type?: string; uri?: unknown; resource?: { uri?: unknown } }[]).map((block) =>
    block.type === 'resource_link' ? block.uri : block.type === 'resource' ? block.resource?.uri : undefined,
  );
  return uris.filter((uri): uri is string => typeof uri === 'string');
}

/** A page chooses the moment of its question. So nobody can allow it with a click that was meant for the page. */
const LOOK_MS = 1_000;

/** Asks the person whether the page of an app may run a tool. */
export function AppQuestionDialog({
  question,
  answer,
}: {
  question: AppQuestion;
  answer: (isAllowed: boolean) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    const timer = setTimeout(() => setSeen(true), LOOK_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-label="The app asks" onCancel={() => answer(false)}>
      <div className="stack">
        <h2>The app wants to run a tool</h2>
        <p>
          The page asks to call <code>{question.tool}</code>, which may change or destroy something.
        </p>
        <JsonView value={question.arguments} openTo={3} label="Arguments of the page" />
        <div className="row">
          <Button autoFocus onClick={() => answer(false)}>
            Refuse
          </Button>
          <Button look="danger" disabled={!isSeen} onClick={() => answer(true)}>
            Allow this call
          </Button>
        </div>
      </div>
    </dialog>
  );
}
