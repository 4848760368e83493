import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../../bin/root.mjs';
import { BUNDLE_FOLDER } from './job-command';
import { JobSettings } from './job-settings';

/** The secret scope of the stand-in, which holds the id and the secret of the principal that runs act as. */
export const SECRET_SCOPE = 'tickmark';

const Bundle = z.object({
  resources: z.object({ jobs: z.object({ agent: z.record(z.string(), z.unknown()) }) }),
});

/** The product's job as `databricks bundle deploy` would make it from `databricks.yml`. */
export function tickmarkJob(): JobSettings {
  const text = readFileSync(path.join(root, 'databricks.yml'), 'utf8')
    .replaceAll('$' + '{var.secret_scope}', SECRET_SCOPE)
    .replaceAll('$' + '{var.app_name}', 'tickmark')
    // Paths of files are relative to the bundle.
    .replaceAll('python_file: ./', `python_file: ${BUNDLE_FOLDER}/`);
  // Permissions are no setting of a job; the stand-in grants them itself.
  const { permissions: _permissions, ...job } = Bundle.parse(parse(text)).resources.jobs.agent;
  return JobSettings.parse(job);
}
