import { expect, test } from 'vitest';
import { limitsHere } from './prepare-run';
import { mountedPath } from './volume-path';

test('a file of a Volume is found under the mount, whatever it is called', () => {
  expect(mountedPath('/Volumes/c/s/v/runs/1/input.json', '/Volumes')).toBe(
    '/Volumes/c/s/v/runs/1/input.json',
  );
  expect(mountedPath('/Volumes/c/s/v/a b/ü.json', '/tmp/mount')).toBe('/tmp/mount/c/s/v/a b/ü.json');
});

test.each([
  '',
  'Volumes/c/s/v/x',
  '/Volumes',
  '/Volumes/c/s/v',
  '/Volumes/c/s/v/',
  '/Volumes/c/s/v/../x',
  '/Volumes/../etc/passwd',
  '/VolumesOfSomebody/c/s/v/x',
  '/Volumes/c/s/v/x\0y',
])('a path that leads out of Volumes is refused: %j', (file) => {
  expect(() => mountedPath(file, '/Volumes')).toThrow(TypeError);
});

test('a run takes no more memory than its machine has left, and is never asked to work with nearly nothing', () => {
  const limits = { maxRunSeconds: 60, maxMemoryMb: 1_536, maxPages: 10 };
  const gigabytes = (count: number) => count * 1024 ** 3;
  expect(limitsHere(limits, gigabytes(16))).toEqual(limits);
  expect(limitsHere(limits, gigabytes(1)).maxMemoryMb).toBe(819);
  expect(limitsHere(limits, 0).maxMemoryMb).toBe(256);
});
