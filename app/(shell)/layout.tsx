import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { keys } from '@/lib/api-client/queries';
import { currentUser } from '@/lib/auth/require-user';
import { may } from '@/lib/auth/roles';
import { readAgentNames } from '@/lib/dashboard/agent-names';
import { appRuntime } from '@/lib/http/app-runtime';
import { readHealth } from '@/lib/http/health';
import { Hydrate } from '../_live/hydrate';
import { LiveProvider } from '../_live/live-provider';
import { QueryProvider } from '../_live/query-provider';
import { RoleNotice } from '../_live/role-notice';
import { BottomBar } from '../_shell/bottom-bar';
import { BrowserStart } from '../_shell/browser-start';
import { CommandsProvider } from '../_shell/commands';
import { ConcernBanner } from '../_shell/concern-banner';
import { KeyHelp } from '../_shell/key-help';
import { Rail } from '../_shell/rail';
import { parseTheme, THEME_COOKIE } from '../_shell/theme';
import { parseTimeZone, TIME_ZONE_COOKIE } from '../_shell/time-zone';
import { TopBar } from '../_shell/top-bar';
import { ToastProvider } from '../_ui/toast';
import { ViewerProvider } from '../_ui/viewer';

/** Every page behind the sign-in: rail, top bar, and one live connection for all of them. */
export default async function ShellLayout({ children }: { readonly children: ReactNode }) {
  const user = await currentUser();
  if (!user) {
    const path = (await headers()).get('x-pathname') ?? '/';
    redirect(`/signin?callbackUrl=${encodeURIComponent(path)}`);
  }
  const runtime = await appRuntime();
  const { config, db } = runtime;
  // With the first paint, as a line that comes later pushes everything down. Without it the page is there all the same.
  const health = may(user.role, 'health.read') ? await readHealth(runtime).catch(() => null) : null;
  const jar = await cookies();
  const timeZone = parseTimeZone(jar.get(TIME_ZONE_COOKIE)?.value);
  const theme = parseTheme(jar.get(THEME_COOKIE)?.value);
  const viewer = {
    user,
    timeZone: timeZone ?? 'UTC',
    renderedAt: new Date().toISOString(),
    agentNames: await readAgentNames(db),
  };
  return (
    <ViewerProvider viewer={viewer}>
      <QueryProvider role={user.role} pollSeconds={config.pollIntervalSeconds}>
        <LiveProvider>
          <ToastProvider>
            <NuqsAdapter>
              <CommandsProvider>
                <RoleNotice />
                <BrowserStart knownTimeZone={timeZone} />
                <a
                  href="#content"
                  className="skip-link rounded-md bg-accent px-3 py-2 font-medium text-on-accent"
                >
                  Skip to content
                </a>
                <div className="flex min-h-dvh">
                  <Rail />
                  <div className="flex min-w-0 grow flex-col">
                    <TopBar theme={theme} pollSeconds={config.pollIntervalSeconds} />
                    <Hydrate data={health ? [[keys.health, health]] : []}>
                      <ConcernBanner />
                    </Hydrate>
                    <main
                      id="content"
                      tabIndex={-1}
                      className="w-full max-w-[96rem] grow px-4 pt-5 pb-24 outline-none md:px-6 md:pb-10"
                    >
                      {children}
                    </main>
                  </div>
                </div>
                <BottomBar />
                <KeyHelp />
              </CommandsProvider>
            </NuqsAdapter>
          </ToastProvider>
        </LiveProvider>
      </QueryProvider>
    </ViewerProvider>
  );
}
