'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../_ui/button';

const SAID_MS = 2_000;

/** A small button that copies a text. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    // Without https or loopback a browser has no clipboard to write to.
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    );
  };
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      className="size-5 rounded-sm text-muted [&_svg]:size-3"
      aria-label={copied ? `${what} copied` : `Copy ${what}`}
      onClick={copy}
    >
      {copied ? <Check className="text-accent" /> : <Copy />}
    </Button>
  );
}
