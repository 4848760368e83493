/** A sentence whose commands stand in backticks. */
export function WithCode({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence
      <code key={index} className="rounded-sm bg-sunken px-1 font-mono text-text text-xs">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
