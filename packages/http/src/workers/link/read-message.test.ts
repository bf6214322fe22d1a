import { type ToWorker, readMessage } from './messages.js';
import { MachineStores } from '../primary/machine-stores.js';

it.each([
  [null],
  [7],
  ['hello'],
  [{ 0: 'hello' }],
  [[]],
  [['toString']],
  [['ask']],
  [['ask', '1', []]],
  [['ask', 1, null]],
  [['ready']],
  [['ready', {}]],
  [['release', -1]],
  [['publish', null]],
  [['publish', { type: 'unknown' }]],
  [['returned', [1, 1], 0, 0]],
  [['returned', [1, 1, 'key'], 0, '1']],
])('%j is no message of a worker', (message) => {
  expect(readMessage(message)).toBeUndefined();
});

it.each([
  [[]],
  [[null]],
  [['store', 'claims', 'constructor', []]],
  [['store', 'claims', 'hasOwnProperty', ['x']]],
  [['store', '__proto__', 'claim', []]],
  [['store', 'constructor', 'claim', []]],
  [['store', ['claims'], 'claim', []]],
  [['store', 'claims', 'claim', 'none']],
  [['lease', [null]]],
  [['lease', [{ key: 'a', max: 'b' }]]],
  [['points', [1, 1, 'key'], null, 0, 0]],
  [['points', [1, 1, {}], 1, 0, 0]],
])('a worker that asks %j gets a fault, and the next question is answered', (question) => {
  const answers: ToWorker[] = [];
  const connection = new MachineStores(1).join((message) => answers.push(message));
  connection.hear(readMessage(['ask', 1, question])!);
  connection.hear(readMessage(['ask', 2, ['store', 'claims', 'claim', ['key', 1_000]]])!);
  expect(answers).toEqual([
    ['fault', 1, 'Error: The primary process does not know such a question.'],
    ['answer', 2, true],
  ]);
});
