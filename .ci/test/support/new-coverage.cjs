/**
 * Jest copies the coverage of a test file, sends it to the main process and adds it up there: all counters of some hundred
 * sources, with the places they stand for, for each test file. That costs as much as the tests. What is counted in the end is
 * which counters are above zero, so a worker reports only the sources in which a test file has reached something new.
 */
const reached = new Map();

/** The entries of a coverage object that tell something that this worker has not reported yet. */
function keepNewCoverage(coverage) {
  const kept = {};
  for (const [file, counters] of Object.entries(coverage)) if (isNew(file, counters)) kept[file] = counters;
  return kept;
}

function isNew(file, { s, f, b }) {
  const known = reached.get(file) ?? new Set();
  const before = reached.has(file) ? known.size : -1;
  for (const [kind, counts] of Object.entries({ s, f }))
    for (const key in counts) if (counts[key] > 0) known.add(kind + key);
  for (const key in b)
    for (let way = 0; way < b[key].length; way++) if (b[key][way] > 0) known.add(`b${key}.${way}`);
  reached.set(file, known);
  return known.size > before;
}

module.exports = { keepNewCoverage };
