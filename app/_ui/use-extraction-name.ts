import { formatInstant } from './format/instant';
import { useTimeZone, useViewer } from './viewer';

/** A name that nobody gave: the time of creation in UTC (lib/documents/create-extraction.ts). */
const TIME_AS_NAME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)$/;

/** What to call an extraction by its name alone: one that nobody named is called by its time, in the viewer's time zone. */
export function useExtractionName(): (name: string) => string {
  const zone = useTimeZone();
  const { renderedAt } = useViewer();
  return (name) => {
    const [, day, clock] = TIME_AS_NAME.exec(name) ?? [];
    if (!day || !clock || Number.isNaN(Date.parse(`${day}T${clock}Z`))) return name;
    return `Of ${formatInstant(`${day}T${clock}:00Z`, zone, new Date(renderedAt))}`;
  };
}
