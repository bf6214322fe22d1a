import { junitReport } from './junit-report.js';

const at = new Date('2026-05-01T10:20:30.400Z');

test('a report has what the stricter schema asks for, in its order', () => {
  const cases = [
    { name: 'verb-first', group: 'lint', problems: [], kind: 'verb-first' },
    { name: 'a "b" & <c>', group: 'lint', problems: ['one\ttwo', '1 < 2'], kind: 'k' },
  ];
  expect(junitReport('toolwright lint', cases, { at, notes: ['seen & <kept>'] })).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite id="0" package="toolwright lint" name="toolwright lint" hostname="localhost" timestamp="2026-05-01T10:20:30" tests="2" failures="1" errors="0" skipped="0" time="0">
    <properties/>
    <testcase name="verb-first" classname="lint" time="0"/>
    <testcase name="a &quot;b&quot; &amp; &lt;c&gt;" classname="lint" time="0">
      <failure message="one two" type="k">one\ttwo
1 &lt; 2</failure>
    </testcase>
    <system-out>seen &amp; &lt;kept&gt;</system-out>
    <system-err></system-err>
  </testsuite>
</testsuites>
`.replace('<system-err></system-err>', '<system-err/>'),
  );
});

test('no text of a stranger breaks it: what XML cannot hold is replaced', () => {
  const text = '\u0000\u001b[8m\ud800\uffff\u{1f600}]]>';
  const report = junitReport('n', [{ name: text, group: text, problems: [text], kind: text }], { at });
  expect(report).toContain('\ufffd\ufffd[8m\ufffd\ufffd\u{1f600}]]&gt;');
  // eslint-disable-next-line no-control-regex
  expect(report).not.toMatch(/[\u0000-\u0008\u001b\ufffe\uffff]/);
});
