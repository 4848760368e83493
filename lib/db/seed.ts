import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { z } from 'zod';
import type { AgentDefinition } from '@/lib/contract/agent-definition';
import {
  ContractFields,
  type DocumentType,
  FIELDS_BY_DOCUMENT_TYPE,
  FinancialReportFields,
  GeneralFields,
  InvoiceFields,
} from '@/lib/contract/fields';

interface AgentSeed {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly definition: AgentDefinition;
}

const extraction = (
  documentType: DocumentType,
  fields: z.ZodType,
  instructions: string,
): AgentDefinition => ({
  kind: 'extract',
  documentType,
  instructions,
  schema: z.toJSONSchema(fields),
});

/** The agents that come with Tickmark, in the order in which they are offered. */
export const AGENTS: readonly AgentSeed[] = [
  {
    id: 'auto',
    name: 'Automatic',
    description: 'Finds out what kind of document it is, then extracts the fields of that kind.',
    definition: { kind: 'classify', candidates: Object.keys(FIELDS_BY_DOCUMENT_TYPE) },
  },
  {
    id: 'invoice',
    name: 'Invoice',
    description: 'Invoices, credit notes and receipts: who, when, totals, taxes and line items.',
    definition: extraction(
      'invoice',
      InvoiceFields,
      'Extract the fields of an invoice, credit note or receipt as printed. Amounts of a credit note keep the sign on the page.',
    ),
  },
  {
    id: 'contract',
    name: 'Contract',
    description: 'Contracts and agreements: title, parties, dates, governing law.',
    definition: extraction(
      'contract',
      ContractFields,
      'Extract the fields of a contract or agreement. A date counts only where it is printed.',
    ),
  },
  {
    id: 'financial-report',
    name: 'Financial report',
    description: 'Annual and quarterly reports: entity, period, revenue, net income, total assets.',
    definition: extraction(
      'financial-report',
      FinancialReportFields,
      'Extract the headline figures of a financial report for its main reporting period, as printed: where the page counts in thousands or millions, so do the figures.',
    ),
  },
  {
    id: 'general',
    name: 'General',
    description: 'Any other document: title, date, parties and amounts.',
    definition: extraction(
      'general',
      GeneralFields,
      'Extract what identifies this document: title, date, parties, amounts.',
    ),
  },
];

/** Brings the rows that the code brings along into a database. Runs again without changing anything. */
export async function seed(db: NodePgDatabase): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`/* db.seed_settings */ insert into tickmark.settings (id) values (1) on conflict do nothing`,
    );
    await tx.execute(sql`
      /* db.seed_price */
      insert into tickmark.model_prices
        (model, valid_from, input_usd_per_million, cached_input_usd_per_million, cache_write_usd_per_million, output_usd_per_million, notional, source)
      values ('tickmark-rules-1', '2026-01-01T00:00:00Z', 0.10, 0.10, 0.10, 0.40, true, 'Notional: the built-in rules model costs nothing')
      on conflict do nothing`);
    for (const agent of AGENTS) await seedAgent(tx, agent);
  });
}

/** A definition is never changed in place: attempts name the version that they ran with. */
async function seedAgent(tx: Pick<NodePgDatabase, 'execute'>, agent: AgentSeed): Promise<void> {
  await tx.execute(sql`
    /* db.seed_agent */
    insert into tickmark.agents (id, name, description)
    values (${agent.id}, ${agent.name}, ${agent.description})
    on conflict (id) do update
    set name = excluded.name, description = excluded.description
    where (agents.name, agents.description) is distinct from (excluded.name, excluded.description)`);
  const { rows } = await tx.execute<{ version: number; definition: unknown }>(sql`
    /* db.seed_version_read */
    select version, definition from tickmark.agent_versions where agent_id = ${agent.id} order by version desc limit 1`);
  const definition = JSON.stringify(agent.definition);
  const stored = rows[0];
  if (stored && JSON.stringify(stored.definition) === definition) return;
  const version = (stored?.version ?? 0) + 1;
  await tx.execute(sql`
    /* db.seed_version */
    insert into tickmark.agent_versions (agent_id, version, definition) values (${agent.id}, ${version}, ${definition}::json)`);
  await tx.execute(sql`
    /* db.seed_current_version */
    update tickmark.agents set current_version = ${version}, updated_at = now() where id = ${agent.id}`);
}
