/** One-way dependencies (ARCHITECTURE.md, "Direction"); `npm run check` fails on a breach. */

/** Domains of lib that may stand above the queue, never the reverse. */
const PLATFORM_IMPLEMENTATION = '^lib/platform/[^/]+/(embedded|databricks)';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A cycle has no reading order.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      comment: 'An import that resolves to nothing would only fail at run time.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(server-only|next-auth/.*|next/.*)$' },
    },
    {
      name: 'app-and-worker-apart',
      severity: 'error',
      comment: 'app and worker are separate processes that meet in Postgres only.',
      from: { path: '^app/' },
      to: { path: '^(worker|bin)/' },
    },
    {
      name: 'worker-without-web',
      severity: 'error',
      comment: 'The worker knows no HTTP layer, no session and no page.',
      from: { path: '^worker/' },
      to: { path: '^(app|bin|lib/(http|auth|dashboard|live|api-client))(/|$)' },
    },
    {
      name: 'agent-without-database',
      severity: 'error',
      comment: 'A run has no database credential: agent code knows the contract, and in a job its workspace.',
      from: { path: '^agent/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app|worker|bin)/|^lib/(?!contract/|log\\.ts|config/|process/|databricks/)' },
    },
    {
      name: 'lib-below-everything',
      severity: 'error',
      comment: 'lib is what app, worker and bin stand on.',
      from: { path: '^lib/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app|worker|bin|agent|e2e|test)/' },
    },
    {
      name: 'queue-knows-no-document',
      severity: 'error',
      comment:
        'lib/queue works alone: database, contract, the runner port and prices, nothing of documents or Next.',
      from: { path: '^lib/queue/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^lib/',
        pathNot:
          '^lib/(queue|db|contract|errors\\.ts|log\\.ts|usage/price\\.ts|platform/job-runner/port\\.ts)',
      },
    },
    {
      name: 'example-uses-the-queue-alone',
      severity: 'error',
      comment: 'The example shows that the queue works alone: no document, no app, no worker of ours.',
      from: { path: '^examples/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(app|worker|agent|bin|test|e2e)/|^lib/(?!(queue|db|contract|errors\\.ts|platform/job-runner/port\\.ts|embedded-postgres))|node_modules/(next|react)/',
      },
    },
    {
      name: 'queue-without-next',
      severity: 'error',
      comment: 'lib/queue is usable outside Next.js.',
      from: { path: '^lib/(queue|db|documents|callbacks|usage)/' },
      to: { path: 'node_modules/(next|react|next-auth|server-only)/' },
    },
    {
      name: 'db-is-the-ground',
      severity: 'error',
      comment: 'lib/db imports no domain.',
      from: { path: '^lib/db/', pathNot: '\\.test\\.ts$' },
      to: { path: '^lib/', pathNot: '^lib/(db|contract|config|errors\\.ts|log\\.ts)' },
    },
    {
      name: 'contract-stands-alone',
      severity: 'error',
      comment: 'Both ends of a wire share it, so it imports nothing of ours.',
      from: { path: '^lib/contract/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(?!lib/contract/|node_modules/)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'ports-only',
      severity: 'error',
      comment: 'Domains know the ports; the composition root alone knows every implementation.',
      from: { path: '^(app|worker|lib)/', pathNot: `^lib/(runtime\\.ts|platform/)|\\.test\\.ts$` },
      to: { path: PLATFORM_IMPLEMENTATION },
    },
    {
      name: 'implementations-know-no-domain',
      severity: 'error',
      comment: 'A platform implementation is exchangeable.',
      from: { path: '^lib/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^lib/(queue|documents|dashboard|auth|http|callbacks|live|usage|db)/' },
    },
    {
      name: 'runtime-at-the-edge',
      severity: 'error',
      comment: 'Only entry points compose; everything else is handed what it needs.',
      from: { path: '^lib/', pathNot: '^lib/(http|auth|live)/|^lib/runtime\\.ts$|\\.test\\.ts$' },
      to: { path: '^lib/runtime\\.ts$' },
    },
    {
      name: 'no-benchmark-in-product',
      severity: 'error',
      comment: 'The bench measures the product and has packages that the product must never have.',
      from: { path: '^(app|lib|worker|agent|bin|examples)/' },
      to: { path: '^bench/' },
    },
    {
      name: 'no-test-code-in-product',
      severity: 'error',
      comment: 'Tests import the product, never the reverse.',
      from: { path: '^(app|lib|worker|agent|bin)/', pathNot: '\\.test\\.tsx?$|conformance\\.ts$' },
      to: { path: '^(test|e2e)/|\\.test\\.tsx?$|node_modules/(vitest|@playwright|fast-check)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(\\.next|dist|public|drizzle|next-env\\.d\\.ts)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
