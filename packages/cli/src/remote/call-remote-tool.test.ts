import { unknown } from './call-remote-tool.js';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('a name that is near is offered alone', () => {
  const { message } = unknown('tool', 'find_note', named('find_notes', 'add'));
  expect(message).toBe('The server lists no tool find_note. Did you mean find_notes?');
});

test('without a near name, each name has a line of its own', () => {
  const { message } = unknown('prompt', 'zzzzzz', named('find_notes', 'add\nline'));
  expect(message).toBe('The server lists no prompt zzzzzz. It lists:\n  find_notes\n  add\\u{a}line');
});

test('of many names a screenful is shown', () => {
  const { message } = unknown(
    'tool',
    'zzzzzz',
    named(...Array.from({ length: 500 }, (_, at) => `tool_${at}`)),
  );
  expect(message.split('\n')).toHaveLength(22);
  expect(message).toMatch(/\n {2}tool_19\n {2}and 480 more$/);
});
