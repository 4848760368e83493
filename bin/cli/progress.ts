import { SingleBar } from 'cli-progress';

/** Progress on stderr: a bar for a person, a line now and then for a log. */
export interface Progress {
  update(done: number): void;
  end(): void;
}

const LINE_EVERY_MS = 5000;

export function showProgress(what: string, total: number): Progress {
  return process.stderr.isTTY ? bar(what, total) : lines(what, total);
}

function bar(what: string, total: number): Progress {
  const shown = new SingleBar({
    format: `${what} {bar} {value}/{total} · {duration_formatted}`,
    stream: process.stderr,
  });
  shown.start(total, 0);
  return { update: (done) => shown.update(done), end: () => shown.stop() };
}

function lines(what: string, total: number): Progress {
  let told = -1;
  let toldAt = 0;
  const tell = (done: number) => {
    told = done;
    toldAt = Date.now();
    process.stderr.write(`${what} ${done}/${total}\n`);
  };
  tell(0);
  return {
    update: (done) => {
      if (done !== told && (done === total || Date.now() - toldAt > LINE_EVERY_MS)) tell(done);
    },
    end: () => {},
  };
}
