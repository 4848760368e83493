'use client';

import { ErrorState } from '../_ui/error-state';

interface ErrorPageProps {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <ErrorState
      heading="h1"
      title="This page could not be shown"
      message="Something went wrong while it was put together. Nothing was changed, and whatever runs goes on. Try again; if it stays so, give an operator the reference."
      reference={error.digest}
      onRetry={reset}
    />
  );
}
