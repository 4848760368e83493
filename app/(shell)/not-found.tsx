import { FileQuestion } from 'lucide-react';
import Link from 'next/link';
import { Button } from '../_ui/button';
import { EmptyState } from '../_ui/empty-state';

export default function NotFound() {
  return (
    <EmptyState
      icon={FileQuestion}
      heading="h1"
      title="Nothing is here"
      action={
        <Button asChild>
          <Link href="/extractions">Go to extractions</Link>
        </Button>
      }
    >
      The address may be mistyped, or what it led to has been deleted.
    </EmptyState>
  );
}
