import type { BoundTool, Call } from '@toolwright/core';
import {
  type ContextCall,
  type Extension,
  type ExtensionHost,
  type ExtensionParts,
  extend,
  withoutAround,
} from '@toolwright/core/extend';
import { type Searching, extension as searchExtension, isForModels, worstOf } from '@toolwright/search';
import { type CodeModeOption, codeModeOption, codeSettingsOf } from './code-options.js';
import type { BuiltDeclarations } from './build-step.js';
import { Declarations } from './declarations/declarations.js';
import { countPrograms } from './count-programs.js';
import { explainPrograms } from './explain-programs.js';
import { RECORDED } from './program/program-run.js';
import { Programs } from './program/programs.js';
import { SandboxPool } from './sandbox/pool.js';

/** Lets models write programs against the tools of a server. A server starts it by the option `codeMode`. */
export const extension: Extension = {
  name: '@toolwright/code',
  options: codeModeOption,
  start: startCode,
};

type Next = () => unknown;

declare module '@toolwright/core/extend' {
  interface BackgroundNouns {
    program: true;
  }
  interface ExtraContext {
    /** @internal The call of `run_code`, for the package. */
    readonly programCall?: ContextCall;
  }
}

const RUN_CODE = 'run_code';

/** After all that decides who may call, and before the limits. */
const DECIDED = 46;

/** Tools that make calls of others. A program makes them itself. */
const CALLERS = [RUN_CODE, 'call_tool', 'load_group'];

async function startCode(host: ExtensionHost): Promise<ExtensionParts> {
  const { server, options, calls, clock } = host;
  const settings = codeSettingsOf(options['codeMode'] as CodeModeOption);
  const { searching } = (await extend(server, searchExtension)) as ExtensionParts & {
    readonly searching: Searching;
  };
  const declarations = new Declarations(settings.declarations);
  const pool = new SandboxPool(settings.programs, host);
  // `tools` cannot have a method of this name: `await tools` would call it.
  const mayCall = (tool: BoundTool) =>
    isForModels(tool) &&
    tool.name !== 'then' &&
    (!settings.readsOnly || tool.annotations.readOnlyHint === true);
  searching.callWith({
    name: RUN_CODE,
    keepsList: settings.listsAll,
    declarationOf: (tool) => (mayCall(tool) ? declarations.of(tool) : undefined),
  });
  const parts = {
    pool,
    limits: settings.limits,
    calls,
    clock,
    unknown: searching.unknown,
    refuses(tool: BoundTool) {
      if (CALLERS.includes(tool.name))
        return `Call tools by their own names in a program, and not with ${tool.name}.`;
      if (!isForModels(tool)) return `"${tool.name}" is only for the pages of apps.`;
      if (!mayCall(tool))
        return `"${tool.name}" may change something, and programs of this server only read.`;
      return undefined;
    },
  };
  const programs = new Programs(parts, host);
  /** What is declared first is what is pinned, then the list in its order. */
  const inOrder = (tools: readonly BoundTool[]) => {
    const pinned = searching.pinned.flatMap((name) => tools.filter((tool) => tool.name === name));
    return [...new Set([...pinned, ...tools])].filter((tool) => !tool.isUnlisted);
  };

  return {
    operator: {
      'code.explain': {
        run: ({ caller }) => explainPrograms({ server, settings, caller, refuses: parts.refuses }),
      },
    },
    context: { programCall: (call: ContextCall) => call },
    guards: [
      {
        name: 'recorded',
        position: DECIDED,
        summary: 'Answers a call of a program that an earlier round has made. It is not made again.',
        plan: ({ kind }) =>
          kind === 'tool'
            ? { step: (call: Call, next: Next) => (call.request.isRecorded ? RECORDED : next()) }
            : undefined,
      },
    ],
    describe: {
      [RUN_CODE]: (visible: readonly BoundTool[]) => {
        const tools = visible.filter((tool) => searching.isSearched(tool) && mayCall(tool));
        const { text, others } = declarations.first(inOrder(tools));
        return { annotations: worstOf(tools), description: describeRunCode(text, others) };
      },
    },
    ready() {
      const built = host.manifestFields().map(({ value }) => value as BuiltDeclarations);
      declarations.counted = new Map(built.flatMap(({ tokens }) => Object.entries(tokens)));
      // Not before: on few cores, the thread would take the time of the boot.
      pool.warm();
      server.tools.add([{ ...countPrograms(host, runCode()), origin: '@toolwright/code' }]);
    },
    close: () => pool.close(),
  };

  function runCode(): Parameters<typeof server.tools.add>[0] {
    return {
      name: RUN_CODE,
      title: 'Run a program',
      description: describeRunCode('', 0),
      annotations: worstOf([]),
      policies: [withoutAround],
      task: { mode: 'optional', start: 'explicit', rerun: true },
      inputSchema: {
        type: 'object',
        properties: {
          code: {
            type: 'string',
            description: 'JavaScript: the body of an async function.',
            maxLength: MOST_CODE,
            writeOnly: true,
          },
        },
        required: ['code'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          result: { 'x-sensitive': true },
          logs: { type: 'array', items: { type: 'string' }, 'x-sensitive': true },
        },
        required: ['result'],
      },
      async handler(args, ctx) {
        const { code } = args as { code: string };
        // On a queue, a program goes on when its process is lost.
        if (ctx.programCall!.request.task?.isQueued) await ctx.startTask();
        const outcome = await programs.run(ctx.programCall!, code, (done, tool) =>
          ctx.progress(done, undefined, tool),
        );
        if (!outcome) return { result: null };
        return { result: outcome.result, ...(outcome.logs.length > 0 && { logs: outcome.logs }) };
      },
    };
  }
}

const MOST_CODE = 100_000;

const DESCRIPTION =
  'Run a JavaScript program that calls tools of this server: `const { orders } = await tools.find_orders({ state: "open" });`. ' +
  'It is the body of an async function: `return` what you need to know, and only that. Calls may run at the same time ' +
  '(`Promise.all`). A failed call throws an Error with `message`, `code` and `retryAfterMs`. `console.log` writes to the result. ' +
  'There are no files, no network and no timers but `await sleep(ms)`.';

/** @param others how many tools a program may call that are not declared */
function describeRunCode(declarations: string, others: number): string {
  const declared = declarations === '' ? '' : ` The tools:\n\n\`\`\`ts\n${declarations}\`\`\`\n`;
  const more = declarations === '' ? ' Find tools' : `\n${others} more: find them`;
  return `${DESCRIPTION}${declared}${declared && others === 0 ? '' : `${more} with search_tools.`}`;
}
