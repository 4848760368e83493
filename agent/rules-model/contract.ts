import { findContractDates } from './contract-dates';
import { governingLaw } from './contract-law';
import { findContractParties } from './contract-parties';
import type { Finding } from './finding';
import type { Setting } from './language';
import type { DocumentText } from './page-text';
import { runningText } from './running-text';
import { findTitle } from './title';

export interface ContractFindings {
  readonly title: Finding<string> | null;
  readonly parties: readonly Finding<string>[];
  readonly effective_date: Finding<string> | null;
  readonly expiration_date: Finding<string> | null;
  readonly governing_law: Finding<string> | null;
}

/** All fields of a contract. */
export function findContractFields(document: DocumentText, setting: Setting): ContractFindings {
  const running = runningText(document);
  const { effective, expiration } = findContractDates(running, setting);
  return {
    title: findTitle(document),
    parties: findContractParties(document, running),
    effective_date: effective,
    expiration_date: expiration,
    governing_law: governingLaw(running),
  };
}
