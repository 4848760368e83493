import { describe, expect, it } from 'vitest';
import { findContractFields } from './contract';
import { settingOf } from './language';
import { readPages } from './page-text';

function read(text: string) {
  const document = readPages(text.trim());
  const found = findContractFields(document, settingOf(document));
  return {
    parties: found.parties.map((party) => party.value),
    from: found.effective_date?.value ?? null,
    until: found.expiration_date?.value ?? null,
    law: found.governing_law?.value ?? null,
    title: found.title?.value ?? null,
  };
}

describe('findContractFields', () => {
  it('reads an English agreement', () => {
    expect(
      read(`
                        MUTUAL NON-DISCLOSURE AGREEMENT
This Agreement is entered into as of March 1, 2023 between Redwood Software
Corp., a Delaware corporation ("Redwood"), and Harper Dental
Group LLC, an Oregon limited liability company ("Harper").
This Agreement shall expire on February 28, 2026.
It shall be governed by the laws of the State of Delaware, without regard to conflict of laws.`),
    ).toEqual({
      parties: ['Redwood Software Corp.', 'Harper Dental Group LLC'],
      from: '2023-03-01',
      until: '2026-02-28',
      law: 'Delaware',
      title: 'MUTUAL NON-DISCLOSURE AGREEMENT',
    });
  });

  it('reads a German, a French, a Spanish and an Italian contract', () => {
    expect(
      read(`
                         MIETVERTRAG
zwischen
Wohnbau Nord GmbH, Hafenstraße 3, 28195 Bremen - nachfolgend "Vermieter" genannt -
und
Frau Sabine Krüger, Lindenallee 14, 28199 Bremen
Das Mietverhältnis beginnt am 1. April 2024 und ist befristet bis zum 31. März 2027.
Es gilt deutsches Recht.`),
    ).toMatchObject({
      parties: ['Wohnbau Nord GmbH', 'Sabine Krüger'],
      from: '2024-04-01',
      until: '2027-03-31',
      law: 'deutsches Recht',
    });
    expect(
      read(`
CONTRAT DE PRESTATION DE SERVICES
Entre les soussignés :
La société Atelier du Rhône SARL, dont le siège social est à Lyon, ci-après « le Prestataire »,
et
La société Hôtel Bellevue SA, dont le siège est à Paris, ci-après « le Client »,
Le contrat prend effet le 15 janvier 2024 et prendra fin le 14 janvier 2025. Il est soumis au droit français.`),
    ).toMatchObject({
      parties: ['Atelier du Rhône SARL', 'Hôtel Bellevue SA'],
      from: '2024-01-15',
      until: '2025-01-14',
      law: 'droit français',
    });
    expect(
      read(`
CONTRATO DE ARRENDAMIENTO
De una parte, D. Miguel Torres Gil, con DNI 12345678Z, en adelante el Arrendador.
De otra parte, Talleres Mediterráneo S.L., con CIF B12345678.
El contrato entrará en vigor el 1 de abril de 2024 y finalizará el 31 de marzo de 2025.
Se regirá por la legislación española.`),
    ).toMatchObject({
      parties: ['Miguel Torres Gil', 'Talleres Mediterráneo S.L.'],
      from: '2024-04-01',
      until: '2025-03-31',
      law: 'legislación española',
    });
    expect(
      read(`
                 CONTRATTO DI FORNITURA
Tra Officina Ligure S.r.l., con sede in Genova e Hotel Miramare S.r.l., con sede in Roma.
Il presente contratto decorre dal 1 gennaio 2024 e scade il 31 dicembre 2026.
Il contratto è regolato dalla legge italiana.`),
    ).toMatchObject({
      parties: ['Officina Ligure S.r.l.', 'Hotel Miramare S.r.l.'],
      from: '2024-01-01',
      until: '2026-12-31',
      law: 'legge italiana',
    });
  });

  it('takes a term for no date and finds nothing where nothing is', () => {
    expect(read('The initial term is ten (10) years.')).toMatchObject({
      parties: [],
      from: null,
      until: null,
      law: null,
    });
  });
});
