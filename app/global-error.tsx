'use client';

import './globals.css';
import { ErrorState } from './_ui/error-state';

interface GlobalErrorProps {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

/** When even the frame of the pages cannot be made, usually because the database is away. */
export default function GlobalError({ error, reset }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body>
        <title>Tickmark is not available</title>
        <main className="mx-auto max-w-xl px-5 py-24">
          <ErrorState
            heading="h1"
            title="Tickmark is not available"
            message="The server could not put the page together; its database may be away. Submitted documents are safe. Try again in a moment."
            reference={error.digest}
            onRetry={reset}
          />
        </main>
      </body>
    </html>
  );
}
