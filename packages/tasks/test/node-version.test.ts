import { checkNodeVersion } from '../src/node-version.js';
import { postgresTasks } from '../src/index.js';
import { refusal } from './support/describe-tasks.js';

describe('a queue on an older Node.js', () => {
  it.each(['20.19.0', '22.11.9', '18.0.0'])(
    'is refused on %s, with what is needed and what works',
    (version) => {
      expect(() => checkNodeVersion(version)).toThrow(
        `postgresTasks needs Node.js 22.12 or later, because its engine pg-boss does. This is Node.js ${version}.`,
      );
      expect(() => checkNodeVersion(version)).toThrow('Without a queue, tasks run within the process');
    },
  );

  it.each(['22.12.0', '22.20.1', '24.0.0', '26.1.0'])('is not refused on %s', (version) => {
    expect(() => checkNodeVersion(version)).not.toThrow();
  });

  it('is refused when it is made, before anything connects', () => {
    const make = () => postgresTasks({ url: 'postgres://tester@127.0.0.1:1/tasks' });
    if (refusal() === undefined) expect(make).not.toThrow();
    else expect(make).toThrow('needs Node.js 22.12');
  });
});
