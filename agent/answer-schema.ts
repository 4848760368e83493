import { z } from 'zod';
import type { JsonSchema } from '@/lib/contract/agent-definition';

const Line = z.string().max(50).nullable().catch(null);
const Quote = z.string().max(2_000).nullable().catch(null);
/** A confidence out of range says nothing; the value counts more than how it was rated. */
const Rating = z.number().min(0).max(1).catch(0.5);

/** One field of a definition and the validator for the model's answer to it. */
export interface FieldSchema {
  readonly name: string;
  readonly isList: boolean;
  readonly validator: z.ZodType<{
    value: unknown;
    line: string | null;
    quote: string | null;
    confidence: number;
  }>;
}

/** The fields of an object schema in order, each with a validator for `{value, line, quote, confidence}`. */
export function fieldSchemas(schema: JsonSchema): FieldSchema[] {
  return Object.entries(properties(schema)).map(([name, field]) => {
    const items = listItems(field);
    const value =
      items === null
        ? z.fromJSONSchema(field)
        : z.array(z.object({ item: z.fromJSONSchema(items), line: Line, quote: Quote })).nullable();
    const validator = z.object({ value, line: Line, quote: Quote, confidence: Rating });
    return { name, isList: items !== null, validator };
  });
}

/**
 * The schema that the model's answer must follow: each field as `{value, line, quote, confidence}`, each element of a
 * list as `{item, line, quote}`. Only the words of JSON Schema that strict structured output knows everywhere are used
 * (no `anyOf`, `pattern` or lengths); the full schema is in the prompt and checked afterwards.
 */
export function responseSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(properties(schema)).map(([name, field]) => {
    const items = listItems(field);
    const value =
      items === null
        ? plain(field)
        : {
            type: ['array', 'null'],
            items: object({ item: plain(items), line: maybeText, quote: maybeText }),
          };
    return [
      name,
      object({ value, line: maybeText, quote: maybeText, confidence: { type: 'number' } }),
    ] as const;
  });
  return object(Object.fromEntries(entries));
}

const maybeText = { type: ['string', 'null'] };

function object(inner: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties: inner, required: Object.keys(inner), additionalProperties: false };
}

function properties(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}

/** The schema of a list's elements, or null for a field that is no list. */
function listItems(field: JsonSchema): JsonSchema | null {
  const { schema } = unwrapNull(field);
  return schema.type === 'array' ? ((schema.items ?? {}) as JsonSchema) : null;
}

/** `anyOf: [X, null]`, as zod writes a nullable, taken apart. */
function unwrapNull(field: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  const options = field.anyOf;
  if (!Array.isArray(options)) return { schema: field, nullable: false };
  const others = (options as JsonSchema[]).filter((option) => option.type !== 'null');
  const [only] = others;
  if (others.length !== 1 || only === undefined) return { schema: field, nullable: false };
  const description = field.description ?? only.description;
  return {
    schema: description === undefined ? only : { ...only, description },
    nullable: others.length < options.length,
  };
}

/** A schema reduced to type, properties, items, enum and description, with null as a second type. */
function plain(field: JsonSchema): JsonSchema {
  const { schema, nullable } = unwrapNull(field);
  const out: Record<string, unknown> = {};
  const type = schema.type;
  if (typeof type === 'string') out.type = nullable ? [type, 'null'] : type;
  else if (Array.isArray(type)) out.type = type;
  if (schema.description !== undefined) out.description = schema.description;
  if (schema.enum !== undefined) out.enum = schema.enum;
  if (type === 'array') out.items = plain((schema.items ?? {}) as JsonSchema);
  if (type === 'object') {
    const inner = Object.entries(properties(schema)).map(([name, value]) => [name, plain(value)] as const);
    Object.assign(out, object(Object.fromEntries(inner)));
    if (nullable) out.type = ['object', 'null'];
  }
  return out;
}
