import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { now } from './clock';

/** Clock ticks a second in /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

interface ProcessTimes {
  readonly parent: number;
  /** Ticks of its own and of its children that have ended. */
  readonly ticks: number;
}

/** CPU seconds used so far. */
interface Snapshot {
  readonly at: number;
  /** By all of the machine, time that its host gave to others included. */
  readonly machine: number;
  readonly postgres: number;
  readonly redis: number;
  /** This process and those it started, servers left out. */
  readonly node: number;
}

/** CPU seconds used between two moments. */
export interface Usage {
  readonly seconds: number;
  readonly postgres: number;
  readonly redis: number;
  readonly node: number;
  /** Share of the machine, 0 to 1, that neither we nor our servers used. */
  readonly others: number;
}

/** Counts from /proc who used the processors: our servers, our own processes, and everybody else. */
export class Accounting {
  readonly #cores = os.availableParallelism();

  constructor(private readonly servers: { readonly postgres: number; readonly redis: number | null }) {}

  /** Starts counting; the function returned ends it. */
  begin(): () => Usage {
    const from = this.#take();
    return () => {
      const to = this.#take();
      const seconds = (to.at - from.at) / 1000;
      const used = (key: 'machine' | 'postgres' | 'redis' | 'node') => to[key] - from[key];
      const own = used('postgres') + used('redis') + used('node');
      const others = Math.max(0, used('machine') - own) / (seconds * this.#cores);
      return { seconds, postgres: used('postgres'), redis: used('redis'), node: used('node'), others };
    };
  }

  #take(): Snapshot {
    const all = readProcesses();
    const postgres = ticksOfTree(all, this.servers.postgres);
    const redis = this.servers.redis === null ? 0 : ticksOfTree(all, this.servers.redis);
    const node = ticksOfTree(all, process.pid) - postgres - redis;
    const seconds = { postgres: postgres / TICKS, redis: redis / TICKS, node: node / TICKS };
    return { at: now(), machine: machineTicks() / TICKS, ...seconds };
  }
}

function readProcesses(): ReadonlyMap<number, ProcessTimes> {
  const found = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The command's name may hold anything, so count from its closing bracket: state, parent, …
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = [11, 12, 13, 14].reduce((sum, n) => sum + Number(fields[n]), 0);
      found.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // It has just ended.
    }
  }
  return found;
}

function ticksOfTree(all: ReadonlyMap<number, ProcessTimes>, top: number): number {
  const children = Map.groupBy(all.keys(), (pid) => all.get(pid)?.parent ?? 0);
  const open = [top];
  let ticks = 0;
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    ticks += all.get(pid)?.ticks ?? 0;
    open.push(...(children.get(pid) ?? []));
  }
  return ticks;
}

function machineTicks(): number {
  const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return user + nice + system + irq + softIrq + steal;
}
