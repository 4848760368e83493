import { ApiError } from '@/lib/api-client/api-error';
import { roleSeen } from '@/lib/contract/missing-role';

const FLAG = 'tickmark-role-changed';

/** Whether a refusal says that the session of this browser has another role than the page was made for. */
export function tellsOfAnotherRole(error: unknown, role: string): boolean {
  if (!(error instanceof ApiError) || error.status !== 403) return false;
  const seen = roleSeen(error.message);
  return seen !== null && seen !== role;
}

let leaving = false;

/** Makes the page anew for whoever is signed in now; the page then says so. Once: everything that is asked meanwhile is refused too. */
export function reloadForRole(): void {
  if (leaving) return;
  leaving = true;
  try {
    window.sessionStorage.setItem(FLAG, '1');
  } catch {
    // Without storage the page is made anew all the same, and only does not say why.
  }
  window.location.reload();
}

/** Whether the page was made anew for that reason, until {@link forgetReload}. */
export function wasReloadedForRole(): boolean {
  try {
    return window.sessionStorage.getItem(FLAG) !== null;
  } catch {
    return false;
  }
}

export function forgetReload(): void {
  try {
    window.sessionStorage.removeItem(FLAG);
  } catch {
    // Then it was never noted.
  }
}
