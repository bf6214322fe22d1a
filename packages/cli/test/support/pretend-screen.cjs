// Preloaded into the command: its streams are pipes, and it takes them for a terminal.
for (const stream of [process.stdin, process.stdout, process.stderr]) {
  Object.assign(stream, { isTTY: true, columns: 80, rows: 24 });
}
