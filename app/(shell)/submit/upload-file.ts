import type { ErrorCode } from '@/lib/contract/error-codes';

export type UploadState = 'ready' | 'waiting' | 'sending' | 'sent' | 'rejected' | 'failed';

/** One file of a drop and how far it has come. */
export interface UploadFile {
  readonly key: string;
  readonly file: File;
  /** With its folder, where it came in one. */
  readonly path: string;
  readonly size: number;
  readonly state: UploadState;
  readonly sentBytes: number;
  /** Why it was turned away, or why sending failed, in words for a person. */
  readonly problem: string | null;
  readonly code: ErrorCode | null;
  /** The path of an earlier file with the same content. */
  readonly sameAs: string | null;
}

export interface UploadTotals {
  readonly files: number;
  readonly bytes: number;
  readonly sentBytes: number;
  readonly byState: Readonly<Record<UploadState, number>>;
  readonly duplicates: number;
}

/** Sums over what is to be sent; rejected files have no part in bytes. */
export function totalsOf(files: readonly UploadFile[]): UploadTotals {
  const byState = { ready: 0, waiting: 0, sending: 0, sent: 0, rejected: 0, failed: 0 };
  let bytes = 0;
  let sentBytes = 0;
  let duplicates = 0;
  for (const file of files) {
    byState[file.state] += 1;
    if (file.state !== 'rejected') {
      bytes += file.size;
      sentBytes += file.state === 'sent' ? file.size : file.sentBytes;
    }
    if (file.sameAs && file.state === 'ready') duplicates += 1;
  }
  return { files: files.length, bytes, sentBytes, byState, duplicates };
}
