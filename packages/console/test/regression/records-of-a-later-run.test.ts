import { RecordList } from '../../web/src/data/record-list.js';

/** A page with a list of records, whose frames the test draws. */
function open() {
  const frames: (() => void)[] = [];
  const list = new RecordList<string>(100, (draw) => void frames.push(draw));
  const draw = () => frames.splice(0).forEach((each) => each());
  return { list, draw, shown: () => list.all.map(({ record }) => record) };
}

const records = (...texts: string[]) => texts.map((record, index) => ({ seq: index + 1, record }));

// `toolwright dev` was ended and started again while a page was open. Its first calls were not shown: the page took their numbers
// for those of the run before.
test('a server that has started anew is seen from its first record', () => {
  const { list, draw, shown } = open();
  list.fill(records('old 1', 'old 2', 'old 3'));
  list.hold();
  const [, second] = records('new 1', 'new 2');
  list.add(second!);
  draw();
  list.fill(records('new 1'));
  list.release();
  expect(shown()).toEqual(['new 1', 'new 2']);
});

test('a server that has started anew, and has more records than the page, replaces all of them', () => {
  const { list, shown } = open();
  list.fill(records('old 1', 'old 2'));
  list.hold();
  list.fill(records('new 1', 'new 2', 'new 3'));
  list.release();
  expect(shown()).toEqual(['new 1', 'new 2', 'new 3']);
});

test('after a break of the connection, records are added to those of the same run', () => {
  const { list, draw, shown } = open();
  list.fill(records('1', '2'));
  list.hold();
  const all = records('1', '2', '3', '4');
  list.add(all[3]!);
  draw();
  expect(shown()).toEqual(['1', '2']);
  list.fill(all.slice(0, 3));
  list.release();
  expect(shown()).toEqual(['1', '2', '3', '4']);
  list.add({ seq: 5, record: '5' });
  draw();
  expect(shown()).toEqual(['1', '2', '3', '4', '5']);
});

test('records come on when the question has failed', () => {
  const { list, draw, shown } = open();
  list.hold();
  list.add({ seq: 1, record: '1' });
  draw();
  list.release();
  expect(shown()).toEqual(['1']);
});
