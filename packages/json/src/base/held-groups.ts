type End = (pid: number) => void;

const groups = new Map<number, End>();
const endAll = () => groups.forEach((end, pid) => end(pid));

/** Lets a process group end with this process, however this one ends. @returns a function for when the group is gone */
export function holdGroup(pid: number, end: End): () => void {
  if (groups.size === 0) process.once('exit', endAll);
  groups.set(pid, end);
  return () => {
    groups.delete(pid);
    if (groups.size === 0) process.off('exit', endAll);
  };
}
