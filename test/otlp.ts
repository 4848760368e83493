import protobuf from 'protobufjs';

/** The part of OTLP's trace messages that is looked at (opentelemetry-proto 1.x, trace/v1 and common/v1). */
const PROTO = `
syntax = "proto3";
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
message KeyValue { string key = 1; AnyValue value = 2; }
message Resource { repeated KeyValue attributes = 1; }
message Status { string message = 2; int32 code = 3; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; Status status = 15;
}
message ScopeSpans { repeated Span spans = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
`;
const Request = protobuf.parse(PROTO, { keepCase: true }).root.lookupType('ExportTraceServiceRequest');

/** A span as it came over the wire. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly startNanos: string;
  readonly endNanos: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** 0 unset, 1 OK, 2 ERROR */
  readonly statusCode: number;
}

interface Wire {
  resource_spans?: {
    scope_spans?: {
      spans?: {
        trace_id: string;
        span_id: string;
        parent_span_id?: string;
        name?: string;
        start_time_unix_nano?: string;
        end_time_unix_nano?: string;
        attributes?: { key: string; value?: Record<string, string | number | boolean> }[];
        status?: { code?: number };
      }[];
    }[];
  }[];
}

/** Decodes a protobuf export request. Throws for bytes that are none. */
export function decodeSpans(body: Uint8Array): OtlpSpan[] {
  const wire = Request.toObject(Request.decode(body), { bytes: String, longs: String }) as Wire;
  const hex = (base64 = '') => Buffer.from(base64, 'base64').toString('hex');
  return (wire.resource_spans ?? [])
    .flatMap(({ scope_spans }) => scope_spans ?? [])
    .flatMap(({ spans }) => spans ?? [])
    .map((span) => ({
      traceId: hex(span.trace_id),
      spanId: hex(span.span_id),
      parentSpanId: hex(span.parent_span_id),
      name: span.name ?? '',
      startNanos: span.start_time_unix_nano ?? '0',
      endNanos: span.end_time_unix_nano ?? '0',
      attributes: Object.fromEntries(
        (span.attributes ?? []).map(({ key, value = {} }) => {
          const [type, content = ''] = Object.entries(value)[0] ?? ['', ''];
          return [key, type === 'int_value' ? Number(content) : content];
        }),
      ),
      statusCode: span.status?.code ?? 0,
    }));
}
