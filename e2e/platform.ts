/** Whether this run of the specs is the one on Databricks, against the stand-in workspace (`npm run test:databricks`). */
export const onDatabricks = process.env.TICKMARK_E2E_PLATFORM === 'databricks';
