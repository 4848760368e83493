import type { LabelDictionary } from './concepts';
import { phrases } from './phrases';

export const GERMAN: LabelDictionary = {
  language: 'de',
  stopWords:
    'der die das und fur von mit bitte wir ihre ihnen sie den dem zum zur vom rechnung ist auf'.split(' '),
  labels: {
    invoiceNumber: phrases(`
      Beleg Nr, Rechnungs Nummer, Rechnungsnummer, Rechnungsnr, Rechnung Nr, Rechnung Nummer, Rechnungs Nummer, Rechn Nr, Rg Nr, Re Nr,
      RgNr, Rechnung #, Belegnummer, Beleg Nr, Belegnr, Gutschriftsnummer, Gutschriftnummer, Gutschrift Nr,
      Gutschrifts Nr, Gutschriftnr, Gutschriftsnr, Bonnummer, Bon Nr, Quittung Nr, Quittungsnummer,
      Rechnungskorrektur Nr, Rechnungskorrekturnummer, Handelsrechnung Nr, Handelsrechnung 380 Nr,
      Schlussrechnung Nr, Abschlagsrechnung Nr, Teilrechnung Nr, Dokumentnummer, Dokument Nr, Faktura Nr,
      Fakturanummer, Rechnungs ID, Stornorechnung Nr, Stornonummer, Honorarnote Nr, Nummer der Rechnung,
      Faktura, Quittungs Nr, Kassenbon Nr, Honorarrechnung Nr, Proformarechnung Nr, Korrekturrechnung Nr,
      Rechnungsbeleg Nr`),
    otherNumber: phrases(`
      Nummer, Vertragsnummer, Kundennummer, Kundennr, Kunden Nr, Kd Nr, KdNr, Ihre Kundennummer, Auftragsnummer, Auftrags Nr,
      Auftragsnr, Auftrag Nr, Auftrag, Bestellnummer, Bestell Nr, Bestellnr, Bestellung, Bestellung Nr, Ihre
      Bestellung, Ihr Zeichen, Unser Zeichen, Ihre Referenz, Referenz, Referenznummer, Referenz Nr,
      Projektnummer, Projekt Nr, Projekt, Vertragsnummer, Vertrags Nr, Vertragskonto, Lieferschein,
      Lieferscheinnummer, Lieferschein Nr, Angebotsnummer, Angebot Nr, Steuernummer, Steuer Nr, Kontonummer,
      Konto Nr, Debitorennummer, Debitor, Debitoren Nr, Objekt, Sachbearbeiter, Artikelnummer,
      Handelsregisternummer, Zahlungsreferenz, Globale Nummer, Kommission, Leitweg ID, Leitweg,
      Ursprungsrechnung, zur Rechnung, zu Rechnung, zu Rechnung Nr, zur Rechnung Nr, Originalrechnung,
      Rechnungsbezug, Bezug, Ursprüngliche Rechnung, Betrifft Rechnung, Betrifft Rechnung Nr, Korrektur zu
      Rechnung, Korrektur zu Rechnung Nr, Storno zu Rechnung, Lieferantennummer, Lieferanten Nr,
      Kreditorennummer, Verwendungszweck, Zählernummer, Gutschrift zu Rechnung, Gutschrift zur Rechnung,
      Mitgliedsnummer, Bestellnummer Kunde, Bestellung Nr Kunde, Ihre Bestellnummer, Unsere Auftragsnummer,
      Terminal, Kasse`),
    issueDate: phrases(`
      Beleg Datum, Rechnungsdatum, Datum, Rechnungsdat, Belegdatum, Ausstellungsdatum, Ausgestellt am, Datum der Rechnung,
      Rechnung vom, Gutschriftsdatum, Gutschriftdatum, Rechnungsdatum Datum, Datum der Ausstellung,
      Dokumentdatum, Fakturadatum, Rechn Datum, Rg Datum, Erstellt am, Erstellungsdatum, vom, Buchungsdatum,
      Kaufdatum, Datum Uhrzeit, Gutschrift vom, Korrekturdatum, Rechnungs Datum`),
    dueDate: phrases(`
      wird am, Abbuchung am, Lastschrift am, wird zum, Fällig zum, Fälligkeitsdatum, Fällig am, Fällig, Fälligkeit, zahlbar bis, zahlbar bis zum, Zahlbar bis spätestens,
      Zahlungsziel, Zahlungsziel bis, zu zahlen bis, Zahlung bis, Zahlung fällig am, Zahlungsfrist, zu
      begleichen bis, fällig zum, fällig bis, Zahlungstermin, netto bis, ohne Abzug bis, ohne Abzug bis zum,
      bis zum, bis spätestens, bis spätestens zum, Zahlungseingang bis, spätestens bis, spätestens bis zum,
      Zahlbar ohne Abzug bis, Zahlbar ohne Abzug bis zum, bitte zahlen bis, rein netto bis, Zahlungsziel
      netto, Überweisung bis, Bitte überweisen Sie bis, Fällig per, zahlbar am, Valuta, zahlbar spätestens am,
      Nettofälligkeit, fällig ist der Betrag am`),
    otherDate: phrases(`
      Leistungsdatum, Lieferdatum, Liefer und Leistungsdatum, Leistungszeitraum, Lieferzeitraum, Bestelldatum,
      Auftragsdatum, Versanddatum, Abrechnungszeitraum, Zeitraum, Leistungs Lieferdatum, Liefertermin,
      Druckdatum, Datum der Lieferung, Datum der Leistung, Bestellung vom, geliefert am, Lieferung vom,
      Lieferschein vom, Ihre Bestellung vom, Auftrag vom, Vertrag vom, Angebot vom, Skonto bis, Skonto,
      Geburtsdatum, Lieferdatum Leistungsdatum, gültig bis, Leistung am, Reisedatum, Anreise, Abreise,
      Lieferdatum entspricht Rechnungsdatum, Mandatsdatum, Tag der Lieferung, Leistungsmonat, gemäß Bestellung
      vom, Bestellung Nr, Datum der Originalrechnung, Leistungserbringung`),
    net: phrases(`
      Gesamtbeitrag, Nettoprämie, Nettobetrag, Netto, Summe netto, Nettosumme, Gesamt netto, Gesamtbetrag netto, Gesamtsumme netto,
      Zwischensumme netto, Zwischensumme (netto), Rechnungsbetrag netto, Rechnungssumme netto, Rechnungssumme
      ohne USt, Rechnungssumme ohne MwSt, Summe ohne MwSt, Summe ohne USt, Total netto, Total exkl MwSt, Total
      ohne MwSt, Netto Summe, Nettogesamtbetrag, Nettogesamtsumme, Nettowert, Gesamtnetto, Netto Betrag,
      Betrag netto, Nettorechnungsbetrag, Summe exkl MwSt, Summe exkl USt, Zwischensumme exkl MwSt,
      Zwischensumme ohne MwSt, Warenwert netto, Gesamtbetrag ohne MwSt, Gesamtbetrag ohne USt, Gesamtbetrag
      exkl MwSt, Gesamtbetrag exkl USt, Netto Gesamt, Summe Netto excl USt, Rechnungssumme Netto excl USt,
      Entgelt, Nettobetrag gesamt, Netto gesamt, Gesamt Netto, Gesamtbetrag (netto), Summe der Nettobeträge,
      Positionen netto, Summe Positionen netto, Gutschriftsbetrag netto, Honorar netto, Warenwert nach Rabatt,
      Nettosumme nach Rabatt, Zwischensumme nach Rabatt, Gesamtpreis netto, zu versteuern, Steuerpflichtiger
      Betrag, Total exkl`),
    tax: phrases(`
      Versicherungsteuer, Versicherungssteuer, MwSt, Mehrwertsteuer, Umsatzsteuer, USt, MwSt Betrag, Umsatzsteuerbetrag, USt Betrag, Steuerbetrag, zzgl
      MwSt, zzgl USt, zzgl Umsatzsteuer, zzgl Mehrwertsteuer, zuzüglich MwSt, zuzüglich Umsatzsteuer,
      zuzüglich Mehrwertsteuer, plus MwSt, Summe MwSt, Summe USt, Summe Umsatzsteuer, Gesamt MwSt, Gesamt USt,
      Steuern, Steuer, gesetzliche MwSt, gesetzliche Umsatzsteuer, gesetzl MwSt, zzgl gesetzl MwSt, zzgl
      gesetzlicher MwSt, zzgl gesetzliche MwSt, enthaltene MwSt, enthaltene Umsatzsteuer, darin enthalten
      MwSt, darin enthaltene MwSt, darin enthaltene USt, enthält MwSt, inkl MwSt, inkl USt, Steuersumme, Total
      MwSt, Steuerbetrag gesamt, Mehrwertsteuerbetrag, MwSt gesamt, USt gesamt, Umsatzsteuer gesamt, davon
      MwSt, davon USt, davon Umsatzsteuer, zzgl, Steuerbetrag in EUR, Gesamtsteuer, Summe Steuern, + MwSt, +
      USt, Mehrwertsteuer gesamt, zuzügl MwSt, zuzüglich gesetzlicher MwSt, zuzüglich gesetzlicher
      Umsatzsteuer, zzgl gesetzlicher USt, enth MwSt, Gesamtbetrag USt, Gesamtbetrag MwSt`),
    gross: phrases(`
      Rechnungsbeitrag, Gesamtprämie, Bruttobetrag, Brutto, Bruttosumme, Gesamtbetrag, Gesamtbetrag brutto, Gesamtsumme, Gesamtsumme brutto,
      Rechnungsbetrag, Rechnungsbetrag brutto, Rechnungsendbetrag, Rechnungssumme, Rechnungssumme brutto,
      Rechnungsgesamtbetrag, Endbetrag, Endsumme, Summe brutto, Gesamt brutto, Gesamtbetrag inkl MwSt,
      Gesamtbetrag inkl USt, Gesamtbetrag inkl, Gesamt inkl MwSt, Total inkl MwSt, Total brutto, Summe inkl
      MwSt, Summe inkl USt, Rechnungsbetrag inkl MwSt, Rechnungsbetrag inkl USt, Rechnungssumme inkl USt,
      Rechnungssumme inkl MwSt, Brutto gesamt, Bruttogesamtbetrag, Gesamtpreis, Gesamtpreis brutto, Betrag
      inkl MwSt, Gutschriftsbetrag, Gutschriftbetrag, Gesamtgutschrift, Gutschriftsumme,
      Gesamtrechnungsbetrag, Bruttorechnungsbetrag, Gesamt Brutto, Betrag brutto, Rechnungstotal, Total inkl,
      Gesamtbetrag in EUR, Gesamtbetrag EUR, Rechnungsbetrag EUR, Gesamtbetrag (brutto), Rechnungs Endbetrag,
      Gesamtbetrag der Rechnung, Gutschrift gesamt, Gesamtsumme inkl MwSt, Gesamtsumme inkl USt, Endbetrag
      inkl MwSt, Endbetrag brutto, Summe Gutschrift, Rechnungssumme Brutto inkl USt, Korrekturbetrag,
      Rechnungsendsumme`),
    due: phrases(`
      Zahlbetrag, zu zahlen, zu zahlender Betrag, fälliger Betrag, offener Betrag, Restbetrag, noch zu zahlen,
      Restzahlung, zu zahlen EUR, Zahlungsbetrag, Offen, offener Restbetrag, verbleibender Betrag, Zu
      überweisen, zu überweisender Betrag, Überweisungsbetrag, noch offen, noch offener Betrag, Rest,
      Forderung, Restforderung, Nachzahlung, zu bezahlen, zu bezahlender Betrag, Zahlungsbetrag gesamt, Noch
      zu zahlender Betrag, Verbleibender Zahlbetrag, Offener Rechnungsbetrag, Auszahlungsbetrag,
      Erstattungsbetrag, Restsumme, Zu zahlender Restbetrag, Verbleibt zu zahlen, verbleiben zu zahlen,
      Schlusszahlung, Fällige Zahlung, Saldo, Fälliger Restbetrag, Gesamt zu zahlen, zahlbar`),
    prepaid: phrases(`
      Anzahlung, Anzahlungen, abzüglich Anzahlung, abzgl Anzahlung, geleistete Anzahlung, geleistete
      Anzahlungen, Erhaltene Anzahlungen, Erhaltene Anzahlung, bereits gezahlt, bereits bezahlt,
      Vorauszahlung, Vorauszahlungen, abzgl Vorauszahlung, Abschlagszahlung, Abschlagszahlungen, abzüglich
      Abschlagszahlung, abzgl Abschlagszahlung, abzüglich Abschlagszahlungen, Teilzahlung, abzüglich bereits
      gezahlt, Bezahlt, gezahlt, bereits geleistet, bereits geleistete Zahlungen, Akonto, abzüglich Akonto,
      abzüglich geleisteter Anzahlung, abzüglich erhaltener Anzahlung, abzgl geleisteter Anzahlungen, Zahlung
      erhalten, Zahlungseingang, abzgl bereits gezahlter Betrag, bereits erhalten, Vorkasse, abzüglich
      Vorauszahlung, abzgl Zahlung, bereits gezahlter Betrag, Akontozahlung, geleistete Abschläge, abzüglich
      geleistete Anzahlung`),
    subtotal: phrases(`
      Zwischensumme, Positionssumme, Warenwert, Summe der Positionen, Summe Positionen, Warensumme,
      Gesamtwarenwert, Summe Artikel, Zwischentotal, Nettowarenwert, Subtotal, Summe vor Rabatt, Summe
      Leistungen, Positionen gesamt`),
    total: phrases(`
      Gesamt, Summe, Total, Betrag, Summe EUR, Gesamt EUR, Total EUR, Total CHF, Summe in EUR, zusammen,
      Gesamt CHF, Betrag EUR, Insgesamt`),
    discount: phrases(`
      Rabatt, abzüglich Rabatt, abzgl Rabatt, Nachlass, Preisnachlass, Abschlag, Abschläge, Gesamtbetrag der
      Abschläge, Treuerabatt, Mengenrabatt, Sonderrabatt, Gutschein, Skontobetrag, Abzug, Rabatte,
      Stammkundenrabatt, Kundenrabatt, Sondernachlass`),
    charge: phrases(`
      Versandkosten, Versand, Porto, Fracht, Zuschlag, Zuschläge, Gesamtbetrag der Zuschläge, Lieferkosten,
      Verpackung, Frachtkosten, Porto und Verpackung, Versandkostenpauschale, Nebenkosten, Trinkgeld, Porto
      Versand, Versandpauschale, Fracht und Verpackung`),
    carryOver: phrases(`
      Übertrag, Zwischensumme Übertrag, Übertrag von Seite, Übertrag auf Seite, Seitensumme, Seitenübertrag,
      Übertrag Seite, Summe Übertrag, Fortsetzung, Zwischensumme Seite, Vortrag, Übertrag netto`),
    rounding: phrases('Rundung, Rundungsdifferenz, Rundungsausgleich, Rundungsbetrag'),
    payment: phrases(`
      Bar, Barzahlung, gegeben, Rückgeld, EC Karte, Kartenzahlung, Kreditkarte, girocard, Gegeben bar,
      Zahlungsart, Zurück, Bar gegeben, EC Cash, Kreditkarte Visa, Debitkarte, Rückgeld bar, bezahlt mit,
      Wechselgeld`),
    seller: phrases(`
      Verkäufer, Rechnungssteller, Rechnungsersteller, Lieferant, Absender, Auftragnehmer, Leistungserbringer,
      Rechnung von, Aussteller, Rechnungsaussteller, Leistender Unternehmer, Von, Anbieter, Vermieter,
      Dienstleister, Gutschriftersteller`),
    buyer: phrases(`
      Käufer, Käufer Leistungsempfänger, Rechnungsempfänger, Rechnung an, Kunde, Rechnungsadresse,
      Rechnungsanschrift, Auftraggeber, Leistungsempfänger, Empfänger, Besteller, An, Kundenadresse,
      Kundenanschrift, Gutschrift an, Mieter, Kundenname, Herrn, Frau, Firma, Rechnungsanschrift des Kunden,
      Gutschriftsempfänger, Gutschrift für, Rechnung für, Adressat, Debitor Name`),
    shipTo: phrases(`
      Lieferadresse, Lieferanschrift, Warenempfänger, Abweichender Warenempfänger, Lieferung an,
      Versandadresse, Lieferempfänger, Leistungsort, Baustelle, Lieferort, Versand an, Objektadresse,
      Verbrauchsstelle, Bauvorhaben`),
    otherHeading: phrases(`
      Bemerkungen, Bemerkung, Hinweis, Hinweise, Zahlungsinformationen, Zahlungsbedingungen, Bankverbindung,
      Positionsdaten, Belegsummen, Umsatzsteueraufschlüsselung, Zu und Abschläge, Ansprechpartner, Betreff,
      Inhalt, Anschrift, Zahlungsart, Steuerbasisbetrag, Bank Steuerinformationen, Beschreibung, Ihr
      Ansprechpartner, Bearbeiter, Seite, Steueraufstellung, Steuerübersicht, Vielen Dank, Anlage, Anmerkung,
      Verkauf, Bedienung, Steuerausweis, Projekt, Adresse, Sehr geehrte, Geschäftsführer`),
    name: phrases('Name, Firma, Firmenname'),
    title: phrases(`
      Rechnung, Gutschrift, Quittung, Rechnungskorrektur, Handelsrechnung, Teilrechnung, Abschlagsrechnung,
      Schlussrechnung, Stornorechnung, Kassenbon, Kassenbeleg, Beleg, Kopie, Original, Rechnungskopie,
      Proformarechnung, Honorarrechnung, Honorarnote, Faktura, Duplikat, Mahnung, Bewirtungsbeleg, Barverkauf,
      Korrekturrechnung, Rechnung Original`),
    currency: phrases(`
      Währung, Beträge in, alle Beträge in, Preise in, Rechnungswährung, Währungscode, Alle Preise in,
      Belegwährung`),
    terms: phrases(`
      Zahlungsbedingungen, Zahlungskonditionen, Zahlungsbedingung, Zahlungsweise, Zahlbar innerhalb, zahlbar
      innerhalb von`),
    contact: phrases(`
      Telefon, Tel, Fax, Telefax, E Mail, Internet, Mobil, Fon, Web, Webseite, Homepage, Mail`),
    taxId: phrases(`
      USt IdNr, USt ID, USt Id Nr, USt Ident Nr, USt Identnr, UID, UID Nummer, UID Nr, MwSt Nr, MWST Nummer,
      Steuernummer, Steuer Nr, St Nr, StNr, Handelsregister, Handelsreg, HRB, HRA, Amtsgericht,
      Geschäftsführer, Geschäftsf, Registergericht, Umsatzsteuer ID, Umsatzsteuer Identifikationsnummer,
      Umsatzsteuer Ident Nr, Sitz der Gesellschaft, Finanzamt, Inhaber, Inh, Firmenbuch, FN, GLN, CHE,
      Vorstand, Aufsichtsrat, Firmenbuchnummer, Umsatzsteuer Id Nr, USt IdNr des Kunden, Ihre USt IdNr, USt
      IdNr Kunde, ATU`),
    bank: phrases(`
      IBAN, BIC, Bankverbindung, Kontonr, Kontoinhaber, BLZ, Bankname, Bank, Konto, Sparkasse, IBAN Nr`),
  },
  columns: {
    position: phrases('Pos, Position, Nr, Lfd Nr, Pos Nr, #, Posten, Ifd Nr, Lfd'),
    sku: phrases(`
      Art Nr, Artikelnr, Artikelnummer, Art Nr Kunde, Art Nr Lief, Artikel Nr, Produktnummer, Unsere Art Nr,
      Referenzen, Artnr, Bestellnr, Best Nr, Materialnummer, Produktcode, EAN, Referenz, Teilenummer,
      Sachnummer, Artikelcode`),
    description: phrases(`
      Beschreibung, Bezeichnung, Artikelbeschreibung, Artikel, Leistung, Artikelbezeichnung, Produkt,
      Leistungsbeschreibung, Text, Position Beschreibung, Warenbezeichnung, Dienstleistung,
      Produktbezeichnung, Artikel Leistung, Ware, Tätigkeit, Gegenstand, Bezeichnung der Leistung, Leistungen,
      Artikel Bezeichnung, Leistung Artikel, Produktbeschreibung, Positionstext, Verwendung, Inhalt`),
    quantity: phrases(`
      Menge, Anzahl, Anz, Stück, Stk, Stunden, Std, Menge Einheit, Stückzahl, Liefermenge, Tage, Menge Std,
      Stundenzahl, Aufwand, Mge, Verbrauch`),
    unit: phrases('Einheit, ME, Mengeneinheit, Meng einheit, Einh, Meng, EH'),
    unitPrice: phrases(`
      Einzelpreis, VK Preis, Preis, Einzelpreis netto, E Preis, EP, Einheitspreis, Preis pro Einheit, Nettopreis,
      Stückpreis, Preis Einheit, Stundensatz, Einzelpreis EUR, Preis Stück, Netto Einzelpreis, Satz, E Preis
      EUR, Einzel EUR, Einzel, Preis je Einheit, Einzelpreis in EUR, Einzelpreis CHF, Preis EUR, Tagessatz,
      Einzelpreis in, Preis netto, EP netto, Ansatz, Einzelbetrag, EP EUR, Einzelpreis brutto, Preis je,
      Stückpreis netto`),
    discount: phrases('Rabatt, Rabatt %, Rab, Nachlass, Rab %'),
    taxRate: phrases(`
      MwSt, USt, USt %, MwSt %, Steuersatz, Steuer, MwSt Satz, USt Satz, Steuer %, St, Umsatzsteuer,
      Steuerschlüssel, Ust`),
    taxAmount: phrases('Steuerbetrag, MwSt Betrag, USt Betrag, MwSt EUR'),
    date: phrases('Datum, Zeitraum, Leistungsdatum, Lieferdatum, Tag, Leistungszeitraum'),
    amount: phrases(`
      Gesamt, Betrag, Zeilenbetrag, Gesamtpreis, Summe, Nettobetrag, Gesamtbetrag, Gesamt netto, Gesamtpreis netto, Entgelt,
      Total, Netto, G Preis, GP, Betrag EUR, Gesamt EUR, Gesamtpreis EUR, Betrag netto, Positionsbetrag,
      Nettosumme, Summe netto, Wert, Gesamtpreis in EUR, Betrag in EUR, Summe EUR, Total CHF, Betrag CHF,
      Brutto, Preis gesamt, Bruttobetrag, Netto EUR, GP EUR, Gesamtbetrag netto, Nettowert, Zeilensumme,
      Betrag brutto, Gesamt brutto, GP netto, Summe in EUR, Netto Betrag, Gesamtsumme`),
  },
};
