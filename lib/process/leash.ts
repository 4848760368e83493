/** How often a leashed process looks whether its parent is still there. */
const LOOK_MS = 300;

/**
 * Node options that put a child on a leash: when this process is gone, however it went, the child and its group are
 * killed. A thread of its own does the looking, because a document that hangs the reader hangs its main thread, which
 * then never hears that the channel to its parent was lost. For a child that leads its own process group.
 */
export function leashArguments(): string[] {
  const watch = `
    const parent = ${process.pid};
    const look = () => {
      if (process.ppid === parent) return;
      try { process.kill(-process.pid, 'SIGKILL'); } catch {}
      process.kill(process.pid, 'SIGKILL');
    };
    look();
    setInterval(look, ${LOOK_MS});`;
  // Threads run what the process was started with, too: only the main one ties the leash.
  const preload = `
    import { isMainThread, Worker } from 'node:worker_threads';
    if (isMainThread) new Worker(${JSON.stringify(watch)}, { eval: true, execArgv: [], env: {} }).unref();`;
  return ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
}
