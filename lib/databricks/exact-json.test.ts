import { expect, test } from 'vitest';
import { idNumber, parseExactJson, WorkspaceId, writeExactJson } from './exact-json';

test('ids beyond 2^53 keep every digit on the way in and out', () => {
  const id = '9223372036854775807';
  const parsed = parseExactJson(
    `{"run_id": ${id}, "nested": [{"job_id": 12345678901234567}], "small": 42, "part": 0.5}`,
  );
  expect(parsed).toEqual({ run_id: id, nested: [{ job_id: '12345678901234567' }], small: 42, part: 0.5 });
  expect(writeExactJson({ job_id: idNumber(id) })).toBe(`{"job_id":${id}}`);
});

test('an id is a string of digits whether it came as a number or as one', () => {
  expect(WorkspaceId.parse(455644833)).toBe('455644833');
  expect(WorkspaceId.parse('9223372036854775807')).toBe('9223372036854775807');
  for (const wrong of [-1, 1.5, 'abc', '', null, {}])
    expect(WorkspaceId.safeParse(wrong).success).toBe(false);
  for (const wrong of ['', '1e5', '-1', '12 ', '0x1']) expect(() => idNumber(wrong)).toThrow(TypeError);
});

test('what is not JSON is a SyntaxError, and a field named __proto__ changes nothing', () => {
  expect(() => parseExactJson('<html>')).toThrow(SyntaxError);
  expect(() => parseExactJson('{"a": 1')).toThrow(SyntaxError);
  const parsed = parseExactJson('{"__proto__": {"admin": true}}') as { admin?: boolean };
  expect(parsed.admin).not.toBe(true);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});
