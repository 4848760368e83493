import 'server-only';
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import * as api from '@/lib/contract/api';
import { Agent, AgentHistory, AgentList } from '@/lib/contract/api-agents';
import { BulkOperation, BulkPreview, BulkRequest } from '@/lib/contract/api-bulk';
import { ExtractionChecks } from '@/lib/contract/api-checks';
import { Health } from '@/lib/contract/api-health';
import { ComputeCostAccepted, ComputeCostAnswer, Metrics, MetricsQuery } from '@/lib/contract/api-metrics';
import { Problem } from '@/lib/contract/api-problem';
import * as requests from '@/lib/contract/api-requests';
import { NewSavedView, SavedView, SavedViewList } from '@/lib/contract/api-views';
import { Callback, CallbackAnswer } from '@/lib/contract/callback';
import { ChangeEvent } from '@/lib/contract/live';

type Operation = Pick<ZodOpenApiOperationObject, 'requestParams' | 'requestBody' | 'security'>;

const refused = {
  description: 'Refused (RFC 9457)',
  content: { 'application/problem+json': { schema: Problem } },
};

/** An operation that answers JSON of one schema. */
function op(
  summary: string,
  schema: z.ZodType,
  more: Operation = {},
  status = '200',
): ZodOpenApiOperationObject {
  return {
    summary,
    ...more,
    responses: {
      [status]: { description: 'Done', content: { 'application/json': { schema } } },
      default: refused,
    },
  };
}

/** An operation that answers something else than JSON. */
function stream(
  summary: string,
  contentTypes: readonly string[],
  more: Operation = {},
): ZodOpenApiOperationObject {
  const content = Object.fromEntries(contentTypes.map((type) => [type, { schema: z.string() }]));
  return { summary, ...more, responses: { '200': { description: 'Done', content }, default: refused } };
}

const path = { requestParams: { path: requests.IdParams } };
const agentPath = { requestParams: { path: requests.AgentParams } };
const body = (schema: z.ZodType) => ({ requestBody: { content: { 'application/json': { schema } } } });
const query = (schema: z.ZodObject) => ({ requestParams: { query: schema } });

/** Files come last, after the fields. */
const Files = z.object({ files: z.array(z.string().meta({ format: 'binary' })) });
const idempotent = z.object({
  'Idempotency-Key': z.string().max(200).optional().describe('Sent again, it gives the first answer'),
});

const paths: ZodOpenApiPathsObject = {
  '/api/v1/extractions': {
    get: op('Extractions, newest first', api.ExtractionList, query(requests.ExtractionListQuery)),
    post: op(
      'Open an extraction, with or without its first files',
      api.ExtractionCreated,
      {
        requestParams: { header: idempotent },
        requestBody: {
          content: {
            'application/json': { schema: requests.NewExtraction },
            'multipart/form-data': { schema: requests.NewExtraction.extend(Files.shape) },
          },
        },
      },
      '201',
    ),
  },
  '/api/v1/extractions/{id}': { get: op('One extraction', api.Extraction, path) },
  '/api/v1/extractions/{id}/checks': {
    get: op('Whether the figures of its results agree, over all documents', ExtractionChecks, path),
  },
  '/api/v1/extractions/{id}/documents': {
    post: op(
      'Add files to an extraction',
      api.UploadAnswer,
      {
        requestParams: { path: requests.IdParams, header: idempotent },
        requestBody: { content: { 'multipart/form-data': { schema: Files } } },
      },
      '201',
    ),
  },
  '/api/v1/extractions/{id}/export': {
    get: stream(
      'All results of an extraction',
      ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/json'],
      { requestParams: { path: requests.IdParams, query: requests.ExportQuery } },
    ),
  },
  '/api/v1/tasks': { get: op('Tasks, page by page', api.TaskList, query(requests.TaskListQuery)) },
  '/api/v1/tasks/bulk': {
    post: op(
      'Cancel, retry or reprioritise many tasks: the operation, or with `preview` what it would do (200)',
      z.union([BulkOperation, BulkPreview]),
      { requestParams: { header: idempotent }, ...body(BulkRequest) },
      '202',
    ),
  },
  '/api/v1/bulk/{id}': { get: op('How far a bulk operation is', BulkOperation, path) },
  '/api/v1/bulk/{id}/undo': {
    post: op(
      'Take a bulk operation back: priorities, and cancels of tasks that waited',
      BulkOperation,
      path,
      '202',
    ),
  },
  '/api/v1/tasks/{id}': {
    get: op('One task with attempts, events and result', api.TaskDetail, path),
    patch: op('Change the priority of a task', api.TaskDetail, { ...path, ...body(requests.TaskPatch) }),
  },
  '/api/v1/tasks/{id}/cancel': { post: op('Cancel a task, or ask its run to stop', api.TaskDetail, path) },
  '/api/v1/tasks/{id}/retry': {
    post: op('Queue a failed or cancelled task again', api.TaskDetail, path),
  },
  '/api/v1/documents/{id}/content': {
    get: stream('The bytes of a document; ranges are served', ['application/pdf'], path),
  },
  '/api/v1/agents': { get: op('Agents with their limits', AgentList) },
  '/api/v1/agents/{id}': {
    patch: op('Change limits of an agent', Agent, { ...agentPath, ...body(requests.AgentPatch) }),
  },
  '/api/v1/agents/{id}/history': {
    get: op('Who changed what of an agent, newest first', AgentHistory, {
      requestParams: { path: requests.AgentParams, query: requests.AgentHistoryQuery },
    }),
  },
  '/api/v1/health': { get: op('How every part is, and what needs a person', Health) },
  '/api/v1/metrics': {
    get: op('Figures over the tasks created in a range', Metrics, query(MetricsQuery)),
  },
  '/api/v1/metrics/compute-cost': {
    post: op(
      'Ask the slow billing source for the compute cost under the filters of metrics',
      ComputeCostAccepted,
      query(requests.TaskFilters),
      '202',
    ),
  },
  '/api/v1/metrics/compute-cost/{id}': {
    get: op('What the billing source has said, or that it has not yet', ComputeCostAnswer, path),
  },
  '/api/v1/views': {
    get: op('Your saved views', SavedViewList),
    post: op('Save filters under a name', SavedView, body(NewSavedView), '201'),
  },
  '/api/v1/views/{id}': {
    delete: {
      summary: 'Remove a saved view of yours',
      ...path,
      responses: { '204': { description: 'Done' }, default: refused },
    },
  },
  '/api/v1/events': {
    get: {
      summary: 'Server-sent events: change, heartbeat (every 5 s), resync',
      responses: {
        '200': { description: 'Stream', content: { 'text/event-stream': { schema: ChangeEvent } } },
        default: refused,
      },
    },
  },
  '/api/v1/callbacks': {
    post: op('What an agent reports (Standard Webhooks)', CallbackAnswer, {
      ...body(Callback),
      security: [],
    }),
  },
};

/** The API's description, generated from the schemas that the routes check with. */
export function openApiDocument(url: string) {
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Tickmark', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url }],
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'next-auth.session-token' },
      },
    },
  });
}
