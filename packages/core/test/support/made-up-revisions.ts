import type { RenamedMethods } from '@toolwright/wire/methods';
import type { RevisionRecord } from '@toolwright/wire/revision-record';
import { servedRevisions } from '@toolwright/wire/revisions';
import { revision20251125 } from '@toolwright/wire/revisions/2025-11-25';
import { revision20260728 } from '@toolwright/wire/revisions/2026-07-28';

const inEachEra: RenamedMethods = {
  'tools/list': { name: 'tools/all', parameters: { cursor: 'after' } },
  'tools/call': {
    name: 'tools/invoke',
    parameters: { name: 'tool', arguments: 'input', inputResponses: 'answers', requestState: 'state' },
  },
  'prompts/get': { name: 'prompts/fill', parameters: { name: 'prompt', arguments: 'input' } },
  'resources/read': { name: 'resources/open', parameters: { uri: 'address' } },
  'completion/complete': { name: 'completion/suggest', parameters: { argument: 'part' } },
  'elicitation/create': { name: 'elicitation/ask', parameters: { message: 'text' } },
  'notifications/progress': { name: 'notifications/step', parameters: { progressToken: 'of' } },
  'notifications/message': { name: 'notifications/log', parameters: { data: 'what' } },
  'notifications/tools/list_changed': { name: 'notifications/tools/changed' },
  'notifications/cancelled': { name: 'notifications/stopped', parameters: { requestId: 'request' } },
};

/** What a revision of each era takes that renames methods: a record like these, and a line in the table. */
export const renamingStateless: RevisionRecord = {
  ...revision20260728,
  version: '2027-02-03',
  renamed: {
    ...inEachEra,
    'server/discover': { name: 'server/describe' },
    'subscriptions/listen': { name: 'changes/listen', parameters: { notifications: 'of' } },
    'notifications/subscriptions/acknowledged': { name: 'notifications/listening' },
    'tasks/get': { name: 'tasks/look', parameters: { taskId: 'task' } },
  },
};
export const renamingStateful: RevisionRecord = {
  ...revision20251125,
  version: '2026-01-02',
  renamed: {
    ...inEachEra,
    'notifications/initialized': { name: 'notifications/ready' },
    'logging/setLevel': { name: 'logging/choose', parameters: { level: 'from' } },
    'resources/subscribe': { name: 'resources/watch', parameters: { uri: 'address' } },
    'notifications/resources/updated': { name: 'notifications/resources/changed' },
    'tasks/result': { name: 'tasks/wait' },
  },
};

(servedRevisions as RevisionRecord[]).push(renamingStateless, renamingStateful);

/** The names that these revisions gave up. */
export const formerNames = [renamingStateless, renamingStateful].flatMap(({ renamed = {} }) =>
  Object.keys(renamed),
);
