import { openTaskRecord, taskSeals } from '@toolwright/queue';
import type { SubjectRecords, SubjectSource, TaskRecord } from '@toolwright/core/ports';
import { present } from '@toolwright/json';
import { TaskOperator } from './task-operator.js';

const BY = 'subject command';

/** What the tables of tasks keep about a subject. What a task says is sealed with the name of its server. */
export const subjectSource: SubjectSource = {
  async open({ database, taskSchema, secrets, server }) {
    if (database === undefined) return { records: [] };
    const operator = await TaskOperator.open(present({ url: database, schema: taskSchema, by: BY }));
    const seals = server === undefined || secrets.length === 0 ? undefined : taskSeals(secrets, server);
    const shown = ({ tool, record }: { tool: string | undefined; record: TaskRecord }) => {
      const { id, status, createdAt, updatedAt, ttlMs } = record;
      const known = { id, tool, status, createdAt, updatedAt, ttlMs };
      if (!seals) return known;
      const { statusMessage, questions, answers, ending } = openTaskRecord(record, seals);
      return { ...known, statusMessage, questions, answers, ending };
    };
    const tasks: SubjectRecords = {
      kind: 'tasks',
      async *find(owner) {
        for await (const task of operator.ofOwner(owner)) yield shown(task);
      },
      erase: (owner) => operator.erase(owner),
    };
    const unsearched = seals ? [] : ['what tasks say: it is sealed for a server that --server does not name'];
    return { records: [tasks], unsearched, close: () => operator.close() };
  },
};
