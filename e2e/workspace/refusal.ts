import { writeJson } from './int64-json';

/** An answer that is an error of the API: `{"error_code", "message"}` (databricks-sdk-py `errors/platform.py`). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    /** A number is seen in the wild too (databricks-sdk-go issue 953). */
    readonly errorCode: string | number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }

  response(): Response {
    const body = writeJson({
      error_code: this.errorCode,
      message: this.message,
      // An entry without `metadata` is what trips at least one client (errors/details.py lists the kinds).
      details: [{ '@type': 'type.googleapis.com/google.rpc.RequestInfo', request_id: crypto.randomUUID() }],
    });
    return new Response(body, {
      status: this.status,
      headers: { 'content-type': 'application/json', ...this.headers },
    });
  }
}

export const invalid = (message: string) => new Refusal(400, 'INVALID_PARAMETER_VALUE', message);
export const malformed = (message: string) => new Refusal(400, 'MALFORMED_REQUEST', message);
export const missing = (message: string) => new Refusal(404, 'RESOURCE_DOES_NOT_EXIST', message);
export const forbidden = (message: string) => new Refusal(403, 'PERMISSION_DENIED', message);
