import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './root.mjs';

/**
 * Runs the script of an installed package on this Node, without stdin, and resolves to its exit code.
 * @param {string} script below node_modules
 */
export function runTool(title, script, args, env = {}) {
  process.stdout.write(`\n— ${title}\n`);
  const child = spawn(process.execPath, [path.join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, NEXT_TELEMETRY_DISABLED: '1', PATH: withBin() },
  });
  // The tool gets the terminal's Ctrl-C itself and ends what it started; then there is nothing more to run.
  const stop = (signal) => {
    if (signal === 'SIGTERM') child.kill(signal);
    child.once('exit', () => process.exit(130));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${script}: ${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(code ?? 1);
    });
  });
}

/** What tests start by name must find our Node first. */
function withBin() {
  return [path.join(root, 'node_modules', '.bin'), process.env.PATH].filter(Boolean).join(path.delimiter);
}
