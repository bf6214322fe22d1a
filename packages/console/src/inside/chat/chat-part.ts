import { resolve, relative, sep } from 'node:path';
import type { OwnCall } from '../../api/call-api.js';
import type { ChatApi, ChatOf, ShownChat } from '../../api/chat-api.js';
import type { ToolExplanation } from '@toolwright/core/operate';
import { systemClock } from '@toolwright/core/ports';
import { canonicalJson, isVisibleTo, keepNewest, reasonOf } from '@toolwright/json';
import { ConsoleRefusal } from '../../api/console-api.js';
import { isDestructive } from '../../api/listed-hints.js';
import type { OwnCalls } from '../calls/own-calls.js';
import type { Part, PartHost } from '../part.js';
import { askUnseen, principalOf } from '../unseen-client.js';
import {
  type ChatPackage,
  type LoadedChat,
  type LoadedHost,
  type LoadedSettings,
  loadChat,
} from './load-chat.js';

/** Chats of all operators, each as some callers. */
const MAX_CHATS = 20;

/** Where cases go. The environment may name another file. */
const CASES = 'test/chat.cases.json';

/** Lets a model of the environment call tools. `@toolwright/chat` talks to the model; the console makes the calls. */
export function chatPart(
  host: PartHost,
  calls: OwnCalls,
  load: () => ChatPackage | undefined = loadChat,
): Part<keyof ChatApi> {
  const chats = new Map<string, LoadedChat>();
  /** @throws {ConsoleRefusal} without the package */
  const found = (): ChatPackage => {
    const chat = load();
    if (chat) return chat;
    throw new ConsoleRefusal('Install @toolwright/chat, and start the server again.');
  };
  const show = (of: OwnedChat): ShownChat => describe(found(), chats.get(keyOf(of)));
  const tell = (of: OwnedChat) => {
    const { server, as, by } = of;
    // The user of the process has no name at a console.
    const operator = by === host.by ? undefined : by;
    host.tell({ type: 'chat', server, ...(as && { as }), ...(operator && { operator }), chat: show(of) });
  };
  /** The chat of this operator as this caller. Without one, it begins. */
  const open = (of: OwnedChat): LoadedChat => {
    const known = chats.get(keyOf(of));
    if (known) return known;
    const chat = found();
    const settings = orRefused(() => chat.readChatSettings(process.env));
    const begun = new chat.Chat(settings, hostOf(of, { host, calls, changed: () => tell(of) }));
    keepNewest(chats, keyOf(of), begun, MAX_CHATS);
    return begun;
  };
  const casesOf = (of: OwnedChat, turn: number) => {
    const cases = chats.get(keyOf(of))?.cases(turn) ?? [];
    if (cases.length === 0)
      throw new ConsoleRefusal('Nothing of this turn can be a case: no answer of it is there.');
    return cases;
  };
  /** Looks at the server first: a name that is wrong is a refusal of its own. */
  const changing = (asked: ChatOf, by: string, change: (of: OwnedChat) => unknown): ShownChat => {
    host.server(asked.server);
    const of = owned(asked, by);
    orRefused(() => change(of));
    return show(of);
  };
  return {
    chat: (asked, by) => changing(asked, by, () => undefined),
    sendToChat: (asked, by) =>
      changing(asked, by, (of) => open(of).send(typeof asked.text === 'string' ? asked.text : '')),
    allowChatCall: (asked, by) =>
      changing(asked, by, (of) => {
        if (!chats.get(keyOf(of))?.allow(String(asked.call), asked.isAllowed === true))
          throw new ConsoleRefusal('This call does not wait for an answer any more.');
      }),
    stopChat: (asked, by) => changing(asked, by, (of) => chats.get(keyOf(of))?.stop()),
    newChat: (asked, by) =>
      changing(asked, by, (of) => {
        chats.get(keyOf(of))?.stop();
        chats.delete(keyOf(of));
        tell(of);
      }),
    casesOfChat: (asked, by) => ({
      cases: casesOf(owned(asked, by), asked.turn) as Readonly<Record<string, unknown>>[],
    }),
    saveChatCases(asked, by) {
      const path = resolve(process.env['TOOLWRIGHT_CHAT_CASES'] || CASES);
      const cases = casesOf(owned(asked, by), asked.turn) as readonly never[];
      const names = orRefused(() => found().addCases(path, cases));
      return { file: relative(process.cwd(), path).split(sep).join('/'), names };
    },
  };
}

/** A chat belongs to its operator: nobody reads what another one has written, or answers for them. */
interface OwnedChat extends ChatOf {
  readonly by: string;
}

const owned = ({ server, as }: ChatOf, by: string): OwnedChat => ({ server, ...(as && { as }), by });

const keyOf = ({ server, as, by }: OwnedChat) => canonicalJson([by, server, as ?? null]);

function describe(chat: ChatPackage, open: LoadedChat | undefined): ShownChat {
  const turns = open?.turns ?? [];
  let settings: LoadedSettings;
  try {
    settings = chat.readChatSettings(process.env);
  } catch (error) {
    return { off: reasonOf(error), turns };
  }
  return { model: { name: settings.model, host: new URL(settings.url).host }, turns };
}

/** What a person has done wrong is a refusal, with the words of the package. */
function orRefused<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw error instanceof ConsoleRefusal ? error : new ConsoleRefusal(reasonOf(error));
  }
}

interface Needs {
  readonly host: PartHost;
  readonly calls: OwnCalls;
  readonly changed: () => void;
}

function hostOf(of: ChatOf, { host, calls, changed }: Needs): LoadedHost {
  const { server, as } = of;
  return {
    changed,
    now: () => systemClock.now(),
    offered: () =>
      askUnseen(host.server(server), as, async (client) => {
        const listed = 'tools' in client.server.capabilities ? await client.tools() : [];
        const tools = listed.filter((tool) => isVisibleTo('model', tool));
        const destructive = new Set(tools.filter(isDestructive).map(({ name }) => name));
        return {
          tools,
          system: client.server.instructions,
          isFree: (tool) => !destructive.has(tool) || asksItself(host, of, tool),
        };
      }),
    call: ({ tool, arguments: args, signal, began }) =>
      new Promise((settle) => {
        const request = { server, kind: 'tool', key: tool, arguments: args, ...(as && { as }) } as const;
        const cancel = () => void call.cancel();
        const call = calls.start(request, (ended) => {
          // The signal is that of the whole turn.
          signal.removeEventListener('abort', cancel);
          settle(endOf(ended));
        });
        signal.addEventListener('abort', cancel, { once: true });
        began(call.soFar.id);
      }),
  };
}

/**
 * Whether a guard of the tool asks the person for each call, so that nobody is asked twice. A guard that asks for some calls only
 * (`when`) does not count: a second question is better than none.
 */
function asksItself(host: PartHost, { server, as }: ChatOf, tool: string): boolean {
  const explained = host.server(server).explain(tool, { principal: as && principalOf(as) });
  const all = explained ? [explained, ...(explained.others ?? [])] : [];
  const asks = ({ steps }: ToolExplanation) =>
    steps.some(({ name, isConditional }) => name === 'confirm' && !isConditional);
  return all.length > 0 && all.every(asks);
}

function endOf({
  result,
  error,
}: OwnCall): { result: Readonly<Record<string, unknown>> } | { error: string } {
  return result ? { result } : { error: error?.message ?? 'The call has no result.' };
}
