import { FileQuestion } from 'lucide-react';
import Link from 'next/link';
import { Button } from './_ui/button';
import { EmptyState } from './_ui/empty-state';

export default function NotFound() {
  return (
    <main className="mx-auto max-w-xl px-5 py-24">
      <EmptyState
        icon={FileQuestion}
        heading="h1"
        title="There is no such page"
        action={
          <Button asChild>
            <Link href="/extractions">Go to extractions</Link>
          </Button>
        }
      >
        The address may be mistyped, or what it led to has been deleted.
      </EmptyState>
    </main>
  );
}
