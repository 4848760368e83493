'use client';

import { useEffect } from 'react';
import { adoptDocumentNonce } from './nonce';
import { keepPreference } from './preference-cookie';
import { TIME_ZONE_COOKIE } from './time-zone';

/** What only the browser knows, told once per page load: the nonce to use, and the time zone for the next one. */
export function BrowserStart({ knownTimeZone }: { readonly knownTimeZone: string | null }) {
  useEffect(() => {
    adoptDocumentNonce();
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone && zone !== knownTimeZone) keepPreference(TIME_ZONE_COOKIE, zone);
  }, [knownTimeZone]);
  return null;
}
